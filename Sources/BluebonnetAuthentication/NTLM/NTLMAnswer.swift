// SPDX-License-Identifier: MIT

/// The third message, which proves the password (AUTHENTICATE_MESSAGE, MS-NLMP §2.2.1.3) by NTLMv2 (§3.3.2). Answers of LM
/// and NTLMv1, easily broken, are never made.
struct NTLMAnswer: Sendable {
  let bytes: [UInt8]

  /// - Parameters:
  ///   - opening: The first message as it was sent.
  ///   - nonce: Eight random bytes.
  ///   - now: The present in seconds since 1970, for servers that do not tell it.
  init(
    to challenge: NTLMChallenge, opening: [UInt8], user: String, password: String, nonce: [UInt8], now: UInt64
  ) throws(AuthenticationFault) {
    let name = NTLMName(user)
    let key = try Self.key(name, password: password)
    var attributes = challenge.attributes
    if challenge.timestamp != nil { Self.promiseCode(in: &attributes) }
    let statement = Self.statement(
      attributes, time: challenge.timestamp ?? Self.fileTime(now), nonce: nonce)
    let proof = try Self.code(challenge.challenge + statement, key: key)
    let flags = challenge.flags.intersection(.offered).union([.ntlm, .version])
    func encoded(_ text: String) -> [UInt8] {
      flags.contains(.unicode) ? NTLMName.utf16(text) : Array(text.utf8)
    }
    func message(code: [UInt8]?) throws(AuthenticationFault) -> [UInt8] {
      var writer = NTLMWriter(type: 3, payloadStart: code == nil ? 72 : 88)
      // Zeros stand for the LM answer that is not given (§3.1.5.1.2).
      try writer.field([UInt8](repeating: 0, count: 24))
      try writer.field(proof + statement)
      try writer.field(encoded(name.domain))
      try writer.field(encoded(name.user))
      // The machine's own name is not sent.
      try writer.field(encoded("WORKSTATION"))
      try writer.field([])
      writer.number(flags.rawValue)
      writer.version()
      if let code { writer.raw(code) }
      return writer.finish()
    }
    guard challenge.timestamp != nil else {
      bytes = try message(code: nil)
      return
    }
    // A code over all three messages, so that a change of the agreed flags is noticed (§3.1.5.1.2). Without an exchange of
    // keys it is made with the session's base key.
    let session = try Self.code(proof, key: key)
    let blank = try message(code: [UInt8](repeating: 0, count: 16))
    bytes = try message(code: try Self.code(opening + challenge.bytes + blank, key: session))
  }

  /// NTOWFv2 of §3.3.2.
  static func key(_ name: NTLMName, password: String) throws(AuthenticationFault) -> [UInt8] {
    try code(
      NTLMName.utf16(NTLMName.uppercased(name.user) + name.domain),
      key: MD4.digest(NTLMName.utf16(password)))
  }

  /// The signed bytes: the time, a number of this side's, and the server's name for itself (NTLMv2_CLIENT_CHALLENGE, §2.2.2.7).
  static func statement(_ attributes: [NTLMChallenge.Attribute], time: [UInt8], nonce: [UInt8]) -> [UInt8] {
    var statement: [UInt8] = [1, 1, 0, 0, 0, 0, 0, 0]
    statement += time
    statement += nonce
    statement += [0, 0, 0, 0]
    for attribute in attributes {
      statement += [UInt8(truncatingIfNeeded: attribute.id), UInt8(truncatingIfNeeded: attribute.id >> 8)]
      let count = attribute.value.count
      statement += [UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8)]
      statement += attribute.value
    }
    return statement + [0, 0, 0, 0, 0, 0, 0, 0]
  }

  static func code(_ bytes: [UInt8], key: [UInt8]) throws(AuthenticationFault) -> [UInt8] {
    guard let code = HMACMD5.code(bytes, key: key) else {
      throw AuthenticationFault(.unsupported, .ntlm, "the system's OpenSSL does not allow MD5")
    }
    return code
  }

  /// §2.2.2.1: the bit that says that the message has a code.
  private static func promiseCode(in attributes: inout [NTLMChallenge.Attribute]) {
    var flags: [UInt8] = [2, 0, 0, 0]
    if let index = attributes.firstIndex(where: {
      $0.id == NTLMChallenge.Attribute.flags && $0.value.count == 4
    }) {
      flags = attributes[index].value
      flags[0] |= 2
      attributes[index] = .init(id: NTLMChallenge.Attribute.flags, value: flags)
    } else {
      attributes.append(.init(id: NTLMChallenge.Attribute.flags, value: flags))
    }
  }

  /// Tenths of microseconds since 1601, as Windows counts.
  private static func fileTime(_ seconds: UInt64) -> [UInt8] {
    let ticks = (seconds &+ 11_644_473_600) &* 10_000_000
    return (0..<8).map { UInt8(truncatingIfNeeded: ticks >> ($0 * 8)) }
  }
}
