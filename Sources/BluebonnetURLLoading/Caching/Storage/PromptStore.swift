import BluebonnetFoundation
import BluebonnetLocks

/// A store whose removals take effect at once for whoever asks in this process, although the store itself takes its time.
///
/// The loop forgets what has become invalid without waiting, and the next load must not find it. What is kept afterwards is kept when the
/// removal has been done, so that it is not removed along with the rest.
final class PromptStore: ResponseStore {
  private let store: any ResponseStore
  /// What is being removed, and the last removal of each.
  private let going = Locked<[StoredResponse.Key: Removal]>([:])

  private struct Removal {
    let number: UInt64
    let task: Task<Void, any Error>
  }

  init(_ store: any ResponseStore) { self.store = store }

  func responses(for key: StoredResponse.Key) async throws -> [any StoredResponseReader] {
    if removal(of: key) != nil { return [] }
    let readers = try await store.responses(for: key)
    return removal(of: key) == nil ? readers : []
  }

  /// Whether what the store has for a key is not to be found any more.
  func isRemoving(_ key: StoredResponse.Key) -> Bool { removal(of: key) != nil }

  func write(_ response: StoredResponse) async throws -> any StoredResponseWriter {
    _ = await removal(of: response.key)?.result
    return try await store.write(response)
  }

  func update(_ response: StoredResponse) async throws -> Bool {
    removal(of: response.key) == nil ? try await store.update(response) : false
  }

  func remove(_ key: StoredResponse.Key) async throws { try await begin(key).value }

  func removeAll() async throws { try await store.removeAll() }

  func removeAll(since date: Date) async throws { try await store.removeAll(since: date) }

  /// Removes keys without waiting for it.
  func forget(_ keys: [StoredResponse.Key], _ failed: @escaping @Sendable (any Error) -> Void) {
    let removals = keys.map(begin)
    Task(executorPreference: WaitingExecutor.shared) {
      for removal in removals {
        if case .failure(let error) = await removal.result { failed(error) }
      }
    }
  }

  private func removal(of key: StoredResponse.Key) -> Task<Void, any Error>? {
    going.withLock { $0.isEmpty ? nil : $0[key]?.task }
  }

  private func begin(_ key: StoredResponse.Key) -> Task<Void, any Error> {
    let number = StoredResponse.newID()
    return going.withLock { going in
      let before = going[key]?.task
      // Whoever waits for it may occupy the threads of tasks.
      let task = Task(executorPreference: WaitingExecutor.shared) { [self] in
        defer { end(key, number) }
        _ = await before?.result
        try await store.remove(key)
      }
      going[key] = Removal(number: number, task: task)
      return task
    }
  }

  private func end(_ key: StoredResponse.Key, _ number: UInt64) {
    going.withLock { if $0[key]?.number == number { $0[key] = nil } }
  }
}
