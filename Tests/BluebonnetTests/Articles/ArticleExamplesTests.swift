import BluebonnetFoundation
import Testing

@testable import Bluebonnet

@Suite struct ArticleExamplesTests {
  private static let here = URL(fileURLWithPath: #filePath)
  private static let catalog = here.deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/Bluebonnet/Bluebonnet.docc")

  /// Lines without their indentation, so that a block may stand deeper in the file of examples.
  private static func lines(_ text: some StringProtocol) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: true)
      .map { $0.drop { $0 == " " } }
      .joined(separator: "\n")
  }

  @Test(arguments: ["Bluebonnet", "Usage", "MigratingFromAlamofire", "Architecture"])
  func everySwiftBlockIsCompiled(_ article: String) throws {
    let text = try String(
      contentsOf: Self.catalog.appendingPathComponent("\(article).md"), encoding: .utf8)
    let examples = Self.lines(
      try String(
        contentsOf: Self.here.deletingLastPathComponent().appendingPathComponent("ArticleExamples.swift"),
        encoding: .utf8))
    let blocks = text.components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
    if article == "Usage" { #expect(blocks.count > 10) }
    for block in blocks {
      #expect("\n\(examples)\n".contains("\n\(Self.lines(block))\n"), "not compiled:\n\(block)")
    }
  }

  @Test func routesAreRequests() throws {
    #expect(try Route.user(id: 3).asURLRequest().url?.path == "/users/3")
    #expect(try Route.search("a b").asURLRequest().url?.query == "q=a%20b")
  }
}
