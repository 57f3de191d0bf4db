// SPDX-License-Identifier: MIT

/// The time that each phase of an exchange may take, in nanoseconds; nil means without limit.
package struct Timeouts: Sendable, Equatable {
  /// Until a connection that others use is free, or there is room for a new one.
  package var waiting: UInt64?
  /// Name lookup and connecting together.
  package var connect: UInt64?
  package var handshake: UInt64?
  /// The time that the application may take to evaluate the server's trust.
  package var trustEvaluation: UInt64?
  /// The longest stall while the request is being sent.
  package var sending: UInt64?
  /// From the last request byte to the first response byte.
  package var firstByte: UInt64?
  /// The longest silence inside a response.
  package var betweenBytes: UInt64?

  package init(
    waiting: UInt64? = nil, connect: UInt64? = nil, handshake: UInt64? = nil, trustEvaluation: UInt64? = nil,
    sending: UInt64? = nil, firstByte: UInt64? = nil, betweenBytes: UInt64? = nil
  ) {
    self.waiting = waiting
    self.connect = connect
    self.handshake = handshake
    self.trustEvaluation = trustEvaluation
    self.sending = sending
    self.firstByte = firstByte
    self.betweenBytes = betweenBytes
  }

  /// One silence limit for every phase, the meaning of a URL request's `timeoutInterval`.
  package init(everyPhase limit: UInt64?) {
    self.init(
      waiting: limit, connect: limit, handshake: limit, trustEvaluation: limit, sending: limit,
      firstByte: limit,
      betweenBytes: limit)
  }
}
