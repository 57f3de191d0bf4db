// SPDX-License-Identifier: MIT

/// A request's body, as the transport pulls it.
package enum RequestBody: Sendable {
  case none
  case source(any BodySource)
}

extension RequestBody {
  /// Whether it could be sent once more from its beginning.
  var isReplayable: Bool {
    switch self {
    case .none: true
    case .source(let source): source.canRewind
    }
  }
}

/// Produces a request body piece by piece. Called while the loop is held; must not block.
package protocol BodySource: AnyObject, Sendable {
  /// The exact number of bytes, or nil when unknown (then the body goes out chunked).
  var length: Int? { get }

  /// Lends the next bytes at hand to `use`, which takes as many as it likes from the front and returns their number.
  /// The rest is lent again, at the same place, perhaps with more behind it.
  ///
  /// - Parameter use: Called once if there is anything, otherwise not at all. The memory is lent for the call only.
  func lend(to use: (UnsafeRawBufferPointer) -> Int) -> BodyReading

  /// Whether `rewind` would work now. Default: true.
  var canRewind: Bool { get }

  /// Why it can be sent once only, as a clause about it: "it comes from …"; nil if it can be sent again. Default: nil.
  var replayObstacle: String? { get }

  /// Starts again from the first byte, for a retry on a fresh connection or a redirect.
  ///
  /// - Returns: false when the source cannot be replayed.
  func rewind() -> Bool

  /// Called once before anything is lent; `signal` tells the transport that a source that answered
  /// `.later` has bytes again, from any thread.
  func attach(signal: @escaping @Sendable () -> Void)

  /// Lets go of the signal: the exchange is over.
  func detach()
}

/// A body source's answer.
package enum BodyReading: Sendable {
  /// Bytes were lent.
  case lent
  /// Nothing yet; the source will signal.
  case later
  case end
  /// It cannot be had: why, in words, and the caller's error behind it, if there is one.
  case failed(String, cause: (any Error)? = nil)
}

extension BodySource {
  package var canRewind: Bool { true }
  package var replayObstacle: String? { nil }
  package func attach(signal: @escaping @Sendable () -> Void) {}
  package func detach() {}
}
