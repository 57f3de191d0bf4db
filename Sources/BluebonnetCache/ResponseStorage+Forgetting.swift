// SPDX-License-Identifier: MIT
import BluebonnetFoundation

// Forgetting of responses, together with those requested before.
extension ResponseStorage {
  /// Whether something was done to a resource after a moment, by ``ResourceChanges/now``: a response requested before is not to be
  /// kept (RFC 9111 §4.4).
  package func hasChanged(_ key: StoredResponse.Key, since moment: Double) -> Bool {
    resources.withLock { $0.hasChanged(key, since: moment) }
  }

  /// Forgets all variants of keys, and the responses of loads under way, without waiting: a request from now on finds nothing.
  ///
  /// - Returns: The change of the store.
  @discardableResult
  package func forget(_ keys: [StoredResponse.Key]) -> Task<Void, Never>? {
    let now = ResourceChanges.now
    resources.withLock { for key in keys { $0.note(key, at: now) } }
    return remove(keys)
  }

  /// Removes all variants of a key; of loads under way it knows nothing.
  package func remove(_ key: StoredResponse.Key) { remove([key]) }

  @discardableResult
  private func remove(_ keys: [StoredResponse.Key]) -> Task<Void, Never>? {
    for key in keys { memory.remove(key) }
    return enqueueRemoval(of: keys)
  }

  /// Removes from the store in turn; from now on nothing is found.
  @discardableResult
  func enqueueRemoval(of keys: [StoredResponse.Key]) -> Task<Void, Never>? {
    guard let store = promptStore else { return nil }
    return waiting.withLock { waiting in
      if let known = waiting.removal(of: keys) { return known }
      store.condemn(keys)
      return waiting.addRemoval(of: keys) { number in
        changes.enqueue { [self] in
          self.waiting.withLock { $0.beginRemoval(number, of: keys) }
          // The others are removed even if one cannot be.
          for key in keys {
            do {
              try await store.remove(key)
            } catch {
              note(error)
              // RFC 9111 §4.4: an invalid response is not used, whether or not it can be removed.
              store.hideAll()
            }
          }
          store.pardon(keys)
        }
      }
    }
  }

  /// Removes all responses, and what loads under way have asked for.
  package func removeAll() -> Task<Void, Never>? {
    noteAll()
    memory.remove { _ in true }
    return changeAll { store in try await store.removeAll() }
  }

  /// Removes what came in after a date; if that is past, what loads under way have asked for, too, since it will.
  package func removeAll(since date: Date) -> Task<Void, Never>? {
    if date <= Date() { noteAll() }
    memory.remove { $0.responseTime > date }
    return changeAll { store in try await store.removeAll(since: date) }
  }

  /// Changes all of the store in its turn, before all writes that are asked for later.
  private func changeAll(
    _ body: @escaping @Sendable (_ store: any ResponseStore) async throws -> Void
  ) -> Task<Void, Never>? {
    waiting.withLock { waiting in
      waiting.closeAll()
      return change(body)
    }
  }

  private func noteAll() {
    let now = ResourceChanges.now
    resources.withLock { $0.noteAll(at: now) }
  }
}
