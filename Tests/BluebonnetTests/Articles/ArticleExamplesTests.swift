import BluebonnetFoundation
import Testing

@testable import Bluebonnet

@Suite struct ArticleExamplesTests {
  private static let here = URL(fileURLWithPath: #filePath)
  private static let root = here.deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let catalog = root.appendingPathComponent("Sources/Bluebonnet/Bluebonnet.docc")

  /// Lines without their indentation, so that a block may stand deeper in the file of examples.
  private static func lines(_ text: some StringProtocol) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: true)
      .map { $0.drop { $0 == " " } }
      .joined(separator: "\n")
  }

  @Test(arguments: [
    "Bluebonnet", "Usage", "MigratingFromAlamofire", "Architecture", "ResumingDownloads", "StreamingBodies",
    "WebSockets", "Authentication", "Proxies", "Cookies", "Caching",
    "KeepingResponses", "ClientCertificates", "Revocation",
  ])
  func everySwiftBlockIsCompiled(_ article: String) throws {
    let blocks = try Self.swiftBlocks(of: Self.catalog.appendingPathComponent("\(article).md"))
    if article == "Usage" { #expect(blocks.count > 10) }
    try Self.expectCompiled(blocks)
  }

  @Test func theReadmeIsCompiled() throws {
    let blocks = try Self.swiftBlocks(of: Self.root.appendingPathComponent("README.md"))
    // CI builds and runs it.
    let first = try String(
      contentsOf: Self.root.appendingPathComponent("Tests/Clients/Sources/First/main.swift"), encoding: .utf8)
    #expect(blocks.contains(first))
    // The rest but for what belongs into a manifest.
    let others = blocks.filter { $0 != first && $0.contains("AF.") }
    #expect(!others.isEmpty)
    try Self.expectCompiled(others)
  }

  @Test func everyArticleIsNamedInTheReadme() throws {
    let readme = try String(contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
    let sources = Self.root.appendingPathComponent("Sources")
    for module in try FileManager.default.contentsOfDirectory(atPath: sources.path) {
      let catalog = "\(module)/\(module).docc"
      let files = try? FileManager.default.contentsOfDirectory(
        atPath: sources.appendingPathComponent(catalog).path)
      for file in files ?? [] where file.hasSuffix(".md") && file != "\(module).md" {
        #expect(readme.contains("(Sources/\(catalog)/\(file))"), "\(file) is not in the README")
      }
    }
  }

  private static func swiftBlocks(of file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
  }

  private static func expectCompiled(_ blocks: [String]) throws {
    let folder = here.deletingLastPathComponent()
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let examples = try files.filter { $0.hasSuffix("Examples.swift") }
      .map { lines(try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)) }
      .joined(separator: "\n")
    for block in blocks {
      #expect("\n\(examples)\n".contains("\n\(lines(block))\n"), "not compiled:\n\(block)")
    }
  }

  @Test func routesAreRequests() throws {
    #expect(try Route.user(id: 3).asURLRequest().url?.path == "/users/3")
    #expect(try Route.search("a b").asURLRequest().url?.query == "q=a%20b")
  }
}
