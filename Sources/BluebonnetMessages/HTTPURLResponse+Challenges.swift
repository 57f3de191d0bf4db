// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetSemantics

extension HTTPURLResponse {
  /// The authentication schemes that a 401 or 407 demands, in the server's order, such as `["negotiate", "basic"]`; in lower
  /// case, empty for other responses and where none is named.
  ///
  /// A session can answer Basic, Digest, NTLM and Negotiate.
  public var demandedAuthenticationSchemes: [String] {
    let name =
      switch statusCode {
      case 401: "WWW-Authenticate"
      case 407: "Proxy-Authenticate"
      default: nil as String?
      }
    guard let name, let field = value(forHTTPHeaderField: name) else { return [] }
    return ChallengeList(field).schemes
  }
}
