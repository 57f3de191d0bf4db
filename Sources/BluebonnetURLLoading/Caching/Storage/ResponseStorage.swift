import BluebonnetFoundation
import BluebonnetLocks

/// What a `URLCache` keeps its responses in: the memory, and a store behind it.
///
/// The memory answers at once. The store is asked from tasks: it waits for files, or for other machines.
package final class ResponseStorage: Sendable {
  /// In front of the store.
  package let memory: MemoryResponses
  /// The store on disk, unless there is one of the user's.
  let disk: DiskResponseStore?
  private let behind: PromptStore
  private let failure = Locked<(any Error)?>(nil)
  private let changes = Locked(ResourceChanges())
  private let lastChange = Locked<Task<Void, Never>?>(nil)

  /// Keeps responses on disk, behind the memory.
  init(memoryCapacity: Int, disk: DiskResponseStore) {
    memory = MemoryResponses(capacity: memoryCapacity)
    self.disk = disk
    behind = PromptStore(disk)
  }

  /// Keeps responses in a store of the user's, behind the memory.
  init(memoryCapacity: Int, store: any ResponseStore) {
    memory = MemoryResponses(capacity: memoryCapacity)
    disk = nil
    behind = PromptStore(store)
  }

  /// Behind the memory; nil if responses are kept in memory only.
  package var store: (any ResponseStore)? { promptStore }

  private var promptStore: PromptStore? {
    if let disk, disk.capacity == 0 { return nil }
    return behind
  }

  /// What is kept on disk under a key, found there and then: for callers that may wait for the disk. Nothing where the store is the
  /// user's.
  func onDisk(_ key: StoredResponse.Key) -> [DiskResponseReader] {
    guard let disk, disk.capacity > 0, !behind.isRemoving(key) else { return [] }
    let found = (try? disk.find(key)) ?? []
    return behind.isRemoving(key) ? [] : found
  }

  /// Why the store has last failed to keep, change or remove something.
  var lastFailure: (any Error)? { failure.withLock { $0 } }

  private func noted(_ error: any Error) throws -> Never {
    failure.withLock { $0 = error }
    throw error
  }

  /// Keeps a whole response that is in memory, there and in the store, as its storage policy says.
  ///
  /// - Throws: What the store throws. The memory keeps it none the less, and the store keeps nothing for its key, so that nobody is
  ///   shown an older one later.
  package func keep(_ response: StoredResponse, _ cached: CachedURLResponse) async throws {
    if keepInMemory(response, cached) { try await keepInStore(response, cached) }
  }

  /// Keeps a whole response in the store, as its storage policy says; as ``keep(_:_:)``.
  package func keepInStore(_ response: StoredResponse, _ cached: CachedURLResponse) async throws {
    guard let store, cached.storagePolicy == .allowed, response.status > 0 else { return }
    var head = response
    head.bodyLength = Int64(cached.data.count)
    do {
      let writer = try await store.write(head)
      do {
        if !cached.data.isEmpty { try await writer.append(cached.data) }
        try await writer.commit()
      } catch {
        await writer.abandon()
        throw error
      }
    } catch {
      await couldNotKeep(response.key, error)
      throw error
    }
  }

  /// The store has failed to keep a response: it keeps nothing for its key, so that nobody is shown an older one later.
  private func couldNotKeep(_ key: StoredResponse.Key, _ error: any Error) async {
    failure.withLock { $0 = error }
    try? await store?.remove(key)
  }

  /// Keeps a whole response in memory, at once.
  ///
  /// - Returns: Whether its storage policy lets it be kept at all.
  @discardableResult
  package func keepInMemory(_ response: StoredResponse, _ cached: CachedURLResponse) -> Bool {
    guard cached.storagePolicy != .notAllowed else { return false }
    memory.insert(.init(response, cached))
    return true
  }

  /// Gives a kept response another head, in memory and in the store.
  ///
  /// - Returns: Whether it was there.
  @discardableResult
  package func update(_ response: StoredResponse) async throws -> Bool {
    let wasInMemory = updateInMemory(response)
    do {
      return try await store?.update(response) ?? false || wasInMemory
    } catch {
      try noted(error)
    }
  }

  /// Gives a response that is kept in memory another head, at once.
  @discardableResult
  package func updateInMemory(_ response: StoredResponse) -> Bool {
    memory.update(response) { old in
      CachedURLResponse(
        response: response.urlResponse, data: old.data, userInfo: old.userInfo,
        storagePolicy: old.storagePolicy)
    }
  }

  /// Forgets all variants of keys, without waiting for it: whoever asks from now on finds nothing.
  package func forget(_ keys: [StoredResponse.Key]) {
    let now = Date().timeIntervalSince1970
    changes.withLock { for key in keys { $0.note(key, at: now) } }
    for key in keys { memory.remove(key) }
    promptStore?.forget(keys) { [self] error in failure.withLock { $0 = error } }
  }

  /// Whether something was done to a resource after a moment, in seconds since 1970: what was asked for before is not to be
  /// kept (RFC 9111 §4.4).
  func hasChanged(_ key: StoredResponse.Key, since moment: Double) -> Bool {
    changes.withLock { $0.hasChanged(key, since: moment) }
  }

  /// Writes a response to the store. If that fails, it is noted, and nothing is left for the key, so that nobody is shown an
  /// older one later.
  ///
  /// - Returns: Nil if it has failed.
  @discardableResult
  func trying<Result>(
    _ key: StoredResponse.Key, _ body: () async throws -> Result
  ) async -> Result? {
    do {
      return try await body()
    } catch {
      await couldNotKeep(key, error)
      return nil
    }
  }

  /// Changes the store: one change after the other, in the order of the calls and whatever session they come from, so that nothing
  /// older takes the place of what is newer. May be called from any thread.
  func change(_ body: @escaping @Sendable () async -> Void) {
    lastChange.withLock { last in
      let before = last
      last = Task {
        await before?.value
        await body()
      }
    }
  }

  /// Removes all variants of a key: from the memory at once, and then from the store.
  package func remove(_ key: StoredResponse.Key) async throws {
    memory.remove(key)
    do { try await store?.remove(key) } catch { try noted(error) }
  }

  /// Removes all responses.
  package func removeAll() async throws {
    memory.remove { _ in true }
    do { try await store?.removeAll() } catch { try noted(error) }
  }

  /// Removes what came in after a date.
  package func removeAll(since date: Date) async throws {
    memory.remove { $0.responseTime > date }
    do { try await store?.removeAll(since: date) } catch { try noted(error) }
  }
}

