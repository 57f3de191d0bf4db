// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks

/// A store in which a response about to be removed is not found any more, although the removal waits for its turn and takes time.
/// If there are too many to remove one by one, none of the responses is found that came in before.
///
/// The loop forgets invalid responses without waiting, and the next load must not find them.
final class PromptStore: ResponseStore {
  private struct Hidden {
    /// The keys about to be removed, and how many times.
    var condemned: [StoredResponse.Key: Int] = [:]
    /// Responses that came in before are not found.
    var floor = Date.distantPast
  }

  private let store: any ResponseStore
  private let hidden = Locked(Hidden())

  init(_ store: any ResponseStore) { self.store = store }

  func responses(for key: StoredResponse.Key) async throws -> [any StoredResponseReader] {
    if isPendingRemoval(key) { return [] }
    let readers = try await store.responses(for: key)
    return isPendingRemoval(key) ? [] : readers.filter { !isHidden($0.response) }
  }

  /// Hides all responses that have come in by now.
  func hideAll() {
    let now = Date()
    hidden.withLock { $0.floor = max($0.floor, now) }
  }

  /// Whether a response is older than one that could not be stored, or may be.
  func isHidden(_ response: StoredResponse) -> Bool { response.responseTime <= hidden.withLock { $0.floor } }

  func write(_ response: StoredResponse) async throws -> any StoredResponseWriter {
    try await store.write(response)
  }

  func update(_ response: StoredResponse) async throws -> Bool { try await store.update(response) }

  func remove(_ key: StoredResponse.Key) async throws { try await store.remove(key) }

  func removeAll() async throws { try await store.removeAll() }

  func removeAll(since date: Date) async throws { try await store.removeAll(since: date) }

  /// Nothing is found under these keys until they are pardoned as often.
  func condemn(_ keys: [StoredResponse.Key]) {
    hidden.withLock { for key in keys { $0.condemned[key, default: 0] += 1 } }
  }

  /// The removal of these keys is done.
  func pardon(_ keys: [StoredResponse.Key]) {
    hidden.withLock { hidden in
      for key in keys {
        guard let times = hidden.condemned[key] else { continue }
        hidden.condemned[key] = times > 1 ? times - 1 : nil
      }
    }
  }

  /// Whether what the store has for a key is not to be found any more.
  func isPendingRemoval(_ key: StoredResponse.Key) -> Bool {
    hidden.withLock { $0.condemned.isEmpty ? false : $0.condemned[key] != nil }
  }
}
