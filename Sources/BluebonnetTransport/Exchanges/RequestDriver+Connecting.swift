// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetTLS

// The way to a connection.
extension RequestDriver {
  /// Asks for a connection, or waits for one.
  func acquire() {
    if !group.isKnown { state.group = group.pool.adopt(group) }
    switch group.acquire(for: self) {
    case .lease(let connection): connected(connection)
    case .stale: acquire()
    case .connect: connect()
    case .wait: wait()
    }
  }

  /// All connections the route may have are in use, or all that the session may have.
  private func wait() {
    state.stage = .waiting
    // A request that has to wait again keeps its place in time.
    if state.waitingSince == .distantFuture { state.waitingSince = loop.now }
    state.budget.begin(.waitingForConnection, at: state.waitingSince)
    armTimer()
  }

  /// The client's `ExchangeClient.urgency` has changed. The loop must be held.
  package func urgencyChanged() {
    if case .waiting = state.stage { group.reorder(self) }
  }

  /// A connection is made, or let in: it takes steps of its own.
  func setUp() -> ConnectionSetup {
    let setup = ConnectionSetup(
      for: request.encodedHead, in: group, isRooted: request.resolvesFromRoot,
      isIdentified: state.isIdentified, client: self)
    state.stage = .settingUp(setup)
    return setup
  }
}

extension RequestDriver: ConnectionWaiter {
  var waitingSince: MonotonicTime { state.waitingSince }

  /// Asked only while it waits for a connection, so that other requests do not pay for it.
  var urgency: Float? { state.client?.urgency }

  func connect() { setUp().connect() }

  func connected(_ connection: Connection) {
    if connection.tls != nil {
      let evaluator = trustEvaluator
      guard connection.isTrusted(by: evaluator) else { return setUp().evaluate(connection, by: evaluator) }
    }
    state.stage = .exchanging(connection)
    release(.trust)
    if isPaused { countHold() }
    connection.serve(self, request)
  }
}

// What becomes known while a connection is set up.
extension RequestDriver: ConnectionSetupClient {
  var trustEvaluator: AnyObject? { state.client?.trustEvaluator }

  func entered(_ phase: TransportError.Phase?) -> MonotonicTime? {
    if let phase { state.budget.begin(phase, at: loop.now) } else { state.budget.pause() }
    // Connecting looks after its own time.
    if phase != .connecting { armTimer() }
    return state.budget.deadline
  }

  func made(_ step: ConnectionStep) { state.metrics.note(step, at: loop.now) }

  func tunnelReceived(_ head: ResponseHead) {
    state.client?.exchange(self, didReceiveFromProxy: head)
  }

  func decide(_ question: ConnectionQuestion) {
    if case .trust = question { hold(.trust) }
    guard let client = state.client else { return question.refuse() }
    client.decide(question, for: self)
  }

  func isIdentified(in group: EndpointGroup, hasPlace: Bool) {
    state.isIdentified = true
    state.group = group
    if !hasPlace { lookAgain() }
  }

  /// As if it had not looked for a connection before.
  private func lookAgain() {
    state.stage = .initial
    release(.trust)
    acquire()
  }

  func waitsForDescriptor() -> Bool {
    guard group.connectLater(self, fresh: state.wasReplayed) else { return false }
    wait()
    return true
  }

  func wentStale(_ connection: Connection) {
    group.release(connection, .close(.peerEnded))
    // The request that takes its place may have ended this one.
    guard case .settingUp = state.stage else { return }
    if isBound { return fail(.noResponse) }
    state.waitingSince = .distantFuture
    lookAgain()
  }

  func setupFailed(_ failure: ConnectingFailure) {
    fail(failure.cause, during: failure.phase, isOfTarget: failure.isOfTarget)
  }
}

extension RequestDriver {
  /// The answer given, or to be given, to the server's request for a certificate; nil as long as it is not known to ask. The
  /// loop must be held.
  package var certificateAnswer: CertificateAnswer? { group.route.certificateAnswer }

  /// Whether an evaluator has let the server in that answers, although the default verification refuses it. The loop must be held.
  /// A question that comes too late is refused.
  package var isUnverified: Bool { servingConnection?.isUnverified ?? true }

  /// Whether it was this evaluator that has let it in. The loop must be held.
  package func wasTrusted(by evaluator: AnyObject) -> Bool {
    servingConnection?.isTrusted(by: evaluator) ?? false
  }

  var servingConnection: Connection? {
    if case .exchanging(let connection) = state.stage { connection } else { nil }
  }
}
