import BluebonnetAuthentication
import BluebonnetSemantics
import BluebonnetTransport

/// One load's dealings with an origin, or a proxy, that requires authentication. Loads that are never asked have none.
///
/// Touched only while the loop is held.
final class LoadAuthentication {
  var machine: HTTPAuthentication
  /// The cache for this load alone, because its credential is not to be kept; nil where the session's is used.
  var ownMemory: SharedAuthenticationCache?
  /// The connection that the steps are bound to.
  var lease: ConnectionLease?
  /// The next step goes over it, and over no other.
  var isBound = false
  /// The request's content was held back: nothing has been read from it.
  var contentIsUnread = false
  /// The answer, to be stored once it has been accepted.
  var answered: (credential: URLCredential, space: URLProtectionSpace)?

  init(_ machine: HTTPAuthentication) { self.machine = machine }

  /// The answer cannot be given.
  func takeBackAnswer() {
    machine.takeBackAnswer()
    answered = nil
    isBound = false
  }

  /// Has a request go over a connection that is authenticated already with its identity, if there is one.
  ///
  /// - Parameter mayRely: The request is all there, and the connection may have no other identity.
  func overProvedConnection(
    _ request: ExchangeRequest, mayRely: Bool, in pool: ConnectionPool
  ) -> ExchangeRequest {
    guard mayRely, !isBound, ownMemory == nil, let identity = machine.wantedIdentity,
      pool.hasIdle(request.route, standingFor: identity)
    else {
      machine.useAuthenticatedConnection(false)
      return request
    }
    machine.useAuthenticatedConnection(true)
    return request.standing(for: identity)
  }

  /// The connection is authenticated: other requests of its identity may use it once the response has ended.
  ///
  /// - Parameter isAlone: It has no other identity as well.
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
