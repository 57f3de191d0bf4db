import BluebonnetAuthentication
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetProxies
import BluebonnetSemantics

/// The user of a tunnel, told of its progress, always while the loop is held.
protocol TunnelClient: AnyObject {
  /// A phase begins; each time its time limit begins anew. Nil while an answer of the caller's is waited for.
  ///
  /// - Returns: Until when it may take.
  func entered(_ phase: LoadingPhase?) -> MonotonicTime?
  /// A head that answers CONNECT, an interim one included.
  func tunnelReceived(_ head: ResponseHead)
  /// The proxy requires authentication. A client without an answer lets the refusal stand.
  func tunnelIsAsked(
    _ challenge: ProxyChallenge, in head: ResponseHead, answer: @escaping @Sendable (ProxyAnswer?) -> Void)
}

/// A channel that leads to the target, and the bytes received over it already. It has no owner.
struct OpenTunnel {
  let channel: ConnectedChannel
  let unread: [UInt8]
}

/// A proxy's challenge (RFC 9110 §11.7).
package struct ProxyChallenge: Sendable {
  package let server: ProxyServer
  /// The supported schemes of the challenge, the strongest first; there is at least one.
  package let offers: [AuthenticationOffer]
  /// The number of answers refused so far.
  package let failures: Int

  package init(server: ProxyServer, offers: [AuthenticationOffer], failures: Int) {
    (self.server, self.offers, self.failures) = (server, offers, failures)
  }
}

/// An answer to a proxy.
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
