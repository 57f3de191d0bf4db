// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// Replays what the fuzzers found, without a fuzzer: every file of the corpus keeps its target's invariant.
@Suite struct CorpusTests {
  static let corpora = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../../../Fixtures/corpora").standardized

  @Test(arguments: Invariant.allCases) func theCorpusKeepsTheInvariant(_ invariant: Invariant) throws {
    let folder = Self.corpora.appendingPathComponent(invariant.rawValue)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.count > 20, "hardly a corpus")
    for name in names {
      let input = try Data(contentsOf: folder.appendingPathComponent(name))
      #expect(invariant.violation(Array(input)) == nil, "\(invariant) \(name)")
    }
  }

  @Test func everyCorpusHasATarget() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.corpora.path)
    #expect(Set(names) == Set(Invariant.allCases.map(\.rawValue) + ["asn1.dict", "http.dict"]))
  }
}
