// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics

/// One answer to a Digest challenge (RFC 7616 §3.4), and what the server has to prove in return (§3.5).
struct DigestAnswer: Sendable {
  /// The value of `Authorization`.
  let field: FieldValue
  /// The number of times that the nonce has been used, this answer included.
  let count: UInt32
  let clientNonce: String
  let isSession: Bool
  let hash: HashFunction
  /// The secret's hash, in hexadecimal digits.
  private let secret: [UInt8]
  private let challenge: DigestChallenge
  private let target: String

  /// - Parameters:
  ///   - clientNonce: A random text, the same for all answers with one nonce: some servers make the key of a session with the
  ///     first (§3.4.2), some with the newest.
  ///   - count: How often the nonce has been used, from 1.
  init(
    to challenge: DigestChallenge, user: String, password: String, for request: AuthenticatedRequest,
    clientNonce: String, count: UInt32
  ) throws(AuthenticationFault) {
    self.challenge = challenge
    self.count = count
    self.clientNonce = clientNonce
    hash = challenge.hash
    isSession = challenge.isSession
    target = request.target
    let name = try Self.name(user, challenge)
    secret = try Self.secret(of: challenge, user: user, password: password, clientNonce: clientNonce)
    let what = try Self.what(request, challenge)
    let response = try Self.response(
      secret, what, challenge, count: count, clientNonce: clientNonce)
    field = Self.field(
      name, challenge, target: request.target, count: count, clientNonce: clientNonce, response: response)
  }

  /// Whether the server proves that it knows the secret (§3.5).
  ///
  /// - Parameter information: The parameters of `Authentication-Info`.
  /// - Returns: true also where it does not, and where it speaks of the response's content, not received yet.
  func accepts(_ information: [String: String]) -> Bool {
    guard let claimed = information["rspauth"], let protection = challenge.protection else { return true }
    // The counters, where they are repeated, are those that were sent.
    if let other = information["cnonce"], other != clientNonce { return false }
    if let other = information["nc"], UInt32(other, radix: 16) != count { return false }
    let quality = information["qop"]?.asciiLowercased ?? protection.rawValue
    if quality == DigestChallenge.Protection.requestAndContent.rawValue { return true }
    guard quality == DigestChallenge.Protection.request.rawValue,
      let what = hash.hexadecimal(Array(":\(target)".utf8)),
      let expected = try? Self.response(secret, what, challenge, count: count, clientNonce: clientNonce)
    else { return false }
    return claimed.asciiLowercased == String(decoding: expected, as: UTF8.self)
  }

  // MARK: The sums of §3.4.1 to §3.4.4

  private static func secret(
    of challenge: DigestChallenge, user: String, password: String, clientNonce: String
  ) throws(AuthenticationFault) -> [UInt8] {
    let secret = try hash(
      joined(challenge.credential(user), challenge.bytes(challenge.realm), challenge.credential(password)),
      challenge)
    guard challenge.isSession else { return secret }
    return try hash(secret + challenge.bytes(":\(challenge.nonce):\(clientNonce)"), challenge)
  }

  private static func what(
    _ request: AuthenticatedRequest, _ challenge: DigestChallenge
  ) throws(AuthenticationFault) -> [UInt8] {
    var what = Array("\(request.method):\(request.target)".utf8)
    if challenge.protection == .requestAndContent {
      switch request.content {
      case .none: what += ":".utf8 + (try hash([], challenge))
      case .hashed(let digest): what += ":".utf8 + HashFunction.hexadecimal(digest)
      case .bytes(let bytes): what += ":".utf8 + (try hash(bytes, challenge))
      case .unknown(let reason):
        throw AuthenticationFault(
          .unsupported, .digest,
          "the server takes no answer that does not prove the content, too (qop=auth-int), and \(reason)")
      }
    }
    return try hash(what, challenge)
  }

  private static func response(
    _ secret: [UInt8], _ what: [UInt8], _ challenge: DigestChallenge, count: UInt32, clientNonce: String
  ) throws(AuthenticationFault) -> [UInt8] {
    var all = secret + challenge.bytes(":\(challenge.nonce):")
    // RFC 2069 has no more than that.
    if let protection = challenge.protection {
      all += "\(digits(of: count)):\(clientNonce):\(protection.rawValue):".utf8
    }
    return try hash(all + what, challenge)
  }

