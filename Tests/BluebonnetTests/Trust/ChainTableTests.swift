// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTLS
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// The chains of `Fixtures/tls/chains.json`, as evaluators judge them. `Tests/Chains/run` offers the same to whole requests.
@Suite struct ChainTableTests {
  struct Table: Decodable {
    let certificates: [String: String]
    let cases: [Case]
  }

  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let host: String
    let anchors: [String]
    let chain: [String]
    let lists: [String]
    /// The reason in the words of `TrustFailure.Reason`, or a finer one where that is `other`.
    let refused: String?

    var testDescription: String { name }
  }

  static let table: Table? = {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Fixtures/tls/chains.json")
    return try? JSONDecoder().decode(Table.self, from: Data(contentsOf: file))
  }()

  /// Lists stand in the same file as the anchors, and there none is required.
  static let cases = (table?.cases ?? []).filter { $0.refused != "listMissing" }

  private static func pem(_ name: String) throws -> String { try #require(table?.certificates[name]) }

  private static func trust(_ row: Case) throws -> ServerTrust {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).pem")
    try Data((row.anchors.map(pem) + row.lists).joined().utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try ServerTrust(
      host: row.host, chain: row.chain.map { try Certificate(pem: pem($0)) }, anchors: .file(file.path))
  }

  @Test func theyAreAllThere() {
    #expect(Self.cases.count >= 115)
    #expect(Self.cases.contains { $0.refused == nil } && Self.cases.contains { $0.refused != nil })
  }

  @Test(arguments: cases) func isJudged(_ row: Case) throws {
    let trust = try Self.trust(row)
    let leaf = SecCertificate(try #require(trust.leaf))
    let evaluators: [any ServerTrustEvaluating] = [
      DefaultTrustEvaluator(),
      // A pin that holds makes no bad chain good.
      PublicKeysTrustEvaluator(keys: [leaf.af.publicKey].compactMap(\.self)),
      PinnedCertificatesTrustEvaluator(certificates: [leaf]),
      try PublicKeyHashesTrustEvaluator(hashes: [try #require(leaf.af.publicKeyHash)]),
    ]
    for evaluator in evaluators {
      if row.refused == nil {
        try evaluator.evaluate(SecTrust(trust), forHost: row.host)
      } else {
        #expect(throws: (any Error).self, "\(evaluator)") {
          try evaluator.evaluate(SecTrust(trust), forHost: row.host)
        }
      }
    }
  }

  @Test(arguments: cases) func isRefusedForItsReason(_ row: Case) throws {
    let reasons: [String: TrustFailure.Reason] = [
      "expired": .expired, "notYetValid": .notYetValid, "selfSigned": .selfSigned,
      "unknownIssuer": .unknownIssuer, "wrongHost": .wrongHost, "revoked": .revoked,
    ]
    let failure = try Self.trust(row).failure
    #expect(failure?.reason == row.refused.map { reasons[$0] ?? .other }, "\(String(describing: failure))")
  }
}
