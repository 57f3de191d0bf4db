import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetTLS

/// One connection to an endpoint: socket, TLS engine if any, and the exchange it serves.
///
///     securing ──▶ judging ──▶ open ◀─▶ (exchange | idle) ──▶ closed
///         (plain connections start open)
///
/// Touched only while the loop is held.
final class Connection: ReadinessHandler {
  enum State {
    /// The TLS handshake is under way.
    case securing
    /// The handshake is done; the server's certificate awaits its verdict.
    case judging
    case open
    case closed
  }

  let loop: EventLoop
  let group: EndpointGroup
  // Exclusivity goes unchecked at run time, which is a tenth of a small request: only the holder of the loop gets
  // here, and what changes a member in place is a value that calls nobody back.
  /// Owns the descriptor; nil once closed.
  @exclusivity(unchecked) private var socket: FileDescriptor?
  let descriptor: Int32
  let tls: TLSEngine?
  @exclusivity(unchecked) var state: State
  /// The exchange this connection is being made for or serves; nil while idle.
  @exclusivity(unchecked) var exchange: Exchange?
  @exclusivity(unchecked) var registration: Registration?
  /// The socket may have bytes: set by an edge, cleared by a short or blocked read.
  @exclusivity(unchecked) var isReadable = false
  /// The next turn at reading, or at sending, is in the loop's mailbox.
  @exclusivity(unchecked) var readsLater = false
  @exclusivity(unchecked) var sendsLater = false
  /// The peer will send no more than what is already here.
  @exclusivity(unchecked) var peerHungUp = false
  @exclusivity(unchecked) var outgoing = OutgoingBuffer()
  /// Response bytes behind which more are needed before they mean something.
  @exclusivity(unchecked) var unread: [UInt8] = []
  /// How many of them, at their front, are body that the parser has seen.
  @exclusivity(unchecked) var parsedBody = 0
  @exclusivity(unchecked) var parser: ResponseParser
  @exclusivity(unchecked) var framing: BodyFraming?
  @exclusivity(unchecked) var isRequestSent = true
  @exclusivity(unchecked) var pace = ReadPace()
  @exclusivity(unchecked) var paceTimer: TimerToken?
  @exclusivity(unchecked) var served = 0
  @exclusivity(unchecked) var facts: ConnectionFacts?
  /// By whom the server was let in, under the name that the group's endpoint has.
  @exclusivity(unchecked) var judgement: Judgement?

  /// Takes the socket over; nil if somebody else has.
  init?(
    group: EndpointGroup, socket: ConnectedSocket, tls: TLSEngine?, facts: ConnectionFacts?
  ) {
    guard let owned = socket.take() else { return nil }
    descriptor = owned.rawValue
    self.socket = consume owned
    self.group = group
    let settings = group.pool.configuration
    parser = ResponseParser(toMethod: .ordinary, mode: settings.parsing, limits: settings.parserLimits)
    self.loop = group.pool.loop
    self.tls = tls
    self.state = tls == nil ? .open : .securing
    self.facts = facts
  }

  func register() throws(SystemError) {
    registration = try loop.register(descriptor, handler: self)
    group.pool.opened()
  }

  func ready(_ readiness: Readiness) {
    if readiness.contains(.hangup) || readiness.contains(.error) { peerHungUp = true }
    if readiness.contains(.readable) || peerHungUp { isReadable = true }
    if readiness.contains(.writable), state != .closed { flush() }
    if isReadable, state != .closed { receive() }
  }

  /// Closes the socket; the exchange, if any, is no longer this connection's business.
  func close() {
    guard state != .closed else { return }
    endPace()
    if let tls, state == .open {
      // RFC 8446 §6.1: say that we will send no more; whether it still goes out does not matter.
      tls.shutdown()
      _ = Syscall.send(descriptor, tls.output)
    }
    state = .closed
    exchange = nil
    if let registration {
      loop.deregister(registration)
      self.registration = nil
      group.pool.closed()
    }
    socket = nil
    outgoing.reset()
    unread = []
    parsedBody = 0
  }
}

extension Connection: Hashable {
  static func == (left: Connection, right: Connection) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
