// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// The curl command, pasted into real shells. Whatever a request holds, nothing runs but curl, and bash hands curl what
/// the request holds.
@Suite struct ShellTests {
  /// A directory with a `curl` that writes down its arguments, and a file that nobody may make.
  private final class Trap: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "bluebonnet-trap-\(UUID().uuidString)")

    init() throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      let curl = url.appendingPathComponent("curl")
      try Data("#!/bin/sh\nprintf '%s\\0' \"$@\" >>\"\(url.path)/arguments\"\n".utf8).write(to: curl)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: curl.path)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// A command that springs the trap, in characters that may stand in a URL.
    var spring: String { "touch$IFS$9\(url.path)/sprung" }

    var isSprung: Bool { FileManager.default.fileExists(atPath: url.appendingPathComponent("sprung").path) }

    /// What curl was called with.
    func paste(_ text: String, into shell: String) throws -> [String] {
      let paste = url.appendingPathComponent("paste")
      try? FileManager.default.removeItem(at: url.appendingPathComponent("arguments"))
      // What a terminal puts around a paste, so that the shell takes no character of it for a key.
      let pasted = shell == ShellTests.terminal ? "\u{1B}[200~\(text)\u{1B}[201~" : text
      try Data((pasted + "\nexit\n").utf8).write(to: paste)
      _ = try Program("sh").run(
        "-c",
        "cd '\(url.path)' && PATH='\(url.path)':$PATH TERM=xterm HOME='\(url.path)' \(shell) <paste >out 2>&1"
      )
      let arguments = try? Data(contentsOf: url.appendingPathComponent("arguments"))
      return (arguments ?? Data()).split(separator: 0, omittingEmptySubsequences: false).dropLast()
        .map { String(decoding: $0, as: UTF8.self) }
    }
  }

  private static let bash = "bash --norc --noprofile -i"
  /// The same on a terminal.
  private static let terminal = "timeout 20 script -qec '\(bash)' /dev/null"
  private static let shells = ["sh", "bash", "sh -i", bash, terminal]

  private func hostile(_ trap: Trap) -> [String] {
    let spring = trap.spring
    return [
      "$(\(spring))", "`\(spring)`", "\";\(spring);\"", "';\(spring);'", "\\\";\(spring);\"",
      "\\';\(spring);'",
      "\\", "\\\\", "!\(spring)", "!!", "!$", "a!b", "^a^b", "!\"!'!", "$\(spring)", "$$", "~", "*", "{a,b}",
      "\";\(spring) #", "&& \(spring) ||", "| \(spring)", "> \(trap.url.path)/sprung", "#", "-o x", "%s", "",
    ]
  }

  /// What a terminal takes for keys, or a shell for the end of a line.
  private func control(_ trap: Trap) -> [String] {
    let spring = "touch \(trap.url.path)/sprung"
    return [
      "a\n\(spring)\nb", "\n!!\n", "\r\(spring)\r", "\u{3}\n\(spring)\n", "\u{4}\(spring)\n",
      "\u{15}\(spring)\r\n",
      "\u{1B}[201~\n\(spring)\n", "\u{9B}201~\n\(spring)\n", "'\n\(spring)\n'", "\\'\n;\(spring);'\n",
      "\\\n\(spring)\n", "\"\n\(spring)\n\"", "tab\there", "\u{7F}\u{8}", "é\n", "a!b\n",
    ]
  }

  private func command(
    body: Data? = nil, headers: HTTPHeaders? = nil, method: String = "POST", path: String = "/",
    user: (String, String)? = nil, configuration: URLSessionConfiguration = .ephemeral
  ) async -> String {
    let scripted = ScriptedSession(configuration: configuration)
    let request = scripted.session.request(
      "http://host.test\(path)", method: HTTPMethod(rawValue: method), headers: headers
    ) { $0.httpBody = body }
    if let user { request.authenticate(username: user.0, password: user.1) }
    _ = await request.serializingData().response
    return request.cURLDescription()
  }

  /// Pastes the commands with and without their prompts. Only a shell that knows all quotes is asked for the arguments.
  private func arguments(of commands: [String], _ trap: Trap) async throws -> [String] {
    try await detached {
      let bare = commands.map { $0.dropFirst(2) }.joined(separator: "\n")
      for shell in Self.shells {
        _ = try trap.paste(commands.joined(separator: "\n"), into: shell)
        #expect(!trap.isSprung, "\(shell), with prompts")
        _ = try trap.paste(bare, into: shell)
        #expect(!trap.isSprung, "\(shell)")
      }
      let arguments = try trap.paste(bare, into: Self.bash)
      #expect(try trap.paste(bare, into: Self.terminal) == arguments)
      return arguments
    }
  }

  private func values(of option: String, in arguments: [String]) -> [String] {
    zip(arguments, arguments.dropFirst()).filter { $0.0 == option }.map(\.1)
  }

  @Test func aBodyIsHandedOverAsItIs() async throws {
    let trap = try Trap()
    let texts = hostile(trap) + control(trap)
    var commands: [String] = []
    for text in texts { commands.append(await command(body: Data(text.utf8))) }
    let arguments = try await arguments(of: commands, trap)
    #expect(values(of: "-d", in: arguments) == texts)
    #expect(arguments.filter { $0 == "http://host.test/" }.count == texts.count)
  }

  @Test func headersMethodsAndCredentials() async throws {
    let trap = try Trap()
    let texts = hostile(trap).filter { !$0.isEmpty }
    var commands: [String] = []
    for text in texts {
      commands.append(await command(headers: ["X-A": text, "X-B": ""], method: text, user: (text, text)))
    }
    let arguments = try await arguments(of: commands, trap)
    #expect(values(of: "-H", in: arguments).filter { $0.hasPrefix("X-A") } == texts.map { "X-A: \($0)" })
    #expect(arguments.filter { $0 == "X-B;" }.count == texts.count)
    #expect(values(of: "-u", in: arguments) == texts.map { "\($0):\($0)" })
    #expect(values(of: "-X", in: arguments) == texts)
  }

  @Test func addressesAndCookies() async throws {
    let trap = try Trap()
    let spring = trap.spring
    let paths = ["/$(\(spring))", "/';\(spring);'", "/!!$$", "/?a=$(\(spring))&b=!x;\(spring)"]
    let cookie = try #require(
      HTTPCookie(properties: [
        .domain: "host.test", .path: "/", .name: "n", .value: "$(\(spring))`\(spring)`!\"\\",
      ]))
    var commands: [String] = []
    for path in paths {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpCookieStorage?.setCookie(cookie)
      commands.append(await command(path: path, configuration: configuration))
    }
    let arguments = try await arguments(of: commands, trap)
    #expect(arguments.filter { $0.hasPrefix("http://") } == paths.map { "http://host.test\($0)" })
    #expect(values(of: "-b", in: arguments) == paths.map { _ in "n=\(cookie.value)" })
  }

  @Test func aBodyIsNoFile() async {
    #expect(await command(body: Data("@/etc/passwd".utf8)).contains("--data-raw \"@/etc/passwd\""))
    #expect(await command(body: Data([0, 1])).contains("--data-binary \"@body-of-2-bytes\""))
    #expect(await command(body: Data([0xFF])).contains(#"-d $'\377'"#))
  }
}
