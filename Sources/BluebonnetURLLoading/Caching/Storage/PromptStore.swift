import BluebonnetFoundation
import BluebonnetLocks

/// A store whose removals take effect at once for whoever asks in this process, although the store itself takes its time.
///
/// The loop forgets what has become invalid without waiting, and the next load must not find it.
final class PromptStore: ResponseStore {
  private let store: any ResponseStore
  /// The keys that are being removed, each so many times.
  private let going = Locked<[StoredResponse.Key: Int]>([:])

  init(_ store: any ResponseStore) { self.store = store }

  func responses(for key: StoredResponse.Key) async throws -> [any StoredResponseReader] {
    if isGoing(key) { return [] }
    let readers = try await store.responses(for: key)
    return isGoing(key) ? [] : readers
  }

  func write(_ response: StoredResponse) async throws -> any StoredResponseWriter {
    try await store.write(response)
  }

  func update(_ response: StoredResponse) async throws -> Bool {
    isGoing(response.key) ? false : try await store.update(response)
  }

  func remove(_ key: StoredResponse.Key) async throws {
    begin(key)
    defer { end(key) }
    try await store.remove(key)
  }

  func removeAll() async throws { try await store.removeAll() }

  func removeAll(since date: Date) async throws { try await store.removeAll(since: date) }

  /// Removes keys without waiting for it.
  func forget(_ keys: [StoredResponse.Key], _ failed: @escaping @Sendable (any Error) -> Void) {
    for key in keys { begin(key) }
    Task {
      for key in keys {
        do { try await store.remove(key) } catch { failed(error) }
        end(key)
      }
    }
  }

  private func isGoing(_ key: StoredResponse.Key) -> Bool { going.withLock { !$0.isEmpty && $0[key] != nil } }

  private func begin(_ key: StoredResponse.Key) { going.withLock { $0[key, default: 0] += 1 } }

  private func end(_ key: StoredResponse.Key) {
    going.withLock { going in
      guard let count = going[key] else { return }
      going[key] = count > 1 ? count - 1 : nil
    }
  }
}
