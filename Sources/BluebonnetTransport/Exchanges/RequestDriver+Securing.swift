import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetTLS

extension RequestDriver {
  /// Whether an evaluator has let the server in that answers, although the default verification refuses it. The loop must be held.
  package var isUnverified: Bool {
    // A question that comes too late is refused.
    guard case .exchanging(let connection) = state.stage else { return true }
    return connection.state.isUnverified
  }

  /// Whether it was this evaluator that has let it in. The loop must be held.
  package func wasTrusted(by evaluator: AnyObject) -> Bool {
    guard case .exchanging(let connection) = state.stage else { return false }
    return connection.isTrusted(by: evaluator)
  }
}

// What the connection tells before it can be used.
extension RequestDriver: ConnectionClient {
  var trustEvaluator: AnyObject? { state.client?.trustEvaluator }

  func secured(by tls: TLSEngine, _ facts: ConnectionFacts) {
    state.metrics.secureEnd = loop.now
    state.metrics.connection = facts
    state.metrics.resumedSession = tls.wasResumed
  }

  func evaluate(
    _ trust: ServerTrust, by evaluator: AnyObject?, decision: @escaping @Sendable (TrustDecision) -> Void
  ) {
    // The time of the application's code from here on, but it counts against the request like all other time.
    state.budget.begin(.evaluatingTrust, at: loop.now)
    armTimer()
    hold(.trust)
    guard let client = state.client else { return decision(.reject) }
    client.exchange(self, evaluate: trust, by: evaluator, decision: decision)
  }

  func trusted() {
    guard case .securing(let connection) = state.stage else { return }
    connected(connection)
  }

  /// The connection did not outlast its second evaluation.
  func wentStale() {
    guard case .securing(let connection) = state.stage else { return }
    if isBound { return fail(.noResponse) }
    state.stage = .initial
    state.waitingSince = .distantFuture
    release(.trust)
    group.release(connection, .close(.peerEnded))
    acquire()
  }

  func failed(_ cause: TransportError.Cause) {
    fail(cause)
  }

  func refused(_ cause: TransportError.Cause) {
    fail(cause, during: .securing)
  }
}
