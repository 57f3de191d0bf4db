// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import Testing

@testable import Bluebonnet

/// What people are told when something goes wrong.
@Suite struct MistakeTests {
  @Test(arguments: Mistake.all) func saysWhatWentWrong(_ mistake: Mistake) async throws {
    let stage = try MistakeStage()
    let error = try #require(try await mistake.make(stage))
    let text = stage.emptied(error.localizedDescription)
    #expect(Self.matches(text, mistake.text), "it says:\n\(text)\ninstead of:\n\(mistake.text)")
    for words in [text, stage.emptied("\(error)"), stage.emptied(String(reflecting: error))] {
      #expect(!words.contains("canary"), "a secret in: \(words)")
    }
  }

  @Test func thereAreMoreThanFortyOfThem() {
    #expect(Mistake.all.count > 40)
    #expect(Set(Mistake.all.map(\.testDescription)).count == Mistake.all.count)
  }

  /// Whether the pieces between the ellipses of `pattern` are found in `text` in their order, the first at its
  /// beginning and the last at its end. An elided query is an ellipsis that is really there.
  private static func matches(_ text: String, _ pattern: String) -> Bool {
    let pieces = pattern.replacing("?…", with: "?QUERY").components(separatedBy: "…")
    var rest = Substring(text.replacing("?…", with: "?QUERY"))
    guard let first = pieces.first, let last = pieces.last, rest.hasPrefix(first) else { return false }
    rest = rest.dropFirst(first.count)
    guard pieces.count > 1 else { return rest.isEmpty }
    for piece in pieces.dropFirst().dropLast() {
      guard let range = rest.firstRange(of: piece) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(last)
  }
}
