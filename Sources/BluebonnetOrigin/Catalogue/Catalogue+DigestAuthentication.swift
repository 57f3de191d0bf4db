extension Catalogue {
  static let realm = "bluebonnet"
  /// How long a nonce is good for, in seconds.
  private static let nonceLifetime = 300

  /// `/digest-auth/:qop/:user/:password?algorithm=`. Any other qop than `auth` and `auth-int` offers none.
  func digestAuthentication(_ request: IncomingRequest, now: Int) -> Reply {
    guard let algorithm = DigestAlgorithm(request.queryItem("algorithm") ?? "MD5") else {
      return .refusal(400, "algorithm: MD5, SHA-256, SHA-512-256, each with or without -sess")
    }
    let quality = ["auth", "auth-int"].contains(request.path[1]) ? request.path[1] : nil
    var challenge = "Digest realm=\"\(Self.realm)\", nonce=\"\(nonce(at: now))\""
    if let quality { challenge += ", qop=\"\(quality)\"" }
    challenge += ", algorithm=\(algorithm.name)"

    guard let field = request.field("authorization"), let credentials = DigestCredentials(field),
      credentials["username"] == request.path[2], credentials["realm"] == Self.realm,
      credentials["uri"] == request.target, credentials["qop"] == quality ?? "",
      credentials["response"].lowercased()
        == credentials.expectedResponse(
          password: request.path[3], method: request.method, body: request.body, algorithm: algorithm)
    else { return Reply.empty(401).adding("WWW-Authenticate", challenge) }
    guard isFresh(credentials["nonce"], at: now) else {
      return Reply.empty(401).adding("WWW-Authenticate", challenge + ", stale=true")
    }
    return .json(request.echo)
  }

  /// A nonce that carries its own date, so that none has to be remembered.
  private func nonce(at time: Int) -> String {
    "\(time)-" + MessageDigest.sha256.hexadecimal("\(time):\(nonceSecret)").prefix(32)
  }

  private func isFresh(_ nonce: String, at now: Int) -> Bool {
    guard let time = Int(nonce.prefix { $0 != "-" }), nonce == self.nonce(at: time) else { return false }
    return (0...Self.nonceLifetime).contains(now - time)
  }
}
