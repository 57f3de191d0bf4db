// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics
import Testing

@testable import BluebonnetAuthentication

@Suite struct DigestAnswerTests {
  private func demand(_ text: String) throws -> DigestChallenge {
    try #require(ChallengeList(text).first("digest").flatMap { DigestChallenge($0) })
  }

  private func parameters(_ field: String) throws -> [String: String] {
    try #require(ChallengeList(field).first("digest")).parameters
  }

  private static let clientNonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"

  /// RFC 7616 §3.9.1.
  @Test(arguments: [
    ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
    ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
  ])
  func theAnswersOfTheRFC(_ algorithm: String, _ response: String) throws {
    let answer = try DigestAnswer(
      to: demand(
        """
        Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=\(algorithm), \
        nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
        """), user: "Mufasa", password: "Circle of Life",
      for: AuthenticatedRequest(method: "GET", target: "/dir/index.html"), clientNonce: Self.clientNonce,
      count: 1)
    #expect(
      try parameters(answer.field.text) == [
        "username": "Mufasa", "realm": "http-auth@example.org", "uri": "/dir/index.html",
        "algorithm": algorithm, "nonce": "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", "nc": "00000001",
        "cnonce": Self.clientNonce, "qop": "auth", "response": response,
        "opaque": "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS",
      ])
  }

  /// RFC 7616 §3.9.2, with the sums of erratum 4897: those that are printed are of SHA-512, cut off.
  @Test func aHashedNameInUTF8() throws {
    let answer = try DigestAnswer(
      to: demand(
        """
        Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, \
        nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", \
        charset=UTF-8, userhash=true
        """), user: "J\u{E4}s\u{F8}n Doe", password: "Secret, or not?",
      for: AuthenticatedRequest(method: "GET", target: "/doe.json"),
      clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v", count: 1)
    let parameters = try parameters(answer.field.text)
    #expect(parameters["username"] == "793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b")
    #expect(parameters["response"] == "3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5")
    #expect(parameters["userhash"] == "true")
  }

  /// Bytes that are not UTF-8 are counted, and go back, as they came (RFC 7616 §3.4).
  @Test func aRealmInISO8859() throws {
    let realm = Array("Ger".utf8) + [0xE4, 0x74]
    let field = FieldValue(bytes: Array("Digest realm=\"".utf8) + realm + Array("\", nonce=\"n\"".utf8))
    let challenge = try #require(ChallengeList(field).first("digest").flatMap { DigestChallenge($0) })
    let answer = try DigestAnswer(
      to: challenge, user: "u", password: "p", for: AuthenticatedRequest(method: "GET", target: "/"),
      clientNonce: "c", count: 1)
    let secret = try #require(HashFunction.md5.hexadecimal(Array("u:".utf8) + realm + Array(":p".utf8)))
    let request = try #require(HashFunction.md5.hexadecimal(Array("GET:/".utf8)))
    let response = try #require(HashFunction.md5.hexadecimal(secret + Array(":n:".utf8) + request))
    #expect(try parameters(answer.field.text)["response"] == String(decoding: response, as: UTF8.self))
    #expect(answer.field.bytes.contains(0xE4) && !answer.field.bytes.contains(0xC3))
  }

  private static let umlaut: [UInt8] = Array("J".utf8) + [0xFC] + Array("rgen".utf8)

  private static let credentials: [(String, String, String, [UInt8], [UInt8])] = [
    ("\u{141}ukasz", "p", "", Array("\u{141}ukasz".utf8), Array("p".utf8)),
    ("u", "\u{141}", "", Array("u".utf8), Array("\u{141}".utf8)),
    // In the challenge's encoding, as far as it goes.
    ("J\u{FC}rgen", "\u{E4}", "", umlaut, [0xE4]),
    ("J\u{FC}rgen", "\u{141}", "", umlaut, Array("\u{141}".utf8)),
    // In UTF-8 where that is asked for.
    ("u", "\u{E4}", ", charset=UTF-8", Array("u".utf8), Array("\u{E4}".utf8)),
  ]

  /// Whatever the user is called, a realm's bytes stay what they were.
  @Test(arguments: credentials)
  func credentialsBesideARealmInISO8859(
    user: String, password: String, more: String, userBytes: [UInt8], passwordBytes: [UInt8]
  ) throws {
    let realm = Array("Ger".utf8) + [0xE4, 0x74]
    let field = FieldValue(
      bytes: Array("Digest realm=\"".utf8) + realm + Array("\", nonce=\"n\"\(more)".utf8))
    let challenge = try #require(ChallengeList(field).first("digest").flatMap { DigestChallenge($0) })
    let answer = try DigestAnswer(
      to: challenge, user: user, password: password,
      for: AuthenticatedRequest(method: "GET", target: "/"), clientNonce: "c", count: 1)
    let known = Array([userBytes, realm, passwordBytes].joined(separator: [Byte.colon]))
    let secret = try #require(HashFunction.md5.hexadecimal(known))
    let request = try #require(HashFunction.md5.hexadecimal(Array("GET:/".utf8)))
    let response = try #require(HashFunction.md5.hexadecimal(secret + Array(":n:".utf8) + request))
    var expected = Array("Digest username=\"".utf8) + userBytes
    expected += Array("\", realm=\"".utf8) + realm
    expected += Array("\", nonce=\"n\", uri=\"/\", response=\"".utf8) + response + [Byte.quote]
    #expect(answer.field.bytes == expected)
  }

  /// RFC 2617 §3.5.
  @Test func theAnswerOfTheOlderRFC() throws {
    let answer = try DigestAnswer(
      to: demand(
        """
        Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", \
        opaque="5ccc069c403ebaf9f0171e9517f40e41"
        """), user: "Mufasa", password: "Circle Of Life",
      for: AuthenticatedRequest(method: "GET", target: "/dir/index.html"), clientNonce: "0a4f113b", count: 1)
    #expect(
      answer.field.text == """
        Digest username="Mufasa", realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", \
        uri="/dir/index.html", cnonce="0a4f113b", nc=00000001, qop=auth, \
        response="6629fae49393a05397450978507c4ef1", opaque="5ccc069c403ebaf9f0171e9517f40e41"
        """)
  }

  /// The sums of a second implementation, Python's hashlib.
  @Test(arguments: [
    // No quality of protection, as RFC 2069 had it.
    (
      "Digest realm=\"r\", nonce=\"n\"", "u", "p", AuthenticatedRequest(method: "GET", target: "/x"),
      "Digest username=\"u\", realm=\"r\", nonce=\"n\", uri=\"/x\", response=\"PLAIN\""
    ),
    // The content is proved as well where nothing else is taken.
    (
      "Digest realm=\"r\", nonce=\"n\", qop=\"auth-int\"", "u", "p",
      AuthenticatedRequest(method: "POST", target: "/x", content: .bytes(Array("body".utf8))),
      "Digest username=\"u\", realm=\"r\", nonce=\"n\", uri=\"/x\", cnonce=\"c\", nc=0000000a, qop=auth-int, response=\"INT\""
    ),
    (
      "Digest realm=\"r\", nonce=\"n\", qop=\"auth-int\"", "u", "p",
      AuthenticatedRequest(method: "GET", target: "/x"),
      "Digest username=\"u\", realm=\"r\", nonce=\"n\", uri=\"/x\", cnonce=\"c\", nc=0000000a, qop=auth-int, response=\"EMPTY\""
    ),
    (
      "Digest realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256-sess", "u", "p",
      AuthenticatedRequest(method: "GET", target: "/x"),
      "Digest username=\"u\", realm=\"r\", nonce=\"n\", uri=\"/x\", cnonce=\"c\", nc=0000000a, qop=auth, response=\"SESS\", algorithm=SHA-256-sess"
    ),
    // Quotes and backslashes are counted without, and sent with a backslash before them.
    (
      "Digest realm=\"a \\\"b\\\\\", nonce=\"n\", qop=auth", "u\"\\", "p\"",
      AuthenticatedRequest(method: "GET", target: "/x"),
      "Digest username=\"u\\\"\\\\\", realm=\"a \\\"b\\\\\", nonce=\"n\", uri=\"/x\", cnonce=\"c\", nc=0000000a, qop=auth, response=\"QUOTED\""
    ),
    // RFC 8187 where the server understands it.
    (
      "Digest realm=\"r\", nonce=\"n\", qop=auth, charset=\"utf-8\"", "J\u{E4} \"x", "p",
      AuthenticatedRequest(method: "GET", target: "/x"),
      "Digest username*=UTF-8''J%C3%A4%20%22x, realm=\"r\", nonce=\"n\", uri=\"/x\", cnonce=\"c\", nc=0000000a, qop=auth, response=\"EXT\""
    ),
  ])
  func answers(
    _ text: String, _ user: String, _ password: String, _ request: AuthenticatedRequest, _ field: String
  ) throws {
    let answer = try DigestAnswer(
      to: demand(text), user: user, password: password, for: request, clientNonce: "c", count: 10)
    var expected = field
    for (name, sum) in Self.sums { expected = expected.replacing("\"\(name)\"", with: "\"\(sum)\"") }
    #expect(answer.field.text == expected)
  }

  private static let sums: [String: String] = [
    "PLAIN": "3042aef13752cb1d63f6787a080ffdfc",
    "INT": "66a278dfa2bde2575ccc715a9329f8e6",
    "EMPTY": "de45aa0f8f26ad759e247ba5fc278c00",
    "SESS": "1d56f1593756556db4a7b3408842b6758d405adfb45ec8051b5bda1adb13edfb",
    "QUOTED": "b16341779e06eb2a17d29058d8c9bb82",
    "EXT": "03c420a5d615adb223e96ad6fb4ed6e5",
    "RSPAUTH": "3b90b539e9a71f87da444cf6597b3d9a",
  ]

  @Test func contentThatIsNotKnownIsNotProved() throws {
    let challenge = try demand("Digest realm=r, nonce=n, qop=\"auth-int\"")
    let request = AuthenticatedRequest(
      method: "PUT", target: "/", content: .unknown("it comes from a stream"))
    let fault = #expect(throws: AuthenticationFault.self) {
      try DigestAnswer(to: challenge, user: "u", password: "p", for: request, clientNonce: "c", count: 1)
    }
    #expect(fault?.kind == .unsupported && fault?.description.contains("it comes from a stream") == true)
  }

  @Test func aNameThatCannotBeWrittenIsRefused() throws {
    let challenge = try demand("Digest realm=r, nonce=n, qop=auth")
    #expect(throws: AuthenticationFault.self) {
      try DigestAnswer(
        to: challenge, user: "a\r\nb", password: "p", for: AuthenticatedRequest(method: "GET", target: "/"),
        clientNonce: "c", count: 1)
    }
  }

  @Test func theServersProofIsLookedAt() throws {
    let answer = try DigestAnswer(
      to: demand("Digest realm=\"r\", nonce=\"n\", qop=\"auth\""), user: "u", password: "p",
      for: AuthenticatedRequest(method: "GET", target: "/x"), clientNonce: "c", count: 10)
    let right = try #require(Self.sums["RSPAUTH"])
    #expect(answer.accepts([:]))
    #expect(answer.accepts(["rspauth": right]))
    #expect(answer.accepts(["rspauth": right.uppercased(), "qop": "auth", "cnonce": "c", "nc": "0000000A"]))
    #expect(!answer.accepts(["rspauth": String(right.reversed())]))
    #expect(!answer.accepts(["rspauth": ""]))
    #expect(!answer.accepts(["rspauth": right, "cnonce": "d"]))
    #expect(!answer.accepts(["rspauth": right, "nc": "0000000b"]))
    #expect(!answer.accepts(["rspauth": right, "nc": "x"]))
    #expect(!answer.accepts(["rspauth": right, "qop": "auth-conf"]))
  }
}
