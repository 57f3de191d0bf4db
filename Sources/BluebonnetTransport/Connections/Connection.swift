import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetTLS

/// One connection to an endpoint: a channel, what HTTP/1.1 says on it as a value, and the exchange it serves.
///
///     securing ──▶ evaluatingTrust ──▶ open ◀─▶ (exchange | idle) ──▶ closed
///         (plain connections start open)
///
/// Bytes move in `+Receiving`, `+Sending`, `+Securing` and `+Pacing`; what they mean stands in `+Request` and
/// `+Response`. Touched only while the loop is held.
final class Connection {
  let loop: EventLoop
  let group: EndpointGroup
  let channel: any Channel
  /// Of the channel, if it is TLS; for what only TLS knows.
  let tls: TLSChannel?
  // Exclusivity goes unchecked at run time, which is a tenth of a small request: only the holder of the loop gets
  // here, and what changes a member in place is a value that calls nobody back.
  @exclusivity(unchecked) var state: ConnectionState

  /// Takes the channel over.
  init(group: EndpointGroup, socket: SocketChannel, tls engine: TLSEngine?, facts: ConnectionFacts?) {
    let tls = engine.map { TLSChannel($0, over: socket) }
    self.tls = tls
    channel = tls ?? socket
    loop = group.pool.loop
    self.group = group
    let settings = group.pool.configuration
    state = ConnectionState(
      phase: tls == nil ? .open : .securing,
      http: HTTP1Exchange(mode: settings.parsing, limits: settings.parserLimits),
      facts: facts)
    channel.owner = self
    group.pool.opened()
  }

  /// Closes the channel; the exchange, if any, is no longer this connection's business.
  func close() {
    guard state.phase != .closed else { return }
    if let tls, state.phase == .open {
      // Whether it still goes out does not matter.
      tls.notifyOfClose()
      _ = tls.flush()
    }
    leave()
    channel.close()
  }

  /// Gives the channel away, with what was received and not read.
  func handOver(unread: [UInt8]) -> ChannelUpgrade {
    leave()
    channel.owner = nil
    return ChannelUpgrade(channel: channel, unread: unread)
  }

  /// Closed, as far as the connection goes.
  private func leave() {
    assert(state.phase != .closed, "a connection ends once")
    endPace()
    state.phase = .closed
    state.exchange = nil
    state.unread = []
    state.parsedBody = 0
    group.pool.closed()
  }
}

extension Connection: ChannelOwner {
  func channelIsReady(hasRoom: Bool) {
    if hasRoom, state.phase == .open { flush() }
    advance()
  }

  /// Goes on with whatever the connection is waiting to read.
  func advance() {
    switch state.phase {
    case .securing: secure()
    case .open: receive()
    // While a certificate is being evaluated, what comes stays in the kernel: an evaluator may take long.
    case .evaluatingTrust, .closed: break
    }
  }
}

extension Connection: Hashable {
  static func == (left: Connection, right: Connection) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
