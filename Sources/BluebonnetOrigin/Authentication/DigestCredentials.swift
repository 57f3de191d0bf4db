/// An `Authorization: Digest …` field, and the sum that proves the password (RFC 7616 §3.4).
struct DigestCredentials {
  private let parameters: [String: String]

  /// Nil if the field speaks of another scheme.
  init?(_ field: String) {
    let parts = field.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "digest" else { return nil }
    parameters = FieldParameters.split(parts[1], at: ",").reduce(into: [:]) { parameters, piece in
      if let parameter = FieldParameters.parameter(piece) { parameters[parameter.name] = parameter.value }
    }
  }

  subscript(name: String) -> String { parameters[name] ?? "" }

  /// The value that `response` must have for that password, given the client's other parameters.
  ///
  /// - Parameter user: The user's name, where the client only tells a hash of it.
  func expectedResponse(
    user: String? = nil, password: String, method: String, body: [UInt8], algorithm: DigestAlgorithm
  ) -> String {
    var request = "\(method):\(self["uri"])"
    if self["qop"] == "auth-int" { request += ":" + algorithm.digest.hexadecimal(body) }
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
    let hash = algorithm.digest.hexadecimal
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
  let digest: MessageDigest
  let isSession: Bool

  init?(_ name: String) {
    isSession = name.lowercased().hasSuffix("-sess")
    let digestName = isSession ? String(name.dropLast("-sess".count)) : name
    guard let digest = MessageDigest(rawValue: digestName.uppercased()) else { return nil }
    self.name = name
    self.digest = digest
  }
}
