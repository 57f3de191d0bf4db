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
      try Data((text + "\nexit\n").utf8).write(to: paste)
      _ = try Program("sh").run(
        "-c",
        "cd '\(url.path)' && PATH='\(url.path)':$PATH TERM=xterm HOME='\(url.path)' \(shell) <paste >out 2>&1"
      )
      let arguments = try? Data(contentsOf: url.appendingPathComponent("arguments"))
      return (arguments ?? Data()).split(separator: 0, omittingEmptySubsequences: false).dropLast()
        .map { String(decoding: $0, as: UTF8.self) }
    }
  }

  // Non-interactive, interactive, and on a terminal whose paste is bracketed, as a terminal emulator does it.
  private static let bash = "bash --norc --noprofile -i"
  private static let shells = ["sh", "bash", "sh -i", bash]

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

  /// Pastes the command with and without its prompt. Only a shell that knows all quotes is asked for the arguments.
  private func arguments(of command: String, _ trap: Trap) async throws -> [String] {
    try await detached {
      for shell in Self.shells {
        _ = try trap.paste(command, into: shell)
        _ = try trap.paste(String(command.dropFirst(2)), into: shell)
        #expect(!trap.isSprung, "\(shell): \(command)")
      }
      return try trap.paste(String(command.dropFirst(2)), into: Self.bash)
    }
  }

  @Test func aBodyIsHandedOverAsItIs() async throws {
    let trap = try Trap()
    for text in hostile(trap) + control(trap) {
      let arguments = try await arguments(of: command(body: Data(text.utf8)), trap)
      #expect(arguments.contains(text), "\(text.debugDescription)")
      #expect(arguments.last == "http://host.test/")
    }
  }

  @Test func headersAndCredentials() async throws {
    let trap = try Trap()
    for text in hostile(trap) where !text.isEmpty {
      let arguments = try await arguments(
        of: command(headers: ["X-A": text, "X-B": ""], method: text, user: (text, text)), trap)
      #expect(arguments.contains("X-A: \(text)") && arguments.contains("X-B;"), "\(text)")
      #expect(arguments.contains("\(text):\(text)"))
      #expect(arguments.contains(text), "the method")
    }
  }

  @Test func addressesAndCookies() async throws {
    let trap = try Trap()
    for path in [
      "/$(\(trap.spring))", "/';\(trap.spring);'", "/!!$$", "/?a=$(\(trap.spring))&b=!x;\(trap.spring)",
    ] {
      let configuration = URLSessionConfiguration.ephemeral
      let cookie = try #require(
        HTTPCookie(properties: [
          .domain: "host.test", .path: "/", .name: "n", .value: "$(\(trap.spring))`\(trap.spring)`!\"\\",
        ]))
      configuration.httpCookieStorage?.setCookie(cookie)
      let arguments = try await arguments(of: command(path: path, configuration: configuration), trap)
      #expect(arguments.last == "http://host.test\(path)")
      #expect(arguments.contains("n=\(cookie.value)"))
    }
  }

  @Test func aBodyIsNoFile() async {
    #expect(await command(body: Data("@/etc/passwd".utf8)).contains("--data-raw \"@/etc/passwd\""))
    #expect(await command(body: Data([0, 1])).contains("--data-binary \"@body-of-2-bytes\""))
    #expect(await command(body: Data([0xFF])).contains(#"-d $'\377'"#))
  }
}
