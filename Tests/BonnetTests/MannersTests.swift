// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestSupport
import Testing

@testable import bonnet

/// The program as a whole: its messages and how it ends.
@Suite struct MannersTests {
  /// The exit status, and both streams as they come.
  private func run(_ arguments: String...) async throws -> (status: Int32, text: String) {
    let program = Program.product("bonnet").path
    return try await detached {
      let outcome = try Program("sh").run(
        ["-c", "unset CURL_HOME XDG_CONFIG_HOME HOME; exec \"$0\" \"$@\" 2>&1", program] + arguments)
      return (outcome.status, outcome.text)
    }
  }

  private static let hint = "bonnet: try 'bonnet --help' for more information\n"

  @Test func withoutArguments() async throws {
    let (status, text) = try await run()
    #expect(status == 2)
    #expect(text == Self.hint)
  }

  @Test func withoutURL() async throws {
    let (status, text) = try await run("-s")
    #expect(status == 2)
    #expect(text == "bonnet: no URL given\n" + Self.hint)
  }

  /// Nothing is sent, as with curl 8.
  @Test(arguments: ["-d", "--data-binary", "--json"]) func missingDataFile(option: String) async throws {
    let origin = try Origin.start()
    let (status, text) = try await run("-s", option, "@/nowhere/none", origin.baseURL + "/post")
    #expect(status == 26)
    #expect(text == "bonnet: (26) option \(option): cannot read /nowhere/none: No such file or directory\n")
    #expect(origin.requests.isEmpty)
  }

  @Test func missingFormFile() async throws {
    let (status, text) = try await run("-sS", "-F", "a=@/nowhere/none", "http://127.0.0.1/")
    #expect(status == 26)
    #expect(text == "bonnet: (26) cannot read /nowhere/none: No such file or directory\n")
  }

  /// As with curl, -s does not hide it.
  @Test func unknownVariable() async throws {
    let origin = try Origin.start()
    let (status, text) = try await run(
      "-s", "-o", "/dev/null", "-w", "%{nosuch}x%{http_code}", origin.baseURL + "/ip")
    #expect(status == 0)
    #expect(text == "bonnet: unknown --write-out variable: 'nosuch'\nx200")
  }

  @Test func messagesHaveLinesOfTheirOwn() async throws {
    let origin = try Origin.start()
    let (status, text) = try await run("-v", "-o", "/dev/null", "http://127.0.0.1:\(origin.port)/ip")
    #expect(status == 0)
    #expect(text.contains("--:--:--     0\n*   Trying 127.0.0.1:\(origin.port)...\n* Connected to "))
  }

  @Test func tour() async throws {
    let (status, text) = try await run("--tour")
    #expect(status == 0)
    #expect(text.hasSuffix(Tour.next + "\n"))
    #expect(Tour.next.split(separator: "\n").allSatisfy { $0.count < 80 })
    #expect(text.contains("\nEverything as promised.\n"))
  }

  @Test func completions() async throws {
    #expect(try await run("--completions", "fish").text == CompletionScript.text(for: .fish))
    #expect(try await run("--man").text == ManualPage.text)
    let (status, text) = try await run("--completions", "csh")
    #expect(status == 2)
    #expect(
      text
        == "bonnet: option --completions: there are completions for bash, zsh and fish, not for 'csh'\n"
        + Self.hint)
  }

  @Test func priorKnowledgeOfHTTP2IsRefused() async throws {
    let (status, text) = try await run("-s", "--http2-prior-knowledge", "http://127.0.0.1/")
    #expect(status == 2)
    #expect(
      text == "bonnet: option --http2-prior-knowledge: HTTP/1.1 and HTTP/1.0 are supported\n" + Self.hint)
  }
}
