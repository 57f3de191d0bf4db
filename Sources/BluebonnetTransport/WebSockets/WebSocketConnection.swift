// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetWebSocket

/// A WebSocket connection: the channel that an upgrade has handed over, and what RFC 6455 says on it as a value.
///
///     open ──close, or the peer's Close──▶ closing ──both sides have closed──▶ lingering ──the peer's end──▶ over
///       └────────┬────────────────────────────┘ │                                  ▲  └─patience, room end────▲
///                │                              └─patience ends────────────────────┤                         │
///                ├─a broken rule, cancel: a Close says so──────────────────────────┘                         │
///                └─the channel breaks, the stream ends without a Close, silence──────────────────────────────┘
///
/// The client hears of the end on the way to `lingering`, a state for the peer's sake: with unread bytes, closing a
/// socket is a reset, and may overtake the Close. The server ends the connection first (§7.1.1).
/// Touched only while the loop is held.
package final class WebSocketConnection {
  enum Phase {
    case open
    case closing
    case lingering
    case over
  }

  package let loop: EventLoop
  let channel: any Channel
  let settings: WebSocketSettings
  weak var client: (any WebSocketClient)?

  var phase = Phase.open
  var endpoint: WebSocketEndpoint
  /// Received and not looked at, because the client holds what comes back.
  var unread: [UInt8]
  /// Why nothing is read.
  var holds = Holds(rawValue: 0)
  var isReading = false
  var readsLater = false

  /// Bytes that the channel has taken, from the beginning.
  var left: UInt64 = 0
  /// Why nothing more can be sent.
  var sendFault: ChannelFault?
  var senders = FirstInFirstOut<Sender>()
  var pings = FirstInFirstOut<Ping>()
  var lastPing: UInt64 = 0

  /// Nil while nothing is to be sent, or the channel takes it.
  var stalledSince: MonotonicTime?
  var timer: TimerToken?
  var timerDeadline: MonotonicTime?
  /// Until when the peer may take to close.
  var closeDeadline: MonotonicTime?
  /// The number of bytes received since they are dropped.
  var lingered = 0

  /// A caller waiting for its message to leave.
  struct Sender {
    let end: UInt64
    let completion: (TransportError?) -> Void
  }

  /// A caller waiting for a pong.
  struct Ping {
    let number: UInt64
    let sent: MonotonicTime
    let completion: (TransportError?) -> Void
  }

  /// Takes the channel over. Nothing is read before `start`.
  package init(
    _ upgrade: ChannelUpgrade, agreement: WebSocketAgreement, settings: WebSocketSettings,
    client: any WebSocketClient
  ) {
    channel = upgrade.channel
    loop = upgrade.channel.loop
    unread = upgrade.unread
    self.settings = settings
    self.client = client
    endpoint = WebSocketEndpoint(
      .client, agreement: agreement, limits: settings.limits, using: KernelRandom())
    channel.owner = self
  }

  /// Begins to read, what came with the upgrade first. Not to be called from inside a read.
  package func start() { receive() }

  /// The limits for messages from the peer from now on.
  package var limits: WebSocketLimits {
    get { endpoint.limits }
    set { endpoint.limits = newValue }
  }

  /// Nothing more is told.
  package var isOver: Bool {
    switch phase {
    case .open, .closing: false
    case .lingering, .over: true
    }
  }
}

extension WebSocketConnection: ChannelOwner {
  package func channelIsReady(hasRoom: Bool) {
    if hasRoom { flush() }
    receive()
  }
}

// MARK: - Holding back

extension WebSocketConnection {
  /// Reads nothing until it is released. Bytes on their way stay in the kernel, and stop the peer.
  package func hold(_ reasons: Holds) { holds.formUnion(reasons) }

  /// Reads on if nothing else holds it back.
  package func release(_ reasons: Holds) {
    guard !holds.isEmpty else { return }
    holds.subtract(reasons)
    // Later, because this may be called from inside a read.
    if holds.isEmpty { receiveLater() }
  }
}
