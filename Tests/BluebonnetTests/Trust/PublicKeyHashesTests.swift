// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTLS
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// Pins by the hash of the public key.
@Suite struct PublicKeyHashesTests {
  private let authority: CertificateAuthority
  private let identity: TLSIdentity
  private let stranger: String

  init() throws {
    authority = try CertificateAuthority()
    identity = try authority.issue(names: [.dns("good.example")])
    stranger = try #require(Self.hash(CertificateAuthority().certificate))
  }

  private static func hash(_ certificate: Certificate) -> String? {
    SecCertificate(certificate).af.publicKeyHash
  }

  private func pin(_ certificate: Certificate) throws -> String { try #require(Self.hash(certificate)) }

  private func trust(anchored: Bool = true, sentAlong: [Certificate] = []) throws -> SecTrust {
    SecTrust(
      try ServerTrust(
        host: "good.example", chain: identity.chain + sentAlong,
        anchors: .certificates(anchored ? [authority.certificate] : [])))
  }

  private func refusal(
    of evaluator: any ServerTrustEvaluating, host: String = "good.example", _ trust: SecTrust
  ) -> String? {
    do {
      try evaluator.evaluate(trust, forHost: host)
      return nil
    } catch {
      guard case .serverTrustEvaluationFailed(let reason)? = error.asAFError else { return "\(error)" }
      return String("\(reason)".prefix { $0 != "(" })
    }
  }

  /// `openssl x509 -pubkey | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64`
  @Test func aHashIsWhatOtherProgramsCompute() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Fixtures/tls/server.pem")
    let certificate = try #require(SecCertificate(pem: String(contentsOf: file, encoding: .utf8)))
    #expect(certificate.af.publicKeyHash == "sha256/pFiESlGrB7YL7g+OvNvdsI+e4yoSSnj/JuD8RgtKIGQ=")
  }

  @Test func aHashInTheChainIsEnough() throws {
    for certificate in [identity.certificate, authority.certificate] {
      let pin = try pin(certificate)
      for text in [pin, "sha256//" + pin.dropFirst(7), String(pin.dropFirst(7))] {
        #expect(refusal(of: try .publicKeyHashes([text]), try trust()) == nil)
        #expect(refusal(of: try .publicKeyHashes([stranger, text]), try trust()) == nil)
        #expect(refusal(of: try .publicKeyHashes([stranger], backupHashes: [text]), try trust()) == nil)
      }
    }
    #expect(refusal(of: try .publicKeyHashes([stranger]), try trust()) == "publicKeyPinningFailed")
    #expect(try trust().af.publicKeyHashes == [pin(identity.certificate), pin(authority.certificate)])
  }

  @Test func theRestIsCheckedAsWell() throws {
    let pins = [try pin(identity.certificate)]
    #expect(
      refusal(of: try .publicKeyHashes(pins), host: "bad.example", try trust()) == "trustEvaluationFailed")
    #expect(refusal(of: try .publicKeyHashes(pins), try trust(anchored: false)) == "trustEvaluationFailed")
    let lenient = try PublicKeyHashesTrustEvaluator(
      hashes: pins, performDefaultValidation: false, validateHost: false)
    #expect(refusal(of: lenient, host: "bad.example", try trust(anchored: false)) == nil)
    let hostless = try PublicKeyHashesTrustEvaluator(hashes: pins, validateHost: false)
    #expect(refusal(of: hostless, host: "bad.example", try trust()) == nil)
    #expect(refusal(of: hostless, try trust(anchored: false)) == "trustEvaluationFailed")
  }

  /// A pinned certificate that a server merely sends along proves nothing.
  @Test func whatIsSentAlongDoesNotCount() throws {
    let other = try CertificateAuthority().certificate
    for performs in [true, false] {
      let evaluator = try PublicKeyHashesTrustEvaluator(
        hashes: [pin(other)], performDefaultValidation: performs, validateHost: performs)
      #expect(refusal(of: evaluator, try trust(sentAlong: [other])) == "publicKeyPinningFailed")
    }
  }

  @Test(arguments: [
    "", "sha256/", "sha256//", "sha1/2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "AAAA",
    "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
    "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "SHA256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", " AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA-=", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=;",
    "sha256///AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
  ])
  func malformedPinsAreRefusedAtOnce(text: String) throws {
    for evaluator in [
      { try PublicKeyHashesTrustEvaluator(hashes: [stranger, text]) },
      { try PublicKeyHashesTrustEvaluator(hashes: [stranger], backupHashes: [text]) },
    ] {
      let error = #expect(throws: PublicKeyHashError.self) { _ = try evaluator() }
      #expect(error?.hash == text && error?.localizedDescription.contains("Base64") == true)
    }
  }

  /// A hash may begin with the letter that marks end with.
  @Test func aSlashInFrontIsPartOfTheHash() throws {
    let zeros = String(repeating: "A", count: 42)
    #expect(try PublicKeyHash("/\(zeros)=") == PublicKeyHash("sha256//\(zeros)="))
    #expect(try PublicKeyHash("sha256///\(zeros)=") == PublicKeyHash("/\(zeros)="))
    #expect(try PublicKeyHash("sha256//A\(zeros)=") == PublicKeyHash("A\(zeros)="))
    #expect(try PublicKeyHash("sha256/A\(zeros)=").description == "sha256/A\(zeros)=")
  }

  @Test func noPinsAndFalseBackupsAreRefused() throws {
    #expect(throws: PublicKeyHashError.self) { try PublicKeyHashesTrustEvaluator(hashes: []) }
    #expect(throws: PublicKeyHashError.self) {
      try PublicKeyHashesTrustEvaluator(hashes: [], backupHashes: [stranger])
    }
    let error = #expect(throws: PublicKeyHashError.self) {
      try PublicKeyHashesTrustEvaluator(hashes: [stranger], backupHashes: [String(stranger.dropFirst(7))])
    }
    #expect(error?.localizedDescription.contains("backup") == true)
  }
}

