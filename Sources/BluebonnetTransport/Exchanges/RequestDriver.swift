// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetTLS

/// Takes one request to its response, from the first look for a connection to the last byte.
///
///     start ─▶ waiting ─▶ settingUp ─▶ exchanging ─▶ finished
///                 └── an idle connection ──▲  │
///              stale before any byte: ◀───────┘ once, on a fresh connection
///
/// It asks its group for a connection, has one set up if there is none, and tells the connection what to do; all of them know it
/// by a protocol only, through which they report events (`ConnectionWaiter`, `ConnectionSetupClient`, `ConnectionClient`).
///
/// Unchecked because it is touched only while the loop is held; `start` and `cancel` see to that.
package final class RequestDriver: @unchecked Sendable {
  package let request: ExchangeRequest
  let loop: EventLoop
  /// It can be served over the connection of its lease only.
  let isBound: Bool
  // Exclusivity goes unchecked at run time, a tenth of a small request: only the holder of the loop gets
  // here, and members changed in place are values that call no other code.
  @exclusivity(unchecked) var state: RequestDriverState

  /// - Parameter lease: The connection that it is to be sent over, of a request with the same route. If that has gone, it
  ///   fails with `.noResponse` and nothing of it is sent.
  package init(
    _ request: consuming ExchangeRequest, in pool: borrowing ConnectionPool, client: any ExchangeClient,
    over lease: ConnectionLease? = nil
  ) {
    assert(lease.map { $0.group.route == request.route } ?? true, "a lease is for one route")
    isBound = lease != nil
    loop = pool.loop
    state = RequestDriverState(
      client: client, group: lease?.group ?? pool.group(for: request.route), lease: lease,
      timeouts: request.timeouts)
    if let answer = request.route.certificateAnswer { state.isIdentified = !answer.isForeseen }
    self.request = request
  }

  /// Reads the times of the steps so far, and the counts of bytes. The loop must be held until the exchange has finished.
  // An accessor that yields them would take memory from the heap.
  package func withMetrics<Result>(_ use: (borrowing ExchangeMetrics) -> Result) -> Result {
    use(state.metrics)
  }

  /// All of the request has been sent. The loop must be held.
  package var isSent: Bool { state.metrics.requestEnd != nil }

  /// The bytes of the response's body that have come so far. The loop must be held.
  package var responseBodyBytes: Int { state.metrics.responseBodyBytes }

  /// The current phase. The loop must be held.
  package var phase: TransportError.Phase { state.budget.phase }

  var group: EndpointGroup { state.group }

  /// Begins. The loop must be held.
  package func start() {
    // Cancelled before it began.
    if case .finished = state.stage { return }
    state.metrics.fetchStart = loop.now
    guard isBound else {
      // A server that is known to ask for a certificate is answered first.
      if !state.isIdentified, let asked = group.certificateRequest(for: trustEvaluator) {
        return setUp().identify(to: asked)
      }
      return acquire()
    }
    guard let lease = state.lease, lease.group.route == request.route, let connection = lease.take() else {
      return fail(.noResponse, during: .waitingForConnection)
    }
    // The connection's group, perhaps another than the lease's when this request was made.
    state.group = lease.group
    connected(connection)
  }

  /// Keeps the connection back for a further request, to be begun over the lease. Must be called before the
  /// response has ended; it is there when that has been told. The loop must be held.
  package func leaseConnection() -> ConnectionLease {
    if let lease = state.lease { return lease }
    let made = ConnectionLease(of: group)
    state.lease = made
    return made
  }

  /// Ends it now, with `.cancelled`. The loop must be held; safe after the end.
  package func cancel() {
    fail(.cancelled)
  }

  /// The response's body does not flow, for whatever reason.
  package var isPaused: Bool { state.flow.isHeld }

  /// The caller has suspended the task: nothing of the request's body is sent either.
  var isSuspended: Bool { state.flow.holds.contains(.caller) }

  /// Holds the response's body back, and the request's if the task is suspended. The loop must be held.
  package func hold(_ reasons: Holds) {
    guard state.flow.hold(reasons) else { return }
    state.budget.hold()
    countHold()
  }

  /// Tells the group whether a connection of its is held by a response that does not flow.
  func countHold() {
    let holds = if case .exchanging = state.stage { isPaused } else { false }
    guard holds != state.isCountedAsHeld else { return }
    state.isCountedAsHeld = holds
    group.heldBack += holds ? 1 : -1
  }

  /// Lets the request's body flow again, and the response's if nothing else holds it back. The loop must be held.
  package func release(_ reasons: Holds) {
    if isSuspended, reasons.contains(.caller) {
      loop.enqueue { [self] in if !isSuspended { servingConnection?.step(.bodyAtHand(self)) } }
    }
    guard state.flow.release(reasons) else { return }
    // Later, because this may be called from inside a read. Until then nothing may be read: the bytes held back come
    // before anything that is still in the socket, its end included.
    loop.enqueue { [self] in flowAgain() }
  }

  /// While body bytes are being delivered: lets the client keep the memory they are in. Nil if it had better copy.
  package func retainBuffer(for bytes: UnsafeRawBufferPointer) -> RetainedBuffer? {
    ReceiveBuffer.isWorthKeeping(bytes.count) ? group.pool.retainBuffer(for: bytes) : nil
  }

  private func flowAgain() {
    guard state.flow.resume() else { return }
    countHold()
    if case .finished = state.stage { return }
    state.budget.release(at: loop.now)
    armTimer()
    guard case .exchanging = state.stage else { return }
    if state.decoding != nil { decodeRest() }
    if !isPaused { servingConnection?.step(.resumed) }
  }
}

// What the connection tells of the request.
extension RequestDriver: ConnectionClient {
  func requestStarts(headBytes: Int, reused: Bool) {
    guard case .exchanging(let connection) = state.stage else { return }
    if reused { state.metrics.reuse(connection.facts) }
    state.metrics.requestStart = loop.now
    state.metrics.requestHeadBytes = headBytes
    if request.tellsHead {
      state.client?.exchange(self, didSend: request.head, over: connection.facts, isReused: reused)
    }
    begin(.sending)
    if case .source(let source) = request.body { state.upload.begin(length: source.length) }
  }

  func sentAny() {
    // Also behind a 100 or the beginning of an early response.
    state.budget.progress(at: loop.now)
  }

  func requestEnded() {
    state.metrics.requestEnd = loop.now
    if state.upload.isMeasured {
      measureUpload()
      // What lies in this machine's kernel has not been sent, as far as the peer is concerned.
      guard !state.upload.isOutstanding else { return }
    }
    if !state.budget.phase.isReceiving { begin(.waiting) }
  }
}

// Content codings are undone on the way.
extension RequestDriver {
  /// Goes on where a hold stopped.
  func decodeRest() {
    guard var rest = state.decoding?.rest.take() else { return }
    if !rest.lend(to: { decode(from: &$0) }) { state.decoding?.rest = rest }
  }

  /// - Returns: false if it was stopped, and there may be more to come.
  func decode(from input: inout UnsafeRawBufferPointer) -> Bool {
    guard let decoding = state.decoding else { return true }
    do throws(ContentCodingError) {
      let progress = try decoding.decode(from: &input) { piece in
        deliver(piece)
        // The client may hold the body back, or end the request.
        return !isPaused && state.decoding != nil
      }
      if progress == .turnIsOver {
        // After all work already queued.
        hold(.turn)
        release(.turn)
      }
      return progress == .done
    } catch {
      fail(.coding(error))
      return true
    }
  }
}
