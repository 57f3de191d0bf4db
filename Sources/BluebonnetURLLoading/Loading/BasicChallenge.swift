import BluebonnetFoundation

extension URLAuthenticationChallenge {
  /// The Basic challenge in a `WWW-Authenticate` field, if there is one (RFC 7617).
  static func basic(
    in field: String, url: URL, response: HTTPURLResponse, previousFailureCount: Int,
    storage: URLCredentialStorage?
  ) -> URLAuthenticationChallenge? {
    guard let realm = BasicChallenge(field)?.realm else { return nil }
    let isSecure = url.scheme?.lowercased() == "https"
    let space = URLProtectionSpace(
      host: url.host() ?? "", port: url.port ?? (isSecure ? 443 : 80),
      protocol: isSecure ? NSURLProtectionSpaceHTTPS : NSURLProtectionSpaceHTTP, realm: realm,
      authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
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
    guard let scheme = field.range(of: "basic", options: [.caseInsensitive, .anchored]) else { return nil }
    let parameters = field[scheme.upperBound...]
    guard parameters.isEmpty || parameters.first == " " else { return nil }
    guard let start = parameters.range(of: "realm=", options: .caseInsensitive) else {
      realm = ""
      return
    }
    realm = Self.value(at: parameters[start.upperBound...])
  }

  private static func value(at text: Substring) -> String {
    guard text.first == "\"" else { return String(text.prefix { $0 != "," && $0 != " " }) }
    var value = ""
    var isEscaped = false
    for character in text.dropFirst() {
      if isEscaped {
        value.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        break
      } else {
        value.append(character)
      }
    }
    return value
  }
}

extension URLCredential {
  /// The `Authorization` field of this user and password.
  var basicAuthorization: String? {
    guard let user, let password else { return nil }
    return "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
  }
}