  private static func hash(
    _ bytes: some Sequence<UInt8>, _ challenge: DigestChallenge
  ) throws(AuthenticationFault) -> [UInt8] {
    guard let digest = challenge.hash.hexadecimal(Array(bytes)) else {
      throw AuthenticationFault(
        .unsupported, .digest, "the system's OpenSSL does not allow \(challenge.hash.rawValue)")
    }
    return digest
  }

  /// Each part is in an encoding of its own.
  private static func joined(_ parts: [UInt8]...) -> [UInt8] {
    Array(parts.joined(separator: [Byte.colon]))
  }

  private static func digits(of count: UInt32) -> String {
    let digits = String(count, radix: 16)
    return String(repeating: "0", count: 8 - digits.utf8.count) + digits
  }

  // MARK: The field

  /// The form of the name (§3.4.4): hashed, extended (RFC 8187), or as it is.
  private static func name(
    _ user: String, _ challenge: DigestChallenge
  ) throws(AuthenticationFault) -> [UInt8] {
    if challenge.takesHashedNames {
      let hashed = try hash(joined(challenge.credential(user), challenge.bytes(challenge.realm)), challenge)
      return Array("username=".utf8) + quoted(hashed)
    }
    if challenge.takesUTF8, !user.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
      return Array("username*=UTF-8''\(extended(user))".utf8)
    }
    guard user.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw AuthenticationFault(
        .unsupported, .digest, "a name with control characters can be written in no field of this server's")
    }
    return Array("username=".utf8) + quoted(challenge.credential(user))
  }

  private static func field(
    _ name: [UInt8], _ challenge: DigestChallenge, target: String, count: UInt32, clientNonce: String,
    response: [UInt8]
  ) -> FieldValue {
    // The usual order; servers have been seen to depend on it.
    var field = Array("Digest ".utf8) + name
    field += Array(", realm=".utf8) + quoted(challenge.bytes(challenge.realm))
    field += Array(", nonce=".utf8) + quoted(challenge.bytes(challenge.nonce))
    field += Array(", uri=".utf8) + quoted(Array(target.utf8))
    if challenge.protection != nil || challenge.isSession { field += ", cnonce=\"\(clientNonce)\"".utf8 }
    if let protection = challenge.protection {
      field += ", nc=\(digits(of: count)), qop=\(protection.rawValue)".utf8
    }
    field += Array(", response=".utf8) + quoted(response)
    if let opaque = challenge.opaque { field += Array(", opaque=".utf8) + quoted(challenge.bytes(opaque)) }
    if let algorithm = challenge.algorithm { field += ", algorithm=\(algorithm)".utf8 }
    if challenge.takesHashedNames { field += ", userhash=true".utf8 }
    return FieldValue(bytes: field)
  }

  /// RFC 9110 §5.6.4. The sums count without the backslashes.
  private static func quoted(_ bytes: [UInt8]) -> [UInt8] {
    var result = [Byte.quote]
    for byte in bytes {
      if byte == Byte.quote || byte == Byte.backslash { result.append(Byte.backslash) }
      result.append(byte)
    }
    return result + [Byte.quote]
  }

  /// RFC 8187 §3.2.1.
  private static func extended(_ text: String) -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        result.append(byte)
      default:
        if "!#$&+-.^_`|~".utf8.contains(byte) {
          result.append(byte)
        } else {
          result += Byte.percentEncoded(byte)
        }
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension DigestChallenge {
  /// The bytes of a text that quotes the challenge: those that came.
  fileprivate func bytes(_ text: String) -> [UInt8] { encoding.bytes(of: text) }

  /// Those of a user's name or password: in UTF-8 where the server says that it reads that, or else by the challenge's encoding, where
  /// that has their characters.
  fileprivate func credential(_ text: String) -> [UInt8] {
    takesUTF8 ? Array(text.utf8) : encoding.bytes(of: text)
  }
}
