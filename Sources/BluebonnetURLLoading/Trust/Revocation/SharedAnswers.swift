// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetTLS

/// Answers, kept for as long as they hold. While one caller searches for one, others that want the same wait for
/// that: a thousand connections to one host ask its responder once.
final class SharedAnswers<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Found = (value: Value, validUntil: Int64?)

  /// Something that is being found out.
  private final class Search: Sendable {
    let end = DispatchGroup()
    let result = Locked<Result<Value, RevocationFault>?>(nil)
    /// The time when the search is given up.
    let deadline: DispatchTime

    init(until deadline: DispatchTime) { self.deadline = deadline }
  }

  private struct State {
    var cache: AnswerCache<Key, Value>
    var searches: [Key: Search] = [:]
  }

  private enum Turn {
    case known(Value)
    case waits(Search)
    case finds(Search)
  }

  private let state: Locked<State>

  init(limit: Int) {
    state = Locked(State(cache: AnswerCache(limit: limit)))
  }

  /// The answer known at the moment, without a search.
  func known(_ key: Key, at now: Int64) -> Value? {
    state.withLock { $0.cache.value(for: key, at: now) }
  }

  /// Blocks until there is an answer.
  ///
  /// - Parameters:
  ///   - key: The question.
  ///   - now: In seconds since 1970.
  ///   - end: When the search is given up.
  ///   - find: Searches for it, on this thread, unless it is known or another thread does.
  func value(
    for key: Key, at now: Int64, until end: DispatchTime,
    find: () throws(RevocationFault) -> Found
  ) throws(RevocationFault) -> Value {
    while true {
      switch turn(for: key, at: now, until: end) {
      case .known(let value): return value
      case .waits(let search):
        guard search.end.wait(timeout: end) == .success, let result = search.result.withLock({ $0 }) else {
          throw .unreachable("the answer took too long")
        }
        // A search with less time says nothing about the result of a longer one.
        if case .failure = result, search.deadline <= .now(), .now() < end { continue }
        return try result.get()
      case .finds(let search):
        let found = Result { () throws(RevocationFault) in try find() }
        search.result.withLock { $0 = found.map(\.value) }
        state.withLock { state in
          state.searches[key] = nil
          if case .success(let found) = found {
            state.cache.insert(found.value, for: key, validUntil: found.validUntil, at: now)
          }
        }
        search.end.leave()
        return try found.get().value
      }
    }
  }

  private func turn(for key: Key, at now: Int64, until end: DispatchTime) -> Turn {
    state.withLock { state in
      if let value = state.cache.value(for: key, at: now) { return .known(value) }
      if let search = state.searches[key] { return .waits(search) }
      let search = Search(until: end)
      search.end.enter()
      state.searches[key] = search
      return .finds(search)
    }
  }
}
