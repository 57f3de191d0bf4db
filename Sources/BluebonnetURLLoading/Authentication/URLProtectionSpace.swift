// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetSemantics

/// The space that credentials are for: a place and an authentication method.
public final class URLProtectionSpace: Sendable, Hashable {
  /// The host that asks, in its canonical form whichever spelling the space was made with: lower case, percent-decoded,
  /// `xn--` labels, no dot at the end; addresses without brackets.
  public let host: String
  /// The port of the server, or of the proxy.
  public let port: Int
  /// The protocol that is spoken with it.
  public let `protocol`: String?
  /// The realm that was named in the challenge (RFC 9110 §11.5); `nil` if there is none.
  public let realm: String?
  /// The authentication method: one of the `NSURLAuthenticationMethod…` constants.
  public let authenticationMethod: String
  /// The kind of proxy that asks, if one does.
  public let proxyType: String?
  /// The peer's certificates, where the challenge is about them.
  public let serverTrust: SecTrust?
  /// The authorities of the client certificates that the peer accepts, as DER names, where it asks for one: empty for any
  /// authority; otherwise `nil`.
  public let distinguishedNames: [Data]?
  /// The kinds of keys that the peer can verify signatures of, the most wanted first, where it asks for a client
  /// certificate; otherwise `nil`. An addition of this package.
  public let clientKeyTypes: [ClientKeyType]?

  /// Makes the space of a server.
  public convenience init(
    host: String, port: Int, protocol: String?, realm: String?, authenticationMethod: String?
  ) {
    self.init(
      host: host, port: port, protocol: `protocol`, realm: realm, authenticationMethod: authenticationMethod,
      proxyType: nil, serverTrust: nil, distinguishedNames: nil)
  }

  /// Makes the space of a proxy.
  public convenience init(
    proxyHost host: String, port: Int, type: String?, realm: String?, authenticationMethod: String?
  ) {
    self.init(
      host: host, port: port, protocol: nil, realm: realm, authenticationMethod: authenticationMethod,
      proxyType: type, serverTrust: nil, distinguishedNames: nil)
  }

  package init(
    host: String, port: Int, protocol: String?, realm: String?, authenticationMethod: String?,
    proxyType: String?,
    serverTrust: SecTrust?, distinguishedNames: [Data]?, keyTypes: [ClientKeyType]? = nil
  ) {
    self.host = (try? HostName.canonical(host)) ?? host
    self.port = port
    self.protocol = `protocol`
    self.realm = realm
    self.authenticationMethod = authenticationMethod ?? NSURLAuthenticationMethodDefault
    self.proxyType = proxyType
    self.serverTrust = serverTrust
    self.distinguishedNames = distinguishedNames
    clientKeyTypes = keyTypes
  }

  /// Whether it is the origin of a URL that asks (RFC 9110 §4.3.1).
  package func isOrigin(of url: URL) -> Bool {
    guard !isProxy(), let origin = try? TargetURI.of(url).origin else { return false }
    return host == origin.host && port == Int(origin.port)
      && `protocol` == (origin.isSecure ? NSURLProtectionSpaceHTTPS : NSURLProtectionSpaceHTTP)
  }

  /// Whether a proxy asks, rather than the server.
  public func isProxy() -> Bool { proxyType != nil }

  /// Whether an answer travels encrypted, or is not a password in the clear.
  public var receivesCredentialSecurely: Bool {
    `protocol` == NSURLProtectionSpaceHTTPS || !sendsPassword
  }

  /// Whether the challenge concerns a whole connection, so that a delegate of sessions is asked, and not the request alone: the
  /// server's trust, a client certificate, NTLM and Negotiate.
  var concernsConnection: Bool {
    switch authenticationMethod {
    case NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate,
      NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate:
      true
    default: false
    }
  }

  private var sendsPassword: Bool {
    switch authenticationMethod {
    case NSURLAuthenticationMethodHTTPDigest, NSURLAuthenticationMethodNTLM,
      NSURLAuthenticationMethodNegotiate:
      false
    default: true
    }
  }

  /// Spaces are equal if the same credentials open them.
  public static func == (left: URLProtectionSpace, right: URLProtectionSpace) -> Bool {
    left.host == right.host && left.port == right.port && left.protocol == right.protocol
      && left.realm == right.realm && left.authenticationMethod == right.authenticationMethod
      && left.proxyType == right.proxyType
  }

  /// Hashes host, port and realm.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(host)
    hasher.combine(port)
    hasher.combine(realm)
  }
}
