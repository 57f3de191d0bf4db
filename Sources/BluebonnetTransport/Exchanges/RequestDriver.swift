import BluebonnetContentCoding
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetTLS

/// One request and its response, from the first look for a connection to the last byte.
///
///     start ─▶ waiting ─▶ connecting ─▶ securing ─▶ exchanging ─▶ finished
///                 └──────── an idle connection ────────▲  │
///                          stale before any byte: ◀───────┘ once, on a fresh connection
///
/// Unchecked because it is touched only while the loop is held; `start` and `cancel` see to that.
package final class Exchange: @unchecked Sendable {
  enum State {
    case initial
    case waiting
    case connecting(SocketConnector?)
    /// There was no descriptor to connect with, and other loops are asked for one.
    case awaitingDescriptor
    case securing(Connection)
    case exchanging(Connection)
    case finished
  }

  package let request: ExchangeRequest
  // Exclusivity goes unchecked at run time, which is a tenth of a small request: only the holder of the loop gets
  // here, and what changes a member in place is a value that calls nobody back.
  @exclusivity(unchecked) package internal(set) var metrics = ExchangeMetrics()
  /// Another one if it was forgotten before this exchange asked it for a connection.
  private(set) var group: EndpointGroup
  let loop: EventLoop
  @exclusivity(unchecked) var client: (any ExchangeClient)?
  @exclusivity(unchecked) var state = State.initial
  @exclusivity(unchecked) var budget: TimeBudget
  @exclusivity(unchecked) var timer: TimerToken?
  @exclusivity(unchecked) var timerDeadline: MonotonicTime?
  /// Whether the response's body flows.
  @exclusivity(unchecked) private var flow = BodyFlow()

  @exclusivity(unchecked) var decoding: BodyDecoding?
  @exclusivity(unchecked) var wasReplayed = false
  @exclusivity(unchecked) var continueTimer: TimerToken?
  /// The body source answered "later" and will signal.
  @exclusivity(unchecked) var bodyIsLate = false
  @exclusivity(unchecked) var upload = UploadMeter()
  @exclusivity(unchecked) var uploadTimer: TimerToken?
  /// Since when it has waited for a connection.
  @exclusivity(unchecked) var waitingSince = MonotonicTime.distantFuture
  /// It has a connection whose response is held back, and its group knows.
  @exclusivity(unchecked) private var isCountedAsHeld = false
  @exclusivity(unchecked) var sendError: SystemError?

  /// Where the connection goes when the response has ended, if not to the pool.
  @exclusivity(unchecked) var lease: ConnectionLease?
  /// It can be served over the connection of its lease only.
  let isBound: Bool

  /// - Parameter lease: The connection that it is to be sent over, of an exchange with the same route. If that has gone, it
  ///   fails with `.noResponse` and nothing of it is sent.
  package init(
    _ request: consuming ExchangeRequest, in pool: ConnectionPool, client: any ExchangeClient,
    over lease: ConnectionLease? = nil
  ) {
    self.client = client
    assert(lease.map { $0.group.route == request.route } ?? true, "a lease is for one route")
    self.lease = lease
    isBound = lease != nil
    group = lease?.group ?? pool.group(for: request.route)
    loop = pool.loop
    budget = TimeBudget(request.timeouts)
    self.request = request
  }

  /// What it is doing. The loop must be held.
  package var phase: TransportError.Phase { budget.phase }

  /// Begins. The loop must be held.
  package func start() {
    metrics.fetchStart = loop.now
    guard isBound else { return acquire() }
    guard group.route == request.route, let connection = lease?.take() else {
      return fail(.noResponse, during: .waitingForConnection)
    }
    connected(connection)
  }

  /// Keeps the connection back for a further exchange, which has to be begun over the lease. To be asked for before the
  /// response has ended; it is there when that has been told. The loop must be held.
  package func leaseConnection() -> ConnectionLease {
    if let lease { return lease }
    let made = ConnectionLease(of: group)
    lease = made
    return made
  }

  /// Asks for a connection, or waits for one.
  func acquire() {
    if !group.isKnown { group = group.pool.adopt(group) }
    group.acquire(for: self)
  }

  /// Asked only while both wait for a connection, so that nobody else pays for it.
  func isMoreUrgent(than other: Exchange) -> Bool {
    guard let client, let others = other.client else { return false }
    return client.urgency > others.urgency
  }

  /// Ends it now, with `.cancelled`. The loop must be held; safe after the end.
  package func cancel() {
    fail(.cancelled)
  }

  /// The response's body does not flow, for whatever reason.
  package var isPaused: Bool { flow.isHeld }

  /// Holds the response's body back. The loop must be held.
  package func hold(_ reasons: Holds) {
    guard flow.hold(reasons) else { return }
    budget.hold()
    countHold()
  }

  /// Tells the group whether a connection of its is held by a response that does not flow.
  func countHold() {
    let holds = if case .exchanging = state { isPaused } else { false }
    guard holds != isCountedAsHeld else { return }
    isCountedAsHeld = holds
    group.heldBack += holds ? 1 : -1
  }

  /// Lets the response's body flow again if nothing else holds it back. The loop must be held.
  package func release(_ reasons: Holds) {
    guard flow.release(reasons) else { return }
    // Later, because this may be called from inside a read. Until then nobody may read on: what was held back comes
    // before anything that is still in the socket, its end included.
    loop.enqueue { [self] in flowAgain() }
  }

  /// While body bytes are being delivered: lets the client keep the memory they are in. Nil if it had better copy.
  package func retainBuffer(for bytes: UnsafeRawBufferPointer) -> RetainedBuffer? {
    group.pool.retainBuffer(for: bytes)
  }

  private func flowAgain() {
    guard flow.resume() else { return }
    countHold()
    if case .finished = state { return }
    budget.release(at: loop.now)
    armTimer()
    guard case .exchanging(let connection) = state else { return }
    if decoding != nil { decodePending() }
    guard !isPaused, case .exchanging = state else { return }
    connection.resumeReading()
  }
}

extension Exchange: Hashable {
  package static func == (left: Exchange, right: Exchange) -> Bool { left === right }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
