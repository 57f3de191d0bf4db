// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetMessages

/// A response's body between the load that brings it and its reader, which sets the pace.
///
/// The load appends pieces, and holds the body back while the reader has more of them than it works off.
package final class BodyReader: Sendable {
  /// Unread bytes above which the body is held back, and below which it flows again. Less than one piece comes on top.
  package static let highWater = 512 * 1024
  package static let lowWater = 128 * 1024

  private struct State {
    var response: URLResponse?
    var pieces: [Data] = []
    /// The first of `pieces` that has not been read.
    var next = 0
    var unread = 0
    var isHeld = false
    var end: Result<Void, any Error>?
    var waiters: [CheckedContinuation<Void, Never>] = []
    /// Lets the body flow again.
    var release: (@Sendable () -> Void)?

    mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
      defer { waiters = [] }
      return waiters
    }
  }

  private let state = Locked(State())

  package init() {}

  // MARK: The load

  /// Sets the function that lets the body flow again once the reader has caught up.
  package func onCatchingUp(_ release: @escaping @Sendable () -> Void) {
    state.withLock { $0.release = release }
  }

  /// The reader has more in hand than it works off.
  package var isHeld: Bool { state.withLock { $0.isHeld } }

  package func respond(_ response: URLResponse) {
    wake { $0.response = response }
  }

  /// A piece of the body.
  ///
  /// - Returns: Whether the body is to be held back from now on.
  package func append(_ piece: Data) -> Bool {
    var isFull = false
    wake { state in
      state.pieces.append(piece)
      state.unread += piece.count
      if state.unread > Self.highWater { state.isHeld = true }
      isFull = state.isHeld
    }
    return isFull
  }

  /// The end, well if there is no error. Earlier bytes can still be read.
  package func finish(_ error: (any Error)?) {
    wake { state in
      state.end = error.map { .failure($0) } ?? .success(())
      state.release = nil
    }
  }

  private func wake(_ change: (inout State) -> Void) {
    let waiters = state.withLock { state in
      change(&state)
      return state.takeWaiters()
    }
    for waiter in waiters { waiter.resume() }
  }

  // MARK: The reader

  /// The head, as soon as it is there.
  ///
  /// - Throws: why there is none.
  package func response() async throws -> URLResponse {
    while true {
      let found = state.withLock { state -> Result<URLResponse, any Error>? in
        if let response = state.response { return .success(response) }
        return state.end.map { end in
          end.flatMap { .failure(URLError(.badServerResponse)) }
        }
      }
      if let found { return try found.get() }
      await wait { $0.response != nil || $0.end != nil }
    }
  }

  /// The next piece, never empty; nil at the end.
  package func next() async throws -> Data? {
    while true {
      if let piece = take() { return piece }
      if let end = state.withLock({ $0.next == $0.pieces.count ? $0.end : nil }) {
        try end.get()
        return nil
      }
      await wait { $0.next < $0.pieces.count || $0.end != nil }
    }
  }

  private func take() -> Data? {
    let (piece, release) = state.withLock { state -> (Data?, (@Sendable () -> Void)?) in
      var piece: Data?
      while piece == nil, state.next < state.pieces.count {
        let first = state.pieces[state.next]
        state.pieces[state.next] = Data()
        state.next += 1
        if !first.isEmpty { piece = first }
      }
      if state.next == state.pieces.count {
        state.pieces.removeAll(keepingCapacity: true)
        state.next = 0
      }
      state.unread -= piece?.count ?? 0
      guard state.isHeld, state.unread <= Self.lowWater else { return (piece, nil) }
      state.isHeld = false
      return (piece, state.release)
    }
    release?()
    return piece
  }

  private func wait(until isThere: (borrowing State) -> Bool) async {
    await withCheckedContinuation { continuation in
      let goesOn = state.withLock { state in
        if isThere(state) { return true }
        state.waiters.append(continuation)
        return false
      }
      if goesOn { continuation.resume() }
    }
  }
}
