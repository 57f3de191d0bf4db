// SPDX-License-Identifier: MIT

/// One side of an open WebSocket connection (RFC 6455 §5 to §7), with permessage-deflate (RFC 7692).
///
/// A value without socket, clock or lock, moved and not copied. Its two directions run independently; the
/// driver moves bytes between it and a stream, in any order and as slowly as it likes:
///
/// ```swift
/// var endpoint = WebSocketEndpoint(.client, agreement: agreement, using: random)
/// // Receiving: offer what has arrived to `receive(in:consumed:)` until it answers `.needsMore` or `.end`.
/// // Sending: `send`, `ping` and `close` write frames; send what `withOutgoing` lends and report it with `sent(_:)`.
/// ```
///
///     receiving   open ─(frames)*─ a Close ──────────────▶ closed(its code and reason)
///                   └─ a rule is broken, the stream ends ▶ failed(error)
///
///     sending     open ─(frames)*─ close(_:reason:), or a Close came, or receiving failed ─▶ closed
///                   │ ▲
///                   ▼ │ the last fragment
///                 inside a message
///
/// Pings are answered, a Close is, and a broken rule is told the peer by a Close of its own (§7.1.7): all of these wait
/// to be sent. When both directions are closed, and everything is sent, the stream may end; the server ends it
/// first (§7.1.1).
public struct WebSocketEndpoint: ~Copyable, Sendable {
  /// The side of the connection. A client masks its frames, and a server does not (§5.1).
  public enum Role: Sendable, Hashable {
    /// The side that opened the connection.
    case client
    /// The side that accepted it.
    case server
  }

  /// The next event on the receiving side.
  public enum Action: Sendable, Hashable {
    /// All input is taken. Offer more, or say that the stream has ended.
    case needsMore
    /// A message is complete: ``WebSocketEndpoint/withMessage(_:)`` lends it until more is received.
    case message(WebSocketMessageKind)
    /// A ping came; its pong waits to be sent.
    case ping([UInt8])
    /// A pong came, with what it carries; asked for or not (§5.5.3).
    case pong([UInt8])
    /// The peer's Close. The answer waits to be sent, unless this side had closed before.
    case close(WebSocketClose)
    /// The peer has closed: nothing of what comes is looked at.
    case end
  }

  enum Receiving: Sendable {
    case open
    case closed(WebSocketClose)
    case failed(WebSocketError)
  }

  enum Sending: Sendable {
    case open
    /// Between fragments of a message.
    case inside(WebSocketMessageKind, isCompressed: Bool)
    case closed
  }

  /// The side of the connection.
  public let role: Role
  /// The agreement of the opening handshake.
  public let agreement: WebSocketAgreement
  /// The limits for messages from the peer. May be changed at any time, and counts from the next frame on.
  public var limits: WebSocketLimits

  var receiving = Receiving.open
  var sending = Sending.open

  // What comes.
  var headerBytes = [14 of UInt8](repeating: 0)
  var headerCount = 0
  /// The frame that is being read.
  var frame: FrameHeader?
  /// The bytes missing of its payload.
  var remaining = 0
  var unmask: Mask?
  var control: [UInt8] = []
  var incoming: IncomingMessage?
  /// The last message, whole; or memory for the next one.
  var message: [UInt8] = []
  var inflater: MessageInflater?

  // What goes.
  var masks: MaskKeys
  var outgoing = OutgoingFrames()
  var outgoingText = TextCheck()
  var deflater: MessageDeflater?
  /// The answer to the last ping, where answers pile up.
  var latePong: [UInt8]?

  /// An open connection without any frame since the opening handshake.
  ///
  /// - Parameters:
  ///   - role: The side of the connection.
  ///   - agreement: The agreement of the handshake.
  ///   - limits: The limits for messages from the peer.
  ///   - random: The source of masking keys, an unpredictable one (RFC 6455 §10.3).
  public init(
    _ role: Role, agreement: WebSocketAgreement, limits: WebSocketLimits = WebSocketLimits(),
    using random: any RandomNumberGenerator & Sendable
  ) {
    self.role = role
    self.agreement = agreement
    self.limits = limits
    masks = MaskKeys(random)
  }

  /// The content of the peer's Close; nil as long as there was none.
  public var received: WebSocketClose? {
    if case .closed(let close) = receiving { close } else { nil }
  }

  /// Whether no more messages can be sent: this side's Close is sent, or waits to be.
  public var isClosing: Bool {
    if case .closed = sending { true } else { false }
  }

  /// Whether both sides have said that they close (§7.1.4).
  public var isClosed: Bool { isClosing && received != nil }
}
