// SPDX-License-Identifier: MIT
import BluebonnetWebSocket

/// The settings of a WebSocket connection, besides those agreed on.
package struct WebSocketSettings: Sendable, Hashable {
  /// The limits for messages from the peer.
  package var limits: WebSocketLimits
  /// The time without any progress of bytes to be sent, and for a pong to arrive, in nanoseconds; nil for as long
  /// as it takes.
  package var silence: UInt64?
  /// The time that the peer may take to answer a Close, and then to end the connection, in nanoseconds. 10 s, as Python's
  /// `websockets` has it; the `ws` of Node.js waits 30 s, browsers 2 to 10 s.
  package var closePatience: UInt64

  package init(
    limits: WebSocketLimits = WebSocketLimits(), silence: UInt64? = nil,
    closePatience: UInt64 = 10_000_000_000
  ) {
    self.limits = limits
    self.silence = silence
    self.closePatience = closePatience
  }
}
