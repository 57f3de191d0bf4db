// SPDX-License-Identifier: MIT
import BluebonnetTestAuthority
import Glibc
import Testing

@testable import BluebonnetTLS

/// What OCSP responses say, and which are believed (RFC 6960 §3.2).
@Suite struct OCSPAnswerTests {
  private static let scene = Result { try Scene() }

  struct Scene: Sendable {
    let root: StatusAuthority
    let other: StatusAuthority
    let leaf: StatusLeaf
    let sibling: StatusLeaf
    let responder: StatusLeaf

    init() throws {
      root = try StatusAuthority()
      other = try StatusAuthority("Other Root")
      leaf = try root.server()
      sibling = try root.server(serial: 4_712)
      responder = try root.responder()
    }
  }

  enum Expected: Equatable, Sendable {
    case status(CertificateStatus)
    case fault(RevocationFault)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expected: Expected
    var nonce: [UInt8]?
    let response: @Sendable (Scene) throws -> [UInt8]

    init(
      _ name: String, _ expected: Expected, nonce: [UInt8]? = nil,
      _ response: @escaping @Sendable (Scene) throws -> [UInt8]
    ) {
      testDescription = name
      self.expected = expected
      self.nonce = nonce
      self.response = response
    }

    /// An answer of the root's about the leaf.
    init(
      _ name: String, _ expected: Expected, nonce: [UInt8]? = nil, answer status: TestAnswer.Status = .good,
      _ change: @escaping @Sendable (inout TestAnswer, Scene) throws -> Void
    ) {
      self.init(name, expected, nonce: nonce) { scene in
        var answer = TestAnswer(status)
        try change(&answer, scene)
        return try scene.root.response(about: scene.leaf, answer)
      }
    }
  }

  static let rows: [Row] = [
    Row("good", .status(.good)) { _, _ in },
    Row("unknown", .status(.unknown), answer: .unknown) { _, _ in },
    Row("good by SHA-256", .status(.good)) { answer, _ in answer.identifierDigest = .sha256 },
    Row("an identifier by another function", .fault(.otherCertificate)) { answer, _ in
      answer.identifierDigest = .sha512
    },
    Row("another serial number", .fault(.otherCertificate)) { try $0.root.response(about: $0.sibling) },
    Row("about two, ours second", .status(.good)) { scene in
      try scene.root.response(about: [
        (scene.sibling.certificate, TestAnswer(.unknown)), (scene.leaf.certificate, TestAnswer()),
      ])
    },
    Row("both good and unknown", .status(.unknown)) { scene in
      try scene.root.response(about: [
        (scene.leaf.certificate, TestAnswer()), (scene.leaf.certificate, TestAnswer(.unknown)),
      ])
    },
    Row("another authority", .fault(.wrongSigner)) { scene in
      try scene.root.response(about: [(scene.leaf.certificate, TestAnswer())], signedBy: scene.other)
    },
    Row("another authority's certificate", .fault(.wrongSigner)) { scene in
      try scene.other.response(about: scene.leaf)
    },
    Row("appointed responder", .status(.good)) { answer, scene in answer.responder = scene.responder },
    Row("a responder without the purpose", .fault(.wrongSigner)) { answer, scene in
      answer.responder = try scene.root.responder([.extendedKeyUsage("serverAuth")])
    },
    Row("a responder without any purpose", .fault(.wrongSigner)) { answer, scene in
      answer.responder = try scene.root.responder([])
    },
    Row("the certificate itself", .fault(.wrongSigner)) { answer, scene in answer.responder = scene.leaf },
    Row("another authority's responder", .fault(.wrongSigner)) { answer, scene in
      answer.responder = try scene.other.responder()
    },
    Row("an expired responder", .fault(.wrongSigner)) { answer, scene in
      answer.responder = try scene.root.responder(days: -9 ... -2)
    },
    Row("a responder of an authority below", .fault(.wrongSigner)) { answer, scene in
      let below = try StatusAuthority("Below", below: scene.root)
      answer.responder = try below.responder()
    },
    Row("SHA-1 signature", .fault(.weakSignature)) { answer, _ in answer.signatureDigest = .sha1 },
    Row("out of date", .fault(.expired)) { answer, _ in
      (answer.thisUpdate, answer.nextUpdate) = (-9_000, -600)
    },
    Row("out of date by less than clocks may differ", .status(.good)) { answer, _ in
      (answer.thisUpdate, answer.nextUpdate) = (-9_000, -120)
    },
    Row("not yet", .fault(.notYetValid)) { answer, _ in answer.thisUpdate = 600 },
    Row("not yet, by less than clocks may differ", .status(.good)) { answer, _ in answer.thisUpdate = 120 },
    Row("ends before it begins", .fault(.malformed)) { answer, _ in
      (answer.thisUpdate, answer.nextUpdate) = (-60, -120)
    },
    Row("fresh without an end", .status(.good)) { answer, _ in answer.nextUpdate = nil },
    Row("stale without an end", .fault(.expired)) { answer, _ in
      (answer.thisUpdate, answer.nextUpdate) = (-2 * 86_400, nil)
    },
    Row("the nonce", .status(.good), nonce: [1, 2, 3]) { answer, _ in answer.nonce = [1, 2, 3] },
    Row("no nonce", .status(.good), nonce: [1, 2, 3]) { _, _ in },
    Row("another nonce", .fault(.otherNonce), nonce: [1, 2, 3]) { answer, _ in answer.nonce = [1, 2, 4] },
    Row("a longer nonce", .fault(.otherNonce), nonce: [1, 2, 3]) { answer, _ in answer.nonce = [1, 2, 3, 4] },
    Row("a nonce that nobody asked for", .status(.good)) { answer, _ in answer.nonce = [9] },
    Row("malformedRequest", .fault(.declined(status: 1))) { _ in try StatusAuthority.refusal(1) },
    Row("tryLater", .fault(.declined(status: 3))) { _ in try StatusAuthority.refusal(3) },
    Row("unauthorized", .fault(.declined(status: 6))) { _ in try StatusAuthority.refusal(6) },
    Row("success without an answer", .fault(.malformed)) { _ in try StatusAuthority.refusal(0) },
    Row("nothing", .fault(.malformed)) { _ in [] },
    Row("HTML", .fault(.malformed)) { _ in Array("<html>".utf8) },
    Row("cut short", .fault(.malformed)) { try $0.root.response(about: $0.leaf).dropLast() },
    Row("a byte too many", .fault(.malformed)) { try $0.root.response(about: $0.leaf) + [0] },
    Row("a forged signature", .fault(.wrongSigner)) { scene in
      var bytes = try scene.root.response(about: scene.leaf)
      bytes[bytes.count - 1] ^= 1
      return bytes
    },
  ]

