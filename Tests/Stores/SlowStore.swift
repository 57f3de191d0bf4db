// SPDX-License-Identifier: MIT
import BluebonnetCache
import BluebonnetFoundation
import BluebonnetLocks

/// Keeps responses in a dictionary, one for each key, and gives them back in small pieces. Its steps can be refused, or held until the
/// test lets them go.
package final class SlowStore: ResponseStore {
  package enum Step: Sendable { case write, append, commit, update }

  package struct State {
    package var refused: Step?
    /// Once: whoever comes next waits there.
    package var held: Step?
    package var waiting: CheckedContinuation<Void, Never>?
    package var kept: [StoredResponse.Key: (head: StoredResponse, body: Data)] = [:]
    package var (pieces, reads, abandoned, updates, commits, lookups) = (0, 0, 0, 0, 0, 0)
    package var failure: Int64?
    package var failsLookups = false
  }

  package struct Failure: Error {}

  package let state = Locked(State())

  package init() {}

  package var count: Int { state.withLock { $0.kept.count } }
  package var pieces: Int { state.withLock { $0.pieces } }
  package var reads: Int { state.withLock { $0.reads } }
  package var abandoned: Int { state.withLock { $0.abandoned } }
  package var updates: Int { state.withLock { $0.updates } }
  package var commits: Int { state.withLock { $0.commits } }
  package var lookups: Int { state.withLock { $0.lookups } }
  /// The bodies that are kept, in the order of their addresses.
  package var bodies: [Data] {
    state.withLock { state in
      state.kept.sorted { $0.key.target < $1.key.target }.map(\.value.body)
    }
  }
  /// Bytes of the body that is kept.
  package var length: Int? { state.withLock { $0.kept.first?.value.body.count } }

  package func fail(at offset: Int64) { state.withLock { $0.failure = offset } }
  package func refuse(_ step: Step) { state.withLock { $0.refused = step } }
  package func failLookups() { state.withLock { $0.failsLookups = true } }
  package func forgetLengths() {
    state.withLock { state in for key in state.kept.keys { state.kept[key]?.head.bodyLength = nil } }
  }

  /// The next one that takes the step waits until it is let go.
  package func hold(_ step: Step) { state.withLock { $0.held = step } }

  /// Somebody waits.
  package var isHolding: Bool { state.withLock { $0.waiting != nil } }

  package func letGo() { state.withLock { $0.waiting.take() }?.resume() }

  fileprivate func pass(_ step: Step) async throws {
    await withCheckedContinuation { continuation in
      let goesOn = state.withLock { state in
        guard state.held == step else { return true }
        state.held = nil
        state.waiting = continuation
        return false
      }
      if goesOn { continuation.resume() }
    }
    if state.withLock({ $0.refused == step }) { throw Failure() }
  }

  package func responses(for key: StoredResponse.Key) async throws -> [any StoredResponseReader] {
    let (found, fails) = state.withLock { state in
      state.lookups += 1
      return (state.kept[key], state.failsLookups)
    }
    if fails { throw Failure() }
    return found.map { [Reader(response: $0.head, body: $0.body, store: self)] } ?? []
  }

  package func write(_ response: StoredResponse) async throws -> any StoredResponseWriter {
    try await pass(.write)
    return Writer(response, self)
  }

  package func update(_ response: StoredResponse) async throws -> Bool {
    try await pass(.update)
    return state.withLock { state in
      guard let old = state.kept[response.key], old.head.id == response.id else { return false }
      var head = response
      head.bodyLength = old.head.bodyLength
      state.kept[response.key] = (head, old.body)
      state.updates += 1
      return true
    }
  }

  package func remove(_ key: StoredResponse.Key) async throws {
    state.withLock { _ = $0.kept.removeValue(forKey: key) }
  }

  package func removeAll() async throws { state.withLock { $0.kept = [:] } }

  private struct Reader: StoredResponseReader {
    let response: StoredResponse
    let body: Data
    let store: SlowStore

    func read(at offset: Int64) async throws -> Data {
      let failure = store.state.withLock { state in
        state.reads += 1
        return state.failure
      }
      if let failure, offset >= failure { throw Failure() }
      return body.dropFirst(Int(offset)).prefix(65_536)
    }
  }

  private final class Writer: StoredResponseWriter {
    private let head: StoredResponse
    private let store: SlowStore
    private let body = Locked(Data())

    init(_ head: StoredResponse, _ store: SlowStore) { (self.head, self.store) = (head, store) }

    func append(_ piece: Data) async throws {
      try await store.pass(.append)
      body.withLock { $0.append(piece) }
      store.state.withLock { $0.pieces += 1 }
    }

    func commit() async throws {
      try await store.pass(.commit)
      var head = head
      let body = body.withLock { $0 }
      head.bodyLength = Int64(body.count)
      store.state.withLock { [head] state in
        state.kept[head.key] = (head, body)
        state.commits += 1
      }
    }

    func abandon() async { store.state.withLock { $0.abandoned += 1 } }
  }
}
