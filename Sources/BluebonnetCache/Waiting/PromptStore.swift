import BluebonnetFoundation
import BluebonnetLocks

/// A store in which a response about to be removed is not found any more, although the removal waits for its turn and takes time.
/// If there are too many to remove one by one, none of the responses is found that came in before.
///
/// The loop forgets invalid responses without waiting, and the next load must not find them.
final class PromptStore: ResponseStore {
  private let store: any ResponseStore
  /// The keys about to be removed, and how many times.
  private let condemned = Locked<[StoredResponse.Key: Int]>([:])
  /// Responses that came in before are not found.
  private let floor = Locked(Date.distantPast)

  init(_ store: any ResponseStore) { self.store = store }

  func responses(for key: StoredResponse.Key) async throws -> [any StoredResponseReader] {
    if isPendingRemoval(key) { return [] }
    let readers = try await store.responses(for: key)
    return isPendingRemoval(key) ? [] : readers.filter { !isHidden($0.response) }
  }

  /// Hides all responses that have come in by now.
  func hideAll() {
    let now = Date()
    floor.withLock { $0 = max($0, now) }
  }

  /// Whether a response is older than one that could not be stored, or may be.
  func isHidden(_ response: StoredResponse) -> Bool { response.responseTime <= floor.withLock { $0 } }

  func write(_ response: StoredResponse) async throws -> any StoredResponseWriter {
    try await store.write(response)
  }

  func update(_ response: StoredResponse) async throws -> Bool { try await store.update(response) }

  func remove(_ key: StoredResponse.Key) async throws { try await store.remove(key) }

  func removeAll() async throws { try await store.removeAll() }

  func removeAll(since date: Date) async throws { try await store.removeAll(since: date) }

  /// Nothing is found under these keys until they are pardoned as often.
  func condemn(_ keys: [StoredResponse.Key]) {
    condemned.withLock { for key in keys { $0[key, default: 0] += 1 } }
  }

  /// The removal of these keys is done.
  func pardon(_ keys: [StoredResponse.Key]) {
    condemned.withLock { condemned in
      for key in keys {
        guard let times = condemned[key] else { continue }
        condemned[key] = times > 1 ? times - 1 : nil
      }
    }
  }

  /// Whether what the store has for a key is not to be found any more.
  func isPendingRemoval(_ key: StoredResponse.Key) -> Bool {
    condemned.withLock { $0.isEmpty ? false : $0[key] != nil }
  }
}
