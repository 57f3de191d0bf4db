// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetSemantics

/// An `Authorization: Digest …` field, and the sum that proves the password (RFC 7616 §3.4).
struct DigestCredentials {
  private let parameters: [String: String]

  /// Nil if the field speaks of another scheme.
  init?(_ field: String) {
    guard let credentials = ChallengeList(field).challenges.first, credentials.scheme == "digest" else {
      return nil
    }
    parameters = credentials.parameters
  }

  subscript(name: String) -> String { parameters[name] ?? "" }

  /// The value that `response` must have for that password, given the client's other parameters.
  ///
  /// - Parameter user: The user's name, where the client only tells a hash of it.
  func expectedResponse(
    user: String? = nil, password: String, method: String, body: [UInt8], algorithm: DigestAlgorithm
  ) -> String {
    var request = "\(method):\(self["uri"])"
    if self["qop"] == "auth-int" { request += ":" + algorithm.digest.digits(of: body) }
    return sum(of: request, user: user, password: password, algorithm)
  }

  /// `Authentication-Info`: the server proves that it knows the password, too (RFC 7616 §3.5).
  func information(user: String, password: String, algorithm: DigestAlgorithm) -> String {
    let proof = sum(of: ":\(self["uri"])", user: user, password: password, algorithm)
    return "rspauth=\"\(proof)\", qop=\(self["qop"]), cnonce=\"\(self["cnonce"])\", nc=\(self["nc"])"
  }

  private func sum(of request: String, user: String?, password: String, _ algorithm: DigestAlgorithm)
    -> String
  {
    func hash(_ text: String) -> String { algorithm.digest.digits(of: text.utf8) }
    var secret = hash("\(user ?? self["username"]):\(self["realm"]):\(password)")
    if algorithm.isSession { secret = hash("\(secret):\(self["nonce"]):\(self["cnonce"])") }
    guard parameters["qop"] != nil else {
      // RFC 7616 §3.4.1 keeps the sum of RFC 2069 for servers that offer no quality of protection.
      return hash("\(secret):\(self["nonce"]):\(hash(request))")
    }
    let middle = [self["nonce"], self["nc"], self["cnonce"], self["qop"]].joined(separator: ":")
    return hash("\(secret):\(middle):\(hash(request))")
  }
}

/// An algorithm as the challenge names it: a hash function, perhaps with a session key.
struct DigestAlgorithm {
  let name: String
  let digest: HashFunction
  let isSession: Bool

  init?(_ name: String) {
    isSession = name.lowercased().hasSuffix("-sess")
    let digestName = isSession ? String(name.dropLast("-sess".count)) : name
    guard let digest = HashFunction(rawValue: digestName.uppercased()) else { return nil }
    self.name = name
    self.digest = digest
  }
}

extension HashFunction {
  /// The digest in lower-case hexadecimal digits. Where a policy forbids the function, the empty text matches none.
  func digits(of bytes: some Sequence<UInt8>) -> String {
    String(decoding: hexadecimal(Array(bytes)) ?? [], as: UTF8.self)
  }
}
