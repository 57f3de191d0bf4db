// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Testing

@Suite struct ArticleExamplesTests {
  /// Lines without their indentation, so that a block may stand deeper in the file of examples.
  private static func lines(_ text: some StringProtocol) -> String {
    text.split(separator: "\n").map { String($0.drop { $0 == " " }) }.joined(separator: "\n")
  }

  @Test func everySwiftBlockIsCompiledAndRun() throws {
    let here = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let root = here.dropLast(2).joined(separator: "/")
    let article = try Program("cat").run("\(root)/Sources/BluebonnetCore/BluebonnetCore.docc/Core.md").text
    let examples = Self.lines(
      try Program("cat").run(here.joined(separator: "/") + "/ArticleExamples.swift").text)
    // The lines that the article begins with are values of its own.
    let parts = article.split(separator: "```swift\n")
    let blocks = zip(parts, parts.dropFirst()).filter { !$0.0.hasSuffix("begin with these lines:\n\n") }
      .map { $0.1.split(separator: "```")[0] }
    #expect(blocks.count > 6)
    for block in blocks {
      #expect("\n\(examples)\n".contains("\n\(Self.lines(block))\n"), "not compiled:\n\(block)")
    }
  }
}
