// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetOrigin
import BluebonnetTestSupport
import Testing

@testable import bonnet

/// The program as a whole: its messages and how it ends.
@Suite struct MannersTests {
  /// The exit status, and both streams as they come.
  private func run(_ arguments: String...) async throws -> (status: Int32, text: String) {
    try await run(arguments)
  }

  private func run(_ arguments: [String]) async throws -> (status: Int32, text: String) {
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

  /// A server's words in a message do not steer the terminal.
  @Test func controlCharactersOfServers() async throws {
    let origin = try Origin.start()
    let coding = (name: "Content-Encoding", value: "\u{1B}]0;x\u{07}\u{9B}2J")
    origin.script("/coded", .response(fields: [coding], body: "x".utf8))
    let (status, text) = try await run("-sS", "--compressed", origin.baseURL + "/coded")
    #expect(status == 61)
    #expect(text.contains("content coding ?]0;x?"))
    #expect(!text.unicodeScalars.dropLast().contains { $0.properties.generalCategory == .control })
  }

  /// As with curl, -s does not hide it, wherever it is found out.
  @Test func wrongUse() async throws {
    let (status, text) = try await run("-s", "-F", "nothing", "http://127.0.0.1/")
    #expect(status == 2)
    #expect(text == "bonnet: (2) a part of a form is written as name=value, not as 'nothing'\n")
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

  /// A password that is left out is asked for, once for each user, where there is a terminal.
  @Test func passwordsAtATerminal() async throws {
    let origin = try Origin.start()
    let program = Program.product("bonnet").path
    // What is typed before the question is thrown away: the answer waits for it.
    let text = try await detached {
      try Program("sh").run([
        "-c",
        """
        cd "$(mktemp -d)" && mkfifo keys && : >screen
        script -qec "$0 -sS -u me -o /dev/null $1" /dev/null <keys >screen & exec 3>keys
        until grep -q "password for user 'me':" screen; do sleep 0.05; done
        echo geheim >&3; wait $!; cat screen; rm -r "$PWD"
        """, program, origin.baseURL + "/ip",
      ]).text
    }
    #expect(text == "Enter host password for user 'me':\r\n")
    #expect(origin.requests.map { $0.value("authorization") } == [basic("me:geheim")])
  }

  /// Without one they are lines of standard input, and what follows them is left for a body.
  @Test func passwordsWithoutATerminal() async throws {
    let origin = try Origin.start()
    let program = Program.product("bonnet").path
    let text = try await detached {
      try Program("sh").run([
        "-c",
        "printf 'a:b\nc\nbody' | setsid --wait \"$0\" -s -u me -x $1 -U you -T - http://host.test/put 2>&1",
        program, origin.baseURL,
      ]).text
    }
    #expect(text.hasPrefix("Enter host password for user 'me':Enter proxy password for user 'you':"))
    let request = try #require(origin.requests.last)
    #expect(request.value("authorization") == basic("me:a:b"))
    #expect(request.value("proxy-authorization") == basic("you:c"))
    #expect(request.body == Array("body".utf8))
  }

  @Test func passwordsThatAreMissing() throws {
    var command = try CommandLineParser.command(
      [
        "-u", "a", "http://h/", "--next", "-u", "b:", "-U", "", "http://h/", "--next", "--oauth2-bearer", "t",
        "-u", "c",
      ],
      files: InputFile.bodyFiles)
    var prompts: [String] = []
    command.askForPasswords { prompt in
      prompts.append(prompt)
      return "p\(prompts.count)"
    }
    #expect(
      prompts == [
        "Enter host password for user 'a' on URL #1:", "Enter proxy password for user '' on URL #2:",
      ])
    #expect(command.operations.map(\.authentication.user) == ["a:p1", "b:", "c"])
    #expect(command.operations.map(\.proxy.user) == [nil, ":p2", nil])
  }

  private func basic(_ text: String) -> String { "Basic \(Data(text.utf8).base64EncodedString())" }

  /// As with curl, `-S` brings back errors, and no warnings.
  @Test func warnings() async throws {
    let arguments = ["--retry", "1", "--retry-delay", "1", "--retry-connrefused", "http://127.0.0.1:1/"]
    let error =
      "bonnet: (7) GET http://127.0.0.1:1/ failed while connecting: 127.0.0.1:1 refused the connection.\n"
    for (option, expected) in [
      ("-o/dev/null", "Warning: \(error.dropFirst(12).dropLast()) Try 2 of 2 begins in 1 second.\n" + error),
      ("-sS", error), ("-s", ""),
    ] {
      let (status, text) = try await run([option, "--no-progress-meter"] + arguments)
      #expect(status == 7 && text == expected)
    }
  }

  @Test func aTraceThatCannotBeWritten() async throws {
    let origin = try Origin.start()
    let (status, text) = try await run(
      "-o/dev/null", "--no-progress-meter", "--trace-ascii", "/nowhere/none", origin.baseURL + "/ip")
    #expect(status == 0)
    let warning = "Warning: the trace goes to standard error: cannot write to /nowhere/none: No such file"
    #expect(text.hasPrefix(warning) && text.contains("== Info: ") && text.contains("GET /ip HTTP/1.1"))
    #expect(text.ranges(of: "Warning: ").count == 1)
  }

  @Test func standardInputIsSentOnce() async throws {
    let origin = try Origin.start()
    origin.script("/busy", .response(status: 503, reason: "Busy", body: [UInt8]()))
    let (status, text) = try await run(
      "-T", "-", "-o/dev/null", "--no-progress-meter", "--retry", "1", "--retry-delay", "1",
      origin.baseURL + "/busy")
    #expect(status == 0 && origin.requests.count == 1)
    #expect(text == "Warning: --retry: standard input may have been read, so there is no second attempt.\n")
  }

  @Test func priorKnowledgeOfHTTP2IsRefused() async throws {
    let (status, text) = try await run("-s", "--http2-prior-knowledge", "http://127.0.0.1/")
    #expect(status == 2)
    #expect(
      text == "bonnet: option --http2-prior-knowledge: HTTP/1.1 and HTTP/1.0 are supported\n" + Self.hint)
  }
}
