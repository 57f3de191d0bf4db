// SPDX-License-Identifier: MIT
extension HTTP1Exchange {
  /// The next action for the request to go on.
  @inlinable
  public var nextToSend: Sending {
    switch request {
    case .body where !outgoing.holdsPiece: .piece(atMost: bodyRemaining)
    case .body, .rest: .bytes
    case .waiting: outgoing.isEmpty ? .awaitsContinue : .bytes
    case .idle, .complete, .abandoned: .nothing
    }
  }

  /// The next bytes of the body are at hand, in memory that the caller keeps until they are sent: `outgoing` now goes
  /// over them, within their framing.
  ///
  /// - Parameters:
  ///   - count: How many. None is none: an empty chunk would be the last.
  ///   - isLast: Nothing comes behind them, so that the end of the body can go out with them. Default: false; a counted
  ///     body ends by itself.
  /// - Throws: `bodyTooLong` or `bodyTooShort` if the body is not as it was announced, and `outOfOrder` if no piece is
  ///   wanted now: all the caller's fault, and nothing has changed. A body that cannot be as announced has failed
  ///   (``bodyFailed()``).
  public mutating func lend(_ count: Int, isLast: Bool = false) throws(HTTP1Error) {
    guard request == .body, !outgoing.holdsPiece, count >= 0 else { throw Self.outOfOrder }
    guard count <= bodyRemaining else { throw HTTP1Error(.bodyTooLong, offset: 0, fault: .caller) }
    if isChunked {
      guard count > 0 || isLast else { return }
      outgoing.lendChunk(count, isLast: isLast)
      if isLast { request = .rest }
    } else {
      guard !isLast || count == bodyRemaining else {
        throw HTTP1Error(.bodyTooShort, offset: 0, fault: .caller)
      }
      outgoing.lend(count)
      bodyRemaining &-= count
      if bodyRemaining == 0 { request = .rest }
    }
  }

  /// The body has ended behind the bytes lent. A counted body that is complete may say so, but need not.
  ///
  /// - Throws: `bodyTooShort` if it was announced to be longer, `outOfOrder` if the last piece has not been sent or no
  ///   body is wanted now; both the caller's fault, and nothing has changed.
  public mutating func endBody() throws(HTTP1Error) {
    if !isChunked, bodyRemaining == 0, request == .rest || request == .complete { return }
    try lend(0, isLast: true)
  }

  /// The channel has taken the first `count` bytes of `outgoing`.
  ///
  /// - Returns: How many of them are content.
  /// - Throws: `outOfOrder`, the caller's fault, if there were not as many.
  @discardableResult
  public mutating func sent(_ count: Int) throws(HTTP1Error) -> Int {
    guard let ofPiece = outgoing.remove(count) else { throw Self.outOfOrder }
    if count > 0 { hasSentAny = true }
    if case .rest = request, outgoing.isEmpty { request = .complete }
    return ofPiece
  }

  /// The server that was asked for a 100 has been silent for long enough: the body goes out unasked
  /// (RFC 9110 §10.1.1). Has no effect if the body does not wait.
  public mutating func continueTimedOut() {
    if awaitsContinue { request = .body }
  }

  /// The channel takes no more. The server may have answered before that, so its response is read all the same
  /// (RFC 9112 §9.5); the connection is not used again. Has no effect once the request is complete.
  public mutating func sendingFailed() {
    abandon(.sendingFailed)
  }

  /// The caller cannot go on with the body. The request stays incomplete, which only the end of the connection can tell
  /// the server (RFC 9112 §8): from now on the answer is the end.
  ///
  /// - Returns: Why the connection must be closed: ``CloseReason/bodyFailed`` unless the exchange was over.
  @discardableResult
  public mutating func bodyFailed() -> CloseReason {
    stop(.bodyFailed)
  }
}
