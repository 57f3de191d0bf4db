// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetMessages

/// The responses of a `URLCache`: the memory, and a store behind it.
///
/// The memory answers at once. The store is asked from tasks: it waits for files, or for other machines.
package final class ResponseStorage: Sendable {
  /// In front of the store.
  package let memory: InMemoryResponseStore
  /// The store on disk, unless there is one of the user's.
  package let disk: DiskResponseStore?
  private let behind: PromptStore
  let budget = WriteBudget()
  let waiting = Locked(WaitingWrites())
  private let failure = Locked<(any Error)?>(nil)
  let resources = Locked(ResourceChanges())
  let changes = OrderedChanges()

  /// Keeps responses on disk, behind the memory.
  package init(memoryCapacity: Int, disk: DiskResponseStore) {
    memory = InMemoryResponseStore(capacity: memoryCapacity)
    self.disk = disk
    behind = PromptStore(disk)
  }

  /// Keeps responses in a store of the user's, behind the memory.
  package init(memoryCapacity: Int, store: any ResponseStore) {
    memory = InMemoryResponseStore(capacity: memoryCapacity)
    disk = nil
    behind = PromptStore(store)
  }

  /// Behind the memory; nil if responses are kept in memory only.
  package var store: (any ResponseStore)? { promptStore }

  var promptStore: PromptStore? {
    if let disk, disk.capacity == 0 { return nil }
    return behind
  }

  /// The response on disk under a key, if it is small and the only variant; found at once, for callers that may wait for the
  /// disk. Nil where the store is the user's.
  package func smallOnDisk(_ key: StoredResponse.Key) -> DiskResponseReader? {
    guard let disk, !behind.isPendingRemoval(key), let found = try? disk.findSmall(key),
      !behind.isPendingRemoval(key),
      !behind.isHidden(found.response)
    else { return nil }
    return found
  }

  /// Why the store has last failed to keep, change or remove something.
  package var lastFailure: (any Error)? { failure.withLock { $0 } }

  /// Changes the store in its turn; see ``OrderedChanges``. Does nothing if there is none.
  ///
  /// - Parameter body: Its error is noted, and not reported otherwise.
  @discardableResult
  func change(
    _ body: @escaping @Sendable (_ store: any ResponseStore) async throws -> Void
  ) -> Task<Void, Never>? {
    guard let store else { return nil }
    return changes.enqueue { [self] in
      do { try await body(store) } catch { note(error) }
    }
  }

  /// Calls back when the changes of the store that were called for have been made; at once if there is no store.
  package func whenWritten(_ completion: @escaping @Sendable () -> Void) {
    guard store != nil else { return completion() }
    changes.enqueue { completion() }
  }

  func note(_ error: any Error) { failure.withLock { $0 = error } }

  /// Waits for a change of the store. Not to be called in loop context, nor from a change.
  package func wait(for change: Task<Void, Never>?) {
    if let change { try? WaitingExecutor.wait { await change.value } }
  }
}

extension ResponseStorage {
  /// The youngest response in the store that answers a request; with its body, for which it waits. It is in memory from then on, unless the store has a newer variant.
  package func waitForResponse(
    _ key: StoredResponse.Key, where answers: @escaping @Sendable (StoredResponse) -> Bool
  ) -> CachedURLResponse? {
    guard let store else { return nil }
    let start = Date().timeIntervalSince1970
    let found = try? WaitingExecutor.wait {
      () async throws -> (InMemoryResponseStore.Entry, isNewest: Bool)? in
      let all = try await store.responses(for: key).sorted {
        $0.response.responseTime > $1.response.responseTime
      }
      guard let reader = all.first(where: { answers($0.response) }) else { return nil }
      var body = Data()
      while Int64(body.count) < reader.response.bodyLength ?? 0 {
        let piece = try await reader.read(at: Int64(body.count))
        if piece.isEmpty { throw ResponseStoreError.damaged("a body ends too soon") }
        body.append(piece)
      }
      let entry = InMemoryResponseStore.Entry(
        reader.response, CachedURLResponse(response: reader.response.urlResponse, data: body))
      return (entry, reader.response.responseTime == all[0].response.responseTime)
    }
    guard let (entry, isNewest) = found ?? nil else { return nil }
    // The memory is asked first, and may have no older variant than the store (RFC 9111 §4): another request may be answered by both.
    guard isNewest else { return entry.cached }
    memory.adopt(entry)
    // It may have been forgotten while it was looked for.
    if hasChanged(key, since: start) { memory.remove(entry.response) }
    return entry.cached
  }
}