/// Pins that are kept in files.
@Suite struct PublicKeyHashFileTests {
  private static let hash = "sha256/" + String(repeating: "A", count: 43) + "="

  private func withFile<R>(_ data: Data, _ body: (URL) throws -> R) throws -> R {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("pins-\(UUID())")
    try data.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try body(file)
  }

  private func files(_ value: some Encodable) throws -> [Data] {
    let (xml, binary) = (PropertyListEncoder(), PropertyListEncoder())
    xml.outputFormat = .xml
    binary.outputFormat = .binary
    return [try JSONEncoder().encode(value), try xml.encode(value), try binary.encode(value)]
  }

  @Test func bothFormsOfEitherKind() throws {
    for data in try files([Self.hash]) {
      try withFile(data) { file in
        _ = try PublicKeyHashesTrustEvaluator(contentsOf: file)
        let error = #expect(throws: PublicKeyHashError.self) {
          try PublicKeyHashesTrustEvaluator.evaluators(contentsOf: file)
        }
        #expect(error?.reason.contains(file.path) == true)
      }
    }
    for data in try files(["a.example": [Self.hash], "*.b.example": [Self.hash]]) {
      try withFile(data) { file in
        let evaluators = try PublicKeyHashesTrustEvaluator.evaluators(contentsOf: file)
        let manager = ServerTrustManager(evaluators: evaluators)
        #expect(
          try manager.serverTrustEvaluator(forHost: "x.b.example") is PublicKeyHashesTrustEvaluator)
        #expect(throws: AFError.self) { try manager.serverTrustEvaluator(forHost: "b.example") }
        #expect(throws: PublicKeyHashError.self) { try PublicKeyHashesTrustEvaluator(contentsOf: file) }
      }
    }
  }

  @Test(arguments: [
    ["a.example", "A.Example"], ["a.example", "a.example."], ["*.b.example", "*.B.example"],
    ["b\u{FC}cher.example", "xn--bcher-kva.example"], ["127.0.0.1", "127.1"],
  ])
  func hostsInTwoSpellingsAreRefused(_ names: [String]) throws {
    for data in try files([names[0]: [Self.hash], names[1]: [Self.hash]]) {
      try withFile(data) { file in
        let error = #expect(throws: PublicKeyHashError.self) {
          try PublicKeyHashesTrustEvaluator.evaluators(contentsOf: file)
        }
        #expect(error?.reason.contains("twice, in another spelling") == true)
      }
    }
  }

  @Test func whatIsNoSuchFileIsRefused() throws {
    let texts = [
      "", "{}", "[]", "[1]", "{\"a.example\": \"\(Self.hash)\"}", "{\"a.example\": []}", "[\"AAAA\"]",
      "{\"a.example\": [\"AAAA\"]}", "<plist>", "bplist00", "\(Self.hash)", "[\"\(Self.hash)\"",
      "{\"a.example\": [\"\(Self.hash)\"], \"\\u0061.example\": [\"\(Self.hash)\"]}",
    ]
    for text in texts {
      try withFile(Data(text.utf8)) { file in
        #expect(throws: PublicKeyHashError.self, "\(text)") {
          try PublicKeyHashesTrustEvaluator(contentsOf: file)
        }
        #expect(throws: PublicKeyHashError.self, "\(text)") {
          try PublicKeyHashesTrustEvaluator.evaluators(contentsOf: file)
        }
      }
    }
    #expect(throws: (any Error).self) {
      try PublicKeyHashesTrustEvaluator(contentsOf: URL(fileURLWithPath: "/nowhere/pins.json"))
    }
  }
}
