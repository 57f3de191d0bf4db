import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetTLS

/// One connection of a route: a channel, the state of HTTP/1.1 as a value, and its client.
///
///     securing ──▶ evaluatingTrust ──▶ open ◀─▶ (request | idle) ──▶ closed
///         (plain connections start open)
///
/// Its owner gives it requests and takes it back (`serve`, `rest`, `close`); all other events come through
/// `step`. Its reports go to its client, or to its owner while there is none.
///
/// Bytes move in `+Receiving`, `+Sending`, `+Securing` and `+Pacing`; their meaning stands in `+Request` and
/// `+Response`. Touched only while the loop is held.
final class Connection {
  let loop: EventLoop
  let channel: any Channel
  /// Of the channel, if it is TLS; for what only TLS knows.
  let tls: TLSChannel?
  /// The channel stands on another: it keeps bytes that are to be sent, and takes memory to read into.
  let isLayered: Bool
  // Exclusivity goes unchecked at run time, a tenth of a small request: only the holder of the loop gets
  // here, and members changed in place are values that call no other code.
  @exclusivity(unchecked) var state: ConnectionState

  /// Takes the channel over, for a request that it is made for.
  ///
  /// - Parameter unread: The bytes received over the socket so far, which belong to TLS.
  init(
    owner: any ConnectionOwner, socket: any Channel, unread: [UInt8] = [], tls engine: TLSEngine?,
    http: HTTP1Exchange, facts: ConnectionFacts?, for client: any ConnectionClient
  ) {
    let tls = engine.map { TLSChannel($0, over: socket, unread: unread) }
    self.tls = tls
    channel = tls ?? socket
    isLayered = channel.layers > 0
    loop = socket.loop
    state = ConnectionState(owner: owner, phase: tls == nil ? .open : .securing, http: http, facts: facts)
    state.client = client
    channel.owner = self
    owner.connectionOpened()
  }

  var owner: any ConnectionOwner { state.owner }

  /// Another owner takes it over, while it is idle.
  func move(to owner: any ConnectionOwner) { state.owner = owner }

  /// The events of a connection, other than its owner's requests.
  enum Event {
    /// The channel may have something to read, or room.
    case ready(hasRoom: Bool)
    /// The next turn at reading, or at sending, after all work already queued.
    case turnToRead
    case turnToSend
    /// The request's body has bytes again, for a client that may have been served meanwhile.
    case bodyAtHand(any ConnectionClient)
    /// The server that was asked for a 100 has kept silent for long enough (RFC 9110 §10.1.1).
    case continueTimedOut
    /// The response's body may flow again.
    case resumed
    /// Bytes may have lain below a batch for long enough.
    case batchIsLate
    /// - Parameter asked: The client that was asked; a second answer is not for another one.
    case decided(TrustDecision, asked: any ConnectionClient)
    /// It is known what the server is told that asks for a certificate.
    case identified(CertificateAnswer, asked: any ConnectionClient)
  }

  func step(_ event: Event) {
    switch (event, state.phase) {
    case (.ready(let hasRoom), .open):
      if hasRoom { flush() }
      receive()
    case (.ready, .securing): secure()
    case (.turnToRead, let phase):
      state.readsLater = false
      if phase == .open { receive() }
    case (.turnToSend, let phase):
      state.sendsLater = false
      if phase == .open { flush() }
    case (.bodyAtHand(let client), .open): if state.client === client { flush() }
    case (.continueTimedOut, .open):
      guard state.http.awaitsContinue else { return }
      state.http.continueTimedOut()
      flush()
    case (.resumed, .open): resumeReading()
    case (.batchIsLate, .open): batchTimedOut()
    case (.decided(let decision, let asked), .evaluatingTrust):
      if state.client === asked { decided(decision) }
    // While a certificate is being evaluated, what comes stays in the kernel: an evaluator may take long.
    case (.ready, .evaluatingTrust), (.ready, .identifying): break
    case (.identified(let answer, let asked), .identifying):
      if state.client === asked { identified(answer) }
    // Events in the mailbox, or in other threads' hands, are not taken back when a connection closes or serves another client.
    case (_, .closed), (.decided, .open), (.bodyAtHand, .evaluatingTrust), (.resumed, .evaluatingTrust):
      break
    // One that speaks twice.
    case (.decided, .identifying), (.decided, .securing), (.identified, _): break
    case (.decided, _), (.bodyAtHand, _), (.resumed, _), (.continueTimedOut, _), (.batchIsLate, _):
      assertionFailure("\(event) in the phase \(state.phase)")
    }
  }

  /// No byte and no end waits on the socket: what comes next answers the next request.
  ///
  /// Asked of the kernel each time: what the loop saw last may be older than a response that was planted behind the
  /// previous one (RFC 9112 §9.2, §11.2), and a look costs less than a request to a server that has hung up.
  var isQuiet: Bool {
    state.phase == .open && state.unread.isEmpty && channel.isQuiet
  }

  /// Becomes idle.
  func rest() {
    endPace()
    state.stopServing()
  }

  /// Closes the channel; the client, if any, is no longer this connection's business.
  func close() {
    guard state.phase != .closed else { return }
    if isLayered, state.phase == .open {
      // Whether it still goes out does not matter.
      channel.notifyOfClose()
      _ = channel.flush()
    }
    leave()
    channel.close()
  }

  /// Gives the channel away, with the bytes received and not read.
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
    state.stopServing()
    owner.connectionClosed()
  }
}

extension Connection: ChannelOwner {
  func channelIsReady(hasRoom: Bool) { step(.ready(hasRoom: hasRoom)) }
}

extension Connection: Hashable {
  static func == (left: Connection, right: Connection) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
