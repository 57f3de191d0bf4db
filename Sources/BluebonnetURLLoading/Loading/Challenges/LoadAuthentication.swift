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

  /// Keeps the connection that the steps are bound to.
  func keepConnection(of exchange: RequestDriver) {
    guard machine.isBoundToConnection else { return }
    let kept = exchange.leaseConnection()
    kept.isExclusive = true
    lease = kept
  }
}
