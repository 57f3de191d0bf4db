import BluebonnetAuthentication
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetProxies
import BluebonnetSemantics

/// Whom a tunnel is made for, and who is told how that goes, always while the loop is held.
protocol TunnelClient: AnyObject {
  /// What it is doing now; each time begins anew for a time-out. Nil while it waits for what only the caller can tell.
  ///
  /// - Returns: Until when it may take.
  func tunnelEntered(_ phase: LoadingPhase?) -> MonotonicTime?
  /// A head that answers CONNECT, an interim one included.
  func tunnelReceived(_ head: ResponseHead)
  /// The proxy wants to know who is asking. Whoever has no answer lets the refusal stand.
  func tunnelIsAsked(
    _ challenge: ProxyChallenge, in head: ResponseHead, answer: @escaping @Sendable (ProxyAnswer?) -> Void)
  /// The last call.
  func tunnelEnded(_ result: Result<OpenTunnel, TunnelFailure>, _ timestamps: ConnectTimestamps)
}

/// A channel that leads to the target, and what has come over it already. It has no owner.
struct OpenTunnel {
  let channel: ConnectedChannel
  let unread: [UInt8]
}

/// Why there is no tunnel.
enum TunnelFailure: Error {
  /// The proxy was not reached.
  case unconnected(ConnectError)
  /// The target's name leads nowhere, and it was to be looked up here.
  case unresolvedTarget(LookupFailure)
  case failed(TransportError.Cause, during: LoadingPhase)
}

/// A proxy asks who is asking (RFC 9110 §11.7).
package struct ProxyChallenge: Sendable {
  package let server: ProxyServer
  /// What can be answered, the strongest first; there is at least one.
  package let offers: [AuthenticationOffer]
  /// How many answers have been refused.
  package let failures: Int

  package init(server: ProxyServer, offers: [AuthenticationOffer], failures: Int) {
    (self.server, self.offers, self.failures) = (server, offers, failures)
  }
}

/// What is answered to a proxy.
package struct ProxyAnswer: Sendable {
  package let offer: AuthenticationOffer
  package let login: Login
  /// Whether further tunnels may be asked for with it.
  package let isKept: Bool

  package init(to offer: AuthenticationOffer, with login: Login, isKept: Bool = true) {
    self.offer = offer
    self.login = login
    self.isKept = isKept
  }
}