  @Test(arguments: rows) func isBelievedOrNot(_ row: Row) throws {
    let scene = try Self.scene.get()
    #expect(try finding(scene, row.response(scene), row.nonce) == row.expected)
  }

  private func finding(_ scene: Scene, _ response: [UInt8], _ nonce: [UInt8]?) throws -> Expected {
    let question = OCSPQuestion(
      about: try Certificate(der: scene.leaf.der), issuer: try Certificate(der: scene.root.der), nonce: nonce)
    do throws(RevocationFault) {
      return .status(try question.answer(in: response, at: Int64(time(nil))).status)
    } catch {
      return .fault(error)
    }
  }

  @Test func whyAndWhenItWasRevoked() throws {
    let scene = try Self.scene.get()
    let response = try scene.root.response(about: scene.leaf, TestAnswer(.revoked(reason: 1)))
    guard case .status(.revoked(let revocation)) = try finding(scene, response, nil) else {
      Issue.record("not revoked")
      return
    }
    #expect(revocation.reason == 1)
    #expect(revocation.description == "revoked: its key was compromised")
    #expect(try abs(#require(revocation.time) - Int64(time(nil)) + 7_200) < 60)
  }

  /// The clock is the caller's: what is good now was not, and will not be.
  @Test func theClockDecides() throws {
    let scene = try Self.scene.get()
    let question = OCSPQuestion(
      about: try Certificate(der: scene.leaf.der), issuer: try Certificate(der: scene.root.der))
    let response = try scene.root.response(about: scene.leaf)
    let now = Int64(time(nil))
    #expect(try question.answer(in: response, at: now).validUntil.map { abs($0 - now - 3_600) < 60 } == true)
    #expect(throws: RevocationFault.notYetValid) { try question.answer(in: response, at: now - 4_000) }
    #expect(throws: RevocationFault.expired) { try question.answer(in: response, at: now + 8_000) }
  }

  /// No byte of a response can be changed without being noticed, and none crashes.
  @Test func anyOtherByteIsNoticed() throws {
    let scene = try Self.scene.get()
    for status in [TestAnswer.Status.good, .revoked(reason: 1)] {
      let response = try scene.root.response(about: scene.leaf, TestAnswer(status))
      for index in response.indices {
        var changed = response
        changed[index] ^= 0x40
        guard case .status = try finding(scene, changed, nil) else { continue }
        Issue.record("believed with another byte at \(index)")
      }
    }
  }

  @Test func aRequestNamesTheCertificateAndTheNonce() throws {
    let scene = try Self.scene.get()
    let nonce = OCSPQuestion.freshNonce()
    #expect(nonce.count == 32)
    #expect(nonce != OCSPQuestion.freshNonce())
    let (leaf, root) = (try Certificate(der: scene.leaf.der), try Certificate(der: scene.root.der))
    let request = try #require(OCSPQuestion(about: leaf, issuer: root, nonce: nonce).request)
    let plain = try #require(OCSPQuestion(about: leaf, issuer: root).request)
    // 4711 as an INTEGER.
    for bytes in [request, plain] { #expect(bytes.holds([0x02, 0x02, 0x12, 0x67])) }
    #expect(request.holds(nonce))
    #expect(plain.count < request.count)
  }
}

extension [UInt8] {
  fileprivate func holds(_ other: [UInt8]) -> Bool {
    indices.contains { self[$0...].starts(with: other) }
  }
}
