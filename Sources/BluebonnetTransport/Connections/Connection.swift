// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetTLS

/// One connection of a route, over which HTTP/1.1 may be spoken: a channel, the state of HTTP/1.1 as a value, and its client.
///
///     open ◀─▶ (request | idle) ──▶ closed
///
/// Its owner gives it requests and takes it back (`serve`, `rest`, `close`); all other events come through
/// `step`. Its reports go to its client, or to its owner while there is none.
///
/// Bytes move in `+Receiving`, `+Sending` and `+Pacing`; their meaning stands in `+Request` and `+Response`. Touched only while the loop is held.
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

  /// Takes the channel over.
  ///
  /// - Parameter tls: The channel itself, if it is TLS.
  init(
    owner: any ConnectionOwner, channel: any Channel, tls: TLSChannel?, http: HTTP1Exchange,
    facts: ConnectionFacts?
  ) {
    self.tls = tls
    self.channel = channel
    isLayered = channel.layers > 0
    loop = channel.loop
    state = ConnectionState(owner: owner, http: http, facts: facts)
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
    /// The request's body has bytes again, or is held back no more, for a client that may have been served meanwhile.
    case bodyAtHand(any ConnectionClient)
    /// The server that was asked for a 100 has kept silent for long enough (RFC 9110 §10.1.1).
    case continueTimedOut
    /// The response's body may flow again.
    case resumed
    /// Bytes may have lain below a batch for long enough.
    case batchIsLate
  }

  func step(_ event: Event) {
    // Events in the mailbox are not taken back when a connection closes or serves another client.
    guard state.isOpen else { return }
    switch event {
    case .ready(let hasRoom):
      if hasRoom { flush() }
      receive()
    case .turnToRead:
      state.readsLater = false
      receive()
    case .turnToSend:
      state.sendsLater = false
      flush()
    case .bodyAtHand(let client): if state.client === client { flush() }
    case .continueTimedOut:
      state.continueTimer = nil
      guard state.http.awaitsContinue else { return }
      state.http.continueTimedOut()
      flush()
    case .resumed: resumeReading()
    case .batchIsLate: batchTimedOut()
    }
  }

  /// No byte and no end waits on the socket: what comes next answers the next request.
  ///
  /// Asked of the kernel each time: what the loop saw last may be older than a response that was planted behind the
  /// previous one (RFC 9112 §9.2, §11.2), and a look costs less than a request to a server that has hung up.
  var isQuiet: Bool {
    state.isOpen && state.unread.isEmpty && channel.isQuiet
  }

  /// It has not ended since it was made or was idle, nor was it spoken on out of turn.
  var mayServe: Bool { state.isOpen && (state.served == 0 || isQuiet) }

  var facts: ConnectionFacts? { state.facts }

  /// Although the default verification refuses the server, an evaluator has let it in.
  var isUnverified: Bool { state.isUnverified }

  /// Whether this evaluator has let the server in.
  func isTrusted(by evaluator: AnyObject?) -> Bool {
    state.evaluator?.isBy(evaluator) ?? false
  }

  func letIn(by evaluator: EvaluatorReference, isUnverified: Bool) {
    state.evaluator = evaluator
    state.isUnverified = isUnverified
  }

  /// Becomes idle.
  func rest() { stopServing() }

  private func stopServing() {
    endPace()
    if let timer = state.continueTimer.take() { loop.cancel(timer) }
    state.stopServing()
  }

  /// Closes the channel; the client, if any, is no longer this connection's business.
  func close() {
    guard state.isOpen else { return }
    if isLayered {
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
    assert(state.isOpen, "a connection ends once")
    stopServing()
    state.isOpen = false
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

extension Connection {
  /// The channel has been drained, lastly of `count` bytes.
  func drained(_ count: Int) {
    // A head comes at once or not; a paused body is not waited for.
    guard state.hasHead, let client = state.client, !client.isPaused else { return }
    // A chunk's end is known, but not the body's.
    let remaining = state.http.contentLength == nil ? nil : state.http.bytesExpected
    perform(state.pace.drained(count, remaining: remaining, at: loop.now))
  }

  /// Goes back to reading every byte as it comes, if it was not so.
  func endPace() {
    perform(state.pace.end())
  }

  private func perform(_ action: ReadPace.Action) {
    switch action {
    case .none: break
    case .batch:
      channel.setReceiveLowWater(ReadPace.batch)
      look(at: MonotonicTime(nanoseconds: loop.now.nanoseconds &+ ReadPace.patience))
    case .eager:
      channel.setReceiveLowWater(1)
      if let timer = state.paceTimer.take() { loop.cancel(timer) }
    case .look(let moment): look(at: moment)
    }
  }

  private func look(at moment: MonotonicTime) {
    // Taken back when batching ends, which it does before the connection closes or rests.
    state.paceTimer = loop.schedule(at: moment) { self.step(.batchIsLate) }
  }

  func batchTimedOut() {
    state.paceTimer = nil
    let action = state.pace.waited(until: loop.now)
    perform(action)
    // What lies below a batch has raised no edge.
    if action == .eager { receive() }
  }
}
