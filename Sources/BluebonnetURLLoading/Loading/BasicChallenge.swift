import BluebonnetFoundation

extension URLAuthenticationChallenge {
  /// The Basic challenge in a `WWW-Authenticate` field, if there is one (RFC 7617).
  static func basic(
    in field: String, url: URL, response: HTTPURLResponse, previousFailureCount: Int,
    storage: URLCredentialStorage?
  ) -> URLAuthenticationChallenge? {
    guard let realm = BasicChallenge(field)?.realm,
      let space = URLProtectionSpace(url, realm: realm, method: NSURLAuthenticationMethodHTTPBasic)
    else { return nil }
    return URLAuthenticationChallenge(
      protectionSpace: space, proposedCredential: storage?.defaultCredential(for: space),
      previousFailureCount: previousFailureCount, failureResponse: response, error: nil, sender: nil)
  }
}

/// The Basic scheme of a challenge list.
struct BasicChallenge: Equatable {
  /// Empty where the server names none, against RFC 7617 §2.
  let realm: String

  init?(_ field: String) {
    guard let challenge = ChallengeList(field).first("basic") else { return nil }
    realm = challenge.parameters["realm"] ?? ""
  }
}

extension URLCredential {
  /// The `Authorization` field of this user and password.
  var basicAuthorization: String? {
    guard let user, let password else { return nil }
    return "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
  }
}
