// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetHTTP1
import BluebonnetProxies
import BluebonnetTLS

/// A question that a connection to be depends on. It may be answered at once or later, from any thread, once.
enum ConnectionQuestion {
  /// The proxy requires authentication. Without an answer its refusal stands.
  case proxy(ProxyChallenge, in: ResponseHead, answer: @Sendable (ProxyAnswer?) -> Void)
  /// The server's certificate, and its evaluator: nil stands for the default verification.
  case trust(ServerTrust, by: AnyObject?, decision: @Sendable (TrustDecision) -> Void)
  /// The server asks for a certificate.
  case certificate(CertificateRequest, answer: @Sendable (TLSIdentity?) -> Void)

  /// The client has gone: no credentials, no trust, no certificate.
  func refuse() {
    switch self {
    case .proxy(_, _, let answer): answer(nil)
    case .trust(_, _, let decision): decision(.reject)
    case .certificate(_, let answer): answer(nil)
    }
  }
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
  /// Whether further tunnels may be asked for with it, and whether the one that it opens serves other requests.
  package let isKept: Bool
  /// Whether those include requests that bring no credentials for the proxy.
  package let isShared: Bool
  /// Called in loop context, once the proxy has accepted it.
  package let whenAccepted: @Sendable () -> Void

  package init(
    to offer: AuthenticationOffer, with login: Login, isKept: Bool, isShared: Bool,
    whenAccepted: @escaping @Sendable () -> Void
  ) {
    self.offer = offer
    self.login = login
    self.isKept = isKept
    self.isShared = isShared
    self.whenAccepted = whenAccepted
  }
}
