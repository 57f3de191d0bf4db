// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import BluebonnetTLS

/// Certificate chains that others made to find weak verifiers (C2SP/x509-limbo).
@Suite struct LimboTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    struct Name: Decodable, Sendable {
      let value: String
    }

    let id: String
    let trusted_certs: [String]
    let untrusted_intermediates: [String]
    let peer_certificate: String
    let peer_certificate_key: String?
    let validation_time: String?
    let expected_result: String
    let expected_peer_name: Name?
    let crls: [String]

    var testDescription: String { id }
    var isExpectedToHold: Bool { expected_result == "SUCCESS" }
  }

  private struct Suite: Decodable {
    let testcases: [Case]
  }

  static let cases: [Case] = {
    let file = fixtures.appendingPathComponent("x509-limbo.json")
    let suite = try? JSONDecoder().decode(Suite.self, from: Data(contentsOf: file))
    return suite?.testcases ?? []
  }()

  /// Whose rules apply.
  enum Anchors: String, CaseIterable, Sendable {
    case own, ownStrict, system
  }

  /// Whether `openssl verify` believes a case, by its id and by `Anchors`; `verdicts.py` has asked it.
  static let verdicts: [String: [String: Bool]] = {
    let file = fixtures.appendingPathComponent("verdicts.json")
    return (try? JSONDecoder().decode([String: [String: Bool]].self, from: Data(contentsOf: file))) ?? [:]
  }()

  private static let fixtures = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/x509")

  /// What is believed though the suite would not, and why.
  static let believed: [String: String] = [
    "crl::crlnumber-missing": "no verdict depends on a list's number",
    "cve::cve-2025-61727":
      "OpenSSL compares an excluded name with the wildcard itself, not with all it stands for",
    "pathlen::max-chain-depth-0-exhausted": "the limit is the case's; there is none to set here",
    "pathlen::max-chain-depth-1-exhausted": "the limit is the case's; there is none to set here",
    "rfc5280::nc::permitted-dns-match-noncritical": "name constraints are obeyed, marked critical or not",
    "rfc5280::nc::not-allowed-in-ee-noncritical": "name constraints of a leaf constrain nobody",
    "rfc5280::san::underscore-dns": "hosts with underscores exist, whatever RFC 1034 says",
    "rfc5280::serial::too-long": "a form only",
    "rfc5280::serial::negative": "a form only",
    "webpki::aki::root-with-aki-authoritycertserialnumber": "a form only, of an anchor",
    "webpki::cn::ipv4-hex-mismatch": "the common name does not count, so it may say what it likes",
    "webpki::cn::ipv4-leading-zeros-mismatch": "the common name does not count, so it may say what it likes",
    "webpki::cn::ipv6-uppercase-mismatch": "the common name does not count, so it may say what it likes",
    "webpki::cn::ipv6-uncompressed-mismatch": "the common name does not count, so it may say what it likes",
    "webpki::cn::punycode-not-in-san": "the common name does not count, so it may say what it likes",
    "webpki::cn::utf8-vs-punycode-mismatch": "the common name does not count, so it may say what it likes",
    "webpki::cn::case-mismatch": "the common name does not count, so it may say what it likes",
    "webpki::eku::ee-without-eku": "RFC 5280 §4.2.1.12: without the extension any use is allowed",
    "webpki::eku::root-has-eku": "an anchor may be restricted; the restriction is obeyed",
    "webpki::san::public-suffix-multi-label-wildcard-san": "there is no list of public suffixes here",
    "webpki::san::san-critical-with-nonempty-subject": "a form only",
    "webpki::forbidden-dsa-root": "chains may have DSA in them; no handshake has, for no cipher uses it",
    "webpki::forbidden-dsa-leaf": "chains may have DSA in them; no handshake has, for no cipher uses it",
    "webpki::forbidden-rsa-not-divisible-by-8-in-root": "a form only; the key is strong enough",
    "webpki::ee-basicconstraints-ca": "an authority may serve, if its certificate is for serving",
  ]

  /// What is believed only where one's own anchors are not evaluated strictly: lapses of form that private authorities
  /// are known for.
  static let believedUnlessStrict: [String: String] = [
    "rfc5280::aki::leaf-missing-aki": "the issuer's key is found by trying",
    "rfc5280::ski::root-missing-ski": "the issuer's key is found by trying",
    "rfc5280::ca-empty-subject": "an anchor is what somebody named, nameless or not",
    "rfc5280::leaf-ku-keycertsign": "it is no authority, so its key signs nothing",
  ]

  /// What is refused though the suite would believe it.
  static let refused: [String: String] = [
    "crl::issuer-no-keyusage-extension": "strictly, an authority says that it may sign (RFC 5280 §4.2.1.3)",
    "cve::cve-2024-0567": "among the system's anchors only those that sign themselves end a chain",
    "pathlen::validation-ignores-pathlen-in-leaf":
      "OpenSSL: its key usage is to sign certificates, not to serve",
    "rfc5280::ca-as-leaf": "OpenSSL: its key usage is to sign certificates, not to serve",
    "rfc5280::validity::notafter-exact": "OpenSSL: the last second is over when it begins",
  ]

  @Test func theyAreAllThere() {
    #expect(Self.cases.count == 93)
    #expect(Self.verdicts.keys.sorted() == Self.cases.map(\.id).sorted())
  }

  @Test(arguments: cases, Anchors.allCases) func isEvaluated(row: Case, anchors: Anchors) throws {
    let holds = try Self.holds(row, by: anchors)
    switch (row.isExpectedToHold, holds) {
    case (true, true), (false, false): break
    case (false, true):
      let reason = Self.believed[row.id] ?? (anchors == .own ? Self.believedUnlessStrict[row.id] : nil)
      #expect(reason != nil, "\(row.id) must be refused")
    case (true, false): #expect(Self.refused[row.id] != nil, "\(row.id) is good")
    }
  }

  @Test(arguments: cases, Anchors.allCases)
  func nothingIsBelievedThatOpenSSLRefuses(row: Case, anchors: Anchors) throws {
    let verdicts = try #require(Self.verdicts[row.id])
    #expect(try verdicts[anchors.rawValue] == true || !Self.holds(row, by: anchors), "\(row.id)")
  }

  @Test func noExceptionIsIdle() throws {
    let listed = Self.believed.merging(Self.believedUnlessStrict) { $1 }.merging(Self.refused) { $1 }
    for id in listed.keys {
      let row = try #require(Self.cases.first { $0.id == id }, "\(id)")
      let verdicts = try Anchors.allCases.map { try Self.holds(row, by: $0) }
      #expect(verdicts.contains(!row.isExpectedToHold), "\(id)")
    }
  }

  private static func holds(_ row: Case, by anchors: Anchors) throws -> Bool {
    // Not all of the bytes are certificates.
    guard
      let chain = try? ([row.peer_certificate] + row.untrusted_intermediates).map({ try Certificate(pem: $0) }
      )
    else { return false }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).pem")
    try Data((row.trusted_certs + row.crls).joined(separator: "\n").utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let store: TrustStore
    switch anchors {
    case .own: store = try TrustStore.store(for: .file(file.path))
    case .ownStrict: store = try TrustStore.store(for: .file(file.path), isStrict: true)
    case .system: store = try TrustStore(SystemAnchors(file: file.path, directories: [], bundles: []))
    }
    let time = try row.validation_time.map { try Date($0, strategy: .iso8601) }
    let evaluation = TrustEvaluation(
      host: row.expected_peer_name?.value, time: time.map { Int64($0.timeIntervalSince1970) })
    if case .success = evaluation.run(CertificateStack(chain), in: store) { return true }
    return false
  }
}
