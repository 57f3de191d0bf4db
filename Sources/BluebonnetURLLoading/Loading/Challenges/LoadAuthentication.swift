import BluebonnetAuthentication
import BluebonnetSemantics
import BluebonnetTransport

/// What a load has to do with an origin, or a proxy, that wants to know who asks. Loads that are never asked have none.
///
/// Touched only while the loop is held.
final class LoadAuthentication {
  var machine: HTTPAuthentication
  /// What is known for this load alone, because its credential is not to be kept; nil where the session's is used.
  var ownMemory: ProofMemory?
  /// The connection that the steps are bound to.
  var lease: ConnectionLease?
  /// The next step goes over it, and over no other.
  var isBound = false
  /// The request's content was held back: nobody has read from it.
  var contentIsUnread = false
  /// What was answered, to be stored once it has proved right.
  var answered: (credential: URLCredential, space: URLProtectionSpace)?

  init(_ machine: HTTPAuthentication) { self.machine = machine }

  /// What was answered cannot be proved.
  func takeBackAnswer() {
    machine.takeBackAnswer()
    answered = nil
    isBound = false
  }

  /// Has a request go over a connection that has been proved already to stand for who asks, if there is one.
  ///
  /// - Parameter mayRely: The request is all there, and the connection has to stand for nobody else.
  func overProvedConnection(
    _ request: ExchangeRequest, mayRely: Bool, in pool: ConnectionPool
  ) -> ExchangeRequest {
    guard mayRely, !isBound, ownMemory == nil, let identity = machine.wantedIdentity,
      pool.hasIdle(request.route, standingFor: identity)
    else {
      machine.relyOnNothing()
      return request
    }
    machine.relyOnConnection()
    return request.standing(for: identity)
  }

  /// The response has proved for whom the connection stands: others of theirs may use it once it has ended.
  ///
  /// - Parameter isAlone: It has been proved for nobody else as well.
  func passConnectionOn(isAlone: Bool) {
    if ownMemory == nil, isAlone { lease?.identity = machine.proved }
  }

  /// The response has ended.
  func letGoOfConnection() {
    if lease?.identity != nil { lease.take()?.giveBack() }
  }

  /// Keeps the connection that the steps are bound to.
  func keepConnection(of exchange: RequestDriver) {
    guard machine.isBoundToConnection else { return }
    let kept = exchange.leaseConnection()
    kept.isExclusive = true
    kept.identity = nil
    lease = kept
  }
}