extension ResponseStorage {
  /// Waits until something has been done that may ask the store. Does not wait, nor do it, if there is none.
  func wait(_ body: @escaping @Sendable () async throws -> Void) {
    // What went wrong has been noted.
    if store != nil { try? WaitingExecutor.wait(body) }
  }

  /// The youngest response in the store that answers a request; with its body, for which it waits. It is in memory from then on.
  func waitForResponse(
    _ key: StoredResponse.Key, where answers: @escaping @Sendable (StoredResponse) -> Bool
  ) -> CachedURLResponse? {
    guard let store else { return nil }
    let found = try? WaitingExecutor.wait { () async throws -> MemoryResponses.Entry? in
      let readers = try await store.responses(for: key).filter { answers($0.response) }
      guard let reader = readers.max(by: { $0.response.responseTime < $1.response.responseTime }) else {
        return nil
      }
      var body = Data()
      while Int64(body.count) < reader.response.bodyLength ?? 0 {
        let piece = try await reader.read(at: Int64(body.count))
        if piece.isEmpty { throw ResponseStoreError.damaged("a body ends too soon") }
        body.append(piece)
      }
      return MemoryResponses.Entry(
        reader.response, CachedURLResponse(response: reader.response.urlResponse, data: body))
    }
    guard let entry = found ?? nil else { return nil }
    memory.insert(entry)
    return entry.cached
  }
}

extension StoredResponse {
  /// The head as callers see it.
  package var urlResponse: HTTPURLResponse {
    HTTPURLResponse(url: url, statusCode: status, minorVersion: minorVersion, fields: fieldBlock)
  }
}
