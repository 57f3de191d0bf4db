// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetFoundation
import BluebonnetSemantics

extension AuthenticationScheme {
  /// Its name in Apple's systems; nil for a scheme without a challenge to delegates: tokens are sent by an interceptor.
  var method: String? {
    switch self {
    case .basic: NSURLAuthenticationMethodHTTPBasic
    case .digest: NSURLAuthenticationMethodHTTPDigest
    case .ntlm: NSURLAuthenticationMethodNTLM
    case .negotiate: NSURLAuthenticationMethodNegotiate
    case .bearer: nil
    }
  }
}

extension URLProtectionSpace {
  /// The part of an origin that an offer speaks of; nil for one without a challenge to delegates.
  convenience init?(_ origin: WebOrigin, _ offer: AuthenticationOffer) {
    guard let method = offer.scheme.method else { return nil }
    self.init(origin, realm: offer.realm, method: method)
  }

  convenience init(_ origin: WebOrigin, realm: String?, method: String?) {
    self.init(
      host: origin.host, port: Int(origin.port),
      protocol: origin.isSecure ? NSURLProtectionSpaceHTTPS : NSURLProtectionSpaceHTTP, realm: realm,
      authenticationMethod: method)
  }

  /// The same space for whichever method.
  var ofAnyMethod: URLProtectionSpace {
    URLProtectionSpace(
      host: host, port: port, protocol: `protocol`, realm: realm,
      authenticationMethod: NSURLAuthenticationMethodDefault)
  }
}

extension URLProtectionSpace {
  /// Apple's systems take the host's name for the realm of a server that names none; credentials are stored under it.
  fileprivate var underHostName: URLProtectionSpace? {
    guard realm ?? "" == "", !isProxy() else { return nil }
    return URLProtectionSpace(
      host: host, port: port, protocol: `protocol`, realm: host, authenticationMethod: authenticationMethod)
  }
}

extension URLCredentialStorage {
  /// The credential that a session would try: the default of the space, or else of the same space for any method.
  func proposal(for space: URLProtectionSpace) -> URLCredential? {
    for space in [space, space.underHostName].compactMap({ $0 }) {
      if let found = defaultCredential(for: space) ?? defaultCredential(for: space.ofAnyMethod) {
        return found
      }
    }
    return nil
  }

  /// Whether a login is still what opens the space.
  func holds(_ login: Login, for space: URLProtectionSpace) -> Bool {
    let spaces = [space, space.underHostName].compactMap { $0 }
    return (spaces + spaces.map(\.ofAnyMethod)).contains { space in
      credentials(for: space)?.values.contains { $0.login(for: space.authenticationMethod) == login } ?? false
    }
  }
}

extension URLCredential {
  /// The login by a method; nil if it is of another kind. Neither name nor password stands for the caller's Kerberos
  /// ticket.
  func login(for method: String) -> Login? {
    guard let user, let password else { return nil }
    let isTicket = user.isEmpty && password.isEmpty
    switch method {
    case NSURLAuthenticationMethodNegotiate: return isTicket ? .ticket : nil
    case NSURLAuthenticationMethodDefault where isTicket: return .ticket
    default: return .password(user: user, password: password)
    }
  }
}

extension RequestCredentials {
  /// The name and the password that stood in the URL.
  var credential: URLCredential? {
    guard let authorization, authorization.hasPrefix("Basic "),
      let decoded = Base64.decode(authorization.dropFirst("Basic ".count)),
      let text = String(validating: decoded, as: UTF8.self)
    else { return nil }
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    // It is meant for this URL, and stored for no other.
    return URLCredential(user: String(halves[0]), password: String(halves[1]), persistence: .none)
  }
}
