// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetAuthentication

/// MS-NLMP §4.2.1 and §4.2.4: user, password and names, and what comes of them.
@Suite struct NTLMAnswerTests {
  private func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.filter { !$0.isWhitespace }.compactMap { $0.hexDigitValue }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  /// MsvAvNbDomainName and MsvAvNbComputerName of §4.2.4.
  private var names: [NTLMChallenge.Attribute] {
    [.init(id: 2, value: NTLMName.utf16("Domain")), .init(id: 1, value: NTLMName.utf16("Server"))]
  }
  private let challenge: [UInt8] = [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF]

  @Test func theSumsOfTheSpecification() throws {
    let key = try NTLMAnswer.key(NTLMName("Domain\\User"), password: "Password")
    #expect(key == bytes("0c868a403bfd7a93a3001ef22ef02e3f"))
    let statement = NTLMAnswer.statement(
      names, time: [UInt8](repeating: 0, count: 8), nonce: [UInt8](repeating: 0xAA, count: 8))
    #expect(
      statement
        == bytes(
          """
          0101000000000000 0000000000000000 aaaaaaaaaaaaaaaa 00000000
          02000c0044006f006d00610069006e00 01000c00530065007200760065007200 00000000 00000000
          """))
    let proof = try NTLMAnswer.code(challenge + statement, key: key)
    #expect(proof == bytes("68cd0ab851e51c96aabc927bebef6a1c"))
    #expect(try NTLMAnswer.code(proof, key: key) == bytes("8de40ccadbc14a82f15cb0ad0de95ca3"))
  }

  /// A message of the server's as §4.2.4.3 has it.
  private func message(flags: UInt32 = 0xE282_8233, info: [UInt8]? = nil, extra: [UInt8] = []) -> [UInt8] {
    let info =
      info ?? bytes("02000c0044006f006d00610069006e0001000c00530065007200760065007200") + extra + [
        0, 0, 0, 0,
      ]
    func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
    var message = Array("NTLMSSP\u{0}".utf8) + number(2)
    message += [12, 0, 12, 0] + number(56) + number(flags) + challenge + number(0) + number(0)
    message += [UInt8(info.count), 0, UInt8(info.count), 0] + number(68)
    message += [6, 0, 0x70, 0x17, 0, 0, 0, 15]
    return message + NTLMName.utf16("Server") + info
  }

  @Test func theServersMessageIsTakenApart() throws {
    let challenge = try #require(NTLMChallenge(message()))
    #expect(challenge.attributes == names && challenge.challenge == self.challenge)
    #expect(challenge.flags.contains(.unicode) && challenge.timestamp == nil)
  }

  @Test func theAnswerProvesWhatTheSpecificationProves() throws {
    let challenge = try #require(NTLMChallenge(message()))
    // 1601 is as long ago as the counter goes.
    let answer = try NTLMAnswer(
      to: challenge, opening: NTLMOpening.bytes, user: "Domain\\User", password: "Password",
      nonce: [UInt8](repeating: 0xAA, count: 8), now: 0 &- 11_644_473_600)
    let third = ThirdMessage(answer.bytes)
    #expect(third.field(12) == [UInt8](repeating: 0, count: 24))
    #expect(Array(third.field(20).prefix(16)) == bytes("68cd0ab851e51c96aabc927bebef6a1c"))
    #expect(third.field(28) == NTLMName.utf16("Domain") && third.field(36) == NTLMName.utf16("User"))
    #expect(third.bytes[64] == 10 && third.bytes[71] == 15)
    #expect(third.bytes.count == 72 + 24 + third.field(20).count + 12 + 8 + 22)
  }

  @Test func aServerThatTellsTheTimeGetsACodeOverAllMessages() throws {
    let time: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    let challenge = try #require(NTLMChallenge(message(extra: [7, 0, 8, 0] + time)))
    #expect(challenge.timestamp == time)
    let answer = try NTLMAnswer(
      to: challenge, opening: NTLMOpening.bytes, user: "Domain\\User", password: "Password",
      nonce: [UInt8](repeating: 0xAA, count: 8), now: 12_345)
    let third = ThirdMessage(answer.bytes)
    let proof = third.field(20)
    #expect(Array(proof[24..<32]) == time)
    // MsvAvFlags, with the bit for the code.
    #expect(Array(proof.suffix(16)) == [6, 0, 4, 0, 2, 0, 0, 0] + [UInt8](repeating: 0, count: 8))
    let key = try NTLMAnswer.key(NTLMName("Domain\\User"), password: "Password")
    let session = try NTLMAnswer.code(Array(proof.prefix(16)), key: key)
    var blank = third.bytes
    blank.replaceSubrange(72..<88, with: [UInt8](repeating: 0, count: 16))
    #expect(
      try NTLMAnswer.code(NTLMOpening.bytes + challenge.bytes + blank, key: session)
        == Array(third.bytes[72..<88]))
  }

  @Test(arguments: [
    ("DOM\\user", "user", "DOM"), ("user", "user", ""), ("user@dom.test", "user@dom.test", ""),
    ("DOM\\a\\b", "a\\b", "DOM"), ("\\user", "user", ""),
  ])
  func names(_ name: String, _ user: String, _ domain: String) {
    #expect(NTLMName(name).user == user && NTLMName(name).domain == domain)
  }

  @Test func upperCaseIsLetterByLetter() {
    #expect(NTLMName.uppercased("stra\u{DF}e \u{E4}\u{1F600}") == "STRA\u{DF}E \u{C4}\u{1F600}")
  }

  @Test func whatIsNoMessageIsNone() {
    let whole = message()
    for count in 0..<32 { #expect(NTLMChallenge(Array(whole.prefix(count))) == nil) }
    // Past the end, half an attribute, lengths that overflow.
    for count in 48..<whole.count where count != whole.count { _ = NTLMChallenge(Array(whole.prefix(count))) }
    var far = whole
    far.replaceSubrange(44..<48, with: [255, 255, 255, 255])
    #expect(NTLMChallenge(far) == nil)
    var near = whole
    near.replaceSubrange(44..<48, with: [0, 0, 0, 0])
    #expect(NTLMChallenge(near) == nil)
    #expect(NTLMChallenge(message(info: [2, 0, 200, 0, 1])) == nil)
    var first = whole
    first[8] = 1
    #expect(NTLMChallenge(first) == nil)
    // An old server says nothing of itself.
    #expect(NTLMChallenge(Array(message(flags: 0x0000_8205).prefix(32)))?.attributes == [])
  }
}

/// Fields of an AUTHENTICATE_MESSAGE.
struct ThirdMessage {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func field(_ at: Int) -> [UInt8] {
    let length = Int(bytes[at]) | Int(bytes[at + 1]) << 8
    let start = Int(bytes[at + 4]) | Int(bytes[at + 5]) << 8
    return Array(bytes[start..<(start + length)])
  }
}
