// SPDX-License-Identifier: MIT
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

  /// That all others compile is what `Tests/Examples/run` checks.
  @Test(arguments: [
    "ResumingDownloads", "StreamingBodies", "WebSockets", "Authentication", "Proxies", "Cookies", "Caching",
    "KeepingResponses", "ClientCertificates", "Revocation",
  ])
  func testsRunTheExamplesOf(_ article: String) throws {
    let blocks = try Self.swiftBlocks(of: Self.catalog.appendingPathComponent("\(article).md"))
    let folder = Self.here.deletingLastPathComponent()
    let examples = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix("Examples.swift") }
      .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
      .map { $0.split(separator: "\n").filter { !$0.hasSuffix("  // not in the article") } }
      .map { Self.lines($0.joined(separator: "\n")) }
      .joined(separator: "\n")
    #expect(!blocks.isEmpty)
    for block in blocks {
      // Tests have values of their own for those at a block's beginning.
      var code = Self.lines(block).split(separator: "\n")[...]
      func isRun() -> Bool { "\n\(examples)\n".contains("\n\(code.joined(separator: "\n"))\n") }
      while !isRun(), code.first?.hasPrefix("let ") == true { code.removeFirst() }
      #expect(!code.isEmpty && isRun(), "not run:\n\(block)")
    }
  }

  @Test func theFirstProgramOfTheReadmeIsBuilt() throws {
    let readme = try String(contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
    // CI builds and runs it.
    let first = try String(
      contentsOf: Self.root.appendingPathComponent("Tests/Clients/Sources/First/main.swift"), encoding: .utf8
    ).replacing("// SPDX-License-Identifier: MIT\n", with: "")
    #expect(readme.contains("```swift\n\(first)```"))
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

  /// The Swift blocks of an article but for the lines that it begins with: their values are the article's own.
  private static func swiftBlocks(of file: URL) throws -> [String] {
    let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```swift\n")
    return zip(parts, parts.dropFirst()).filter { !$0.0.hasSuffix("begin with these lines:\n\n") }
      .map { $0.1.components(separatedBy: "```")[0] }
  }

  @Test func routesAreRequests() throws {
    #expect(try Route.user(id: 3).asURLRequest().url?.path == "/users/3")
    #expect(try Route.search("a b").asURLRequest().url?.query == "q=a%20b")
  }
}
