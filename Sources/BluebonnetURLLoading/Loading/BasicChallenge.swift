import BluebonnetFoundation
import BluebonnetSemantics

extension URLAuthenticationChallenge {
  /// The Basic challenge in a `WWW-Authenticate` field, if there is one (RFC 7617).
  static func basic(
    in field: String, url: URL, response: HTTPURLResponse, previousFailureCount: Int,
    storage: URLCredentialStorage?
  ) -> URLAuthenticationChallenge? {
    guard let realm = ChallengeList(field).basicRealm,
      let space = URLProtectionSpace(url, realm: realm, method: NSURLAuthenticationMethodHTTPBasic)
    else { return nil }
    return URLAuthenticationChallenge(
      protectionSpace: space, proposedCredential: storage?.defaultCredential(for: space),
      previousFailureCount: previousFailureCount, failureResponse: response, error: nil, sender: nil)
  }
}

extension URLCredential {
  /// The `Authorization` field of this user and password.
  var basicAuthorization: String? {
    guard let user, let password else { return nil }
    return BasicCredentials.authorization(user: user.utf8, password: password.utf8)
  }
}
