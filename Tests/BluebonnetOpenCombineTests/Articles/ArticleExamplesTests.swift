// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import Testing

@Suite struct ArticleExamplesTests {
  private static let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  /// Lines without their indentation, so that a block may stand deeper in the file of examples.
  private static func lines(_ text: some StringProtocol) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: true)
      .map { $0.drop { $0 == " " } }
      .joined(separator: "\n")
  }

  @Test func everySwiftBlockIsCompiledAndRun() throws {
    let article = Self.here.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appendingPathComponent("Sources/BluebonnetOpenCombine/BluebonnetOpenCombine.docc/Publishers.md")
    let examples = Self.lines(
      try String(contentsOf: Self.here.appendingPathComponent("ArticleExamples.swift"), encoding: .utf8))
    // The lines that the article begins with are values of its own.
    let parts = try String(contentsOf: article, encoding: .utf8).components(separatedBy: "```swift\n")
    let blocks = zip(parts, parts.dropFirst()).filter { !$0.0.hasSuffix("begin with these lines:\n\n") }
      .map { $0.1.components(separatedBy: "```")[0] }
    #expect(blocks.count > 5)
    for block in blocks {
      #expect("\n\(examples)\n".contains("\n\(Self.lines(block))\n"), "not compiled:\n\(block)")
    }
  }
}
