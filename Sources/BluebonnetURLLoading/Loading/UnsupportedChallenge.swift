import BluebonnetFoundation
import BluebonnetSemantics

extension URLAuthenticationChallenge {
  /// The first challenge in a `WWW-Authenticate` field that asks for a name and a password in a way that is not
  /// supported. The delegate is asked all the same: a credential that it has for it must not be ignored silently.
  static func unsupported(
    in field: String, url: URL, response: HTTPURLResponse, previousFailureCount: Int
  ) -> URLAuthenticationChallenge? {
    for challenge in ChallengeList(field).challenges {
      guard let method = methods[challenge.scheme],
        let space = URLProtectionSpace(url, realm: challenge.parameters["realm"], method: method)
      else { continue }
      return URLAuthenticationChallenge(
        protectionSpace: space, proposedCredential: nil, previousFailureCount: previousFailureCount,
        failureResponse: response, error: nil, sender: nil)
    }
    return nil
  }

  private static let methods = [
    "digest": NSURLAuthenticationMethodHTTPDigest, "ntlm": NSURLAuthenticationMethodNTLM,
    "negotiate": NSURLAuthenticationMethodNegotiate,
  ]

  /// The scheme as RFC 9110 §11.1 and its registry write it.
  var schemeName: String {
    switch protectionSpace.authenticationMethod {
    case NSURLAuthenticationMethodHTTPDigest: "Digest"
    case NSURLAuthenticationMethodNTLM: "NTLM"
    case NSURLAuthenticationMethodNegotiate: "Negotiate"
    default: "Basic"
    }
  }
}

extension URLProtectionSpace {
  /// The part of an origin that a challenge speaks of; nil for an address that is loaded from no origin.
  convenience init?(_ url: URL, realm: String?, method: String) {
    guard let origin = try? TargetURI.of(url).origin else { return nil }
    self.init(
      host: origin.host, port: Int(origin.port),
      protocol: origin.isSecure ? NSURLProtectionSpaceHTTPS : NSURLProtectionSpaceHTTP, realm: realm,
      authenticationMethod: method)
  }
}

extension URLError {
  static func unanswerable(_ challenge: URLAuthenticationChallenge, at url: URL?) -> URLError {
    .loading(
      .userAuthenticationRequired, url: url, phase: .waiting,
      reason: "the server wants \(challenge.schemeName) authentication, which is not supported; Basic is")
  }
}
