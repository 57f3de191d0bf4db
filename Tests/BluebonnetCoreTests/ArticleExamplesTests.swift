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
    let blocks = article.split(separator: "```swift\n").dropFirst().map { $0.split(separator: "```")[0] }
    #expect(blocks.count > 7)
    for block in blocks {
      #expect("\n\(examples)\n".contains("\n\(Self.lines(block))\n"), "not compiled:\n\(block)")
    }
  }
}
