// SPDX-License-Identifier: MIT
import BluebonnetAuthentication

extension Catalogue {
  static let realm = "bluebonnet"
  /// The life of a nonce, in seconds.
  private static let nonceLifetime = 300

  /// `/digest-auth/:qop/:user/:password?algorithm=&uses=&userhash=&forged=`. Any other qop than `auth` and `auth-int` offers
  /// none. With `uses`, a nonce is stale after so many answers, and none may repeat a count; with `uses=1` each
  /// answer is told its successor.
  mutating func digestAuthentication(_ request: IncomingRequest, now: Int) -> Reply {
    guard let algorithm = DigestAlgorithm(request.queryItem("algorithm") ?? "MD5") else {
      return .refusal(400, "algorithm: MD5, SHA-256, SHA-512-256, each with or without -sess")
    }
    let quality = ["auth", "auth-int"].contains(request.path[1]) ? request.path[1] : nil
    let limit = request.queryItem("uses").flatMap { Int($0) }
    let nonce = limit == nil ? nonce(at: now) : freshNonce(at: now)
    var challenge = "Digest realm=\"\(Self.realm)\", nonce=\"\(nonce)\""
    if let quality { challenge += ", qop=\"\(quality)\"" }
    challenge += ", algorithm=\(algorithm.name)"
    let hashesNames = request.queryItem("userhash") != nil
    if hashesNames { challenge += ", userhash=true" }

    let name = request.path[2]
    let expectedName = hashesNames ? algorithm.digest.digits(of: "\(name):\(Self.realm)".utf8) : name
    guard let field = request.field("authorization"), let credentials = DigestCredentials(field),
      credentials["username"] == expectedName, credentials["realm"] == Self.realm,
      credentials["uri"] == request.target, credentials["qop"] == quality ?? "",
      credentials["response"].lowercased()
        == credentials.expectedResponse(
          user: name, password: request.path[3], method: request.method, body: request.body,
          algorithm: algorithm)
    else { return Reply.empty(401).adding("WWW-Authenticate", challenge) }
    guard isFresh(credentials["nonce"], at: now), isNew(credentials, limit: limit) else {
      return Reply.empty(401).adding("WWW-Authenticate", challenge + ", stale=true")
    }
    guard quality == "auth" else { return .json(request.echo) }
    let password = request.queryItem("forged") == nil ? request.path[3] : "another"
    var information = credentials.information(user: name, password: password, algorithm: algorithm)
    if limit == 1 { information += ", nextnonce=\"\(freshNonce(at: now))\"" }
    return Reply.json(request.echo).adding("Authentication-Info", information)
  }

  /// Whether an answer is neither a repetition nor one too many; true where they are not counted.
  private mutating func isNew(_ credentials: DigestCredentials, limit: Int?) -> Bool {
    guard let limit else { return true }
    let nonce = credentials["nonce"]
    guard nonceUses[nonce, default: []].count < limit else { return false }
    return nonceUses[nonce, default: []].insert(credentials["nc"]).inserted
  }

  /// A nonce that carries its own date, so that none has to be remembered.
  private func nonce(at time: Int, number: Int = 0) -> String {
    "\(time)-" + HashFunction.sha256.digits(of: "\(time):\(number):\(nonceSecret)".utf8).prefix(32)
      + "-\(number)"
  }

  private mutating func freshNonce(at time: Int) -> String {
    nonceNumber += 1
    return nonce(at: time, number: nonceNumber)
  }

  private func isFresh(_ nonce: String, at now: Int) -> Bool {
    let parts = nonce.split(separator: "-")
    guard parts.count == 3, let time = Int(parts[0]), let number = Int(parts[2]),
      nonce == self.nonce(at: time, number: number)
    else { return false }
    return (0...Self.nonceLifetime).contains(now - time)
  }
}
