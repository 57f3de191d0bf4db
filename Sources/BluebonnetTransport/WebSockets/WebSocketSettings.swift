import BluebonnetWebSocket

/// What a WebSocket connection keeps to, beyond what was agreed on.
package struct WebSocketSettings: Sendable, Hashable {
  /// What is taken from the peer.
  package var limits: WebSocketLimits
  /// How long nothing may move of what is to be sent, and a ping may stay without its pong, in nanoseconds; nil for as long
  /// as it takes.
  package var silence: UInt64?
  /// How long the peer may take to answer a Close, and then to end the connection, in nanoseconds. 10 s, as Python's
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
