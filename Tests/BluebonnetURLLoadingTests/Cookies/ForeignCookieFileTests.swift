// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import Glibc
import Testing

/// Files of cookies go from curl and wget to us, and back.
@Suite struct ForeignCookieFileTests {
  private static let hasCurl = (try? Program("curl").run("--version"))?.status == 0
  private static let hasWget = (try? Program("wget").run("--version"))?.status == 0

  private let origin: Origin
  private let file = FileManager.default.temporaryDirectory.path + "/cookies-\(UUID.random().uuidString).txt"

  init() throws {
    origin = try Origin.start()
    origin.script(
      "/set",
      .response(
        fields: [
          "session=1; Path=/", "kept=2; Path=/; Max-Age=1000", "hidden=3; Path=/; HttpOnly",
          "deep=4; Path=/get",
          "secure=5; Path=/; Secure", "empty=; Path=/", "spaced=a b=c; Path=/", "elsewhere=6; Path=/x",
        ].map { ("Set-Cookie", $0) }))
  }

  private func run(_ program: String, _ arguments: String...) async throws {
    let outcome = try await detached { try Program(program).run(arguments) }
    #expect(outcome.status == 0, "\(program) \(arguments)")
  }

  private func sent() -> Set<String> {
    Set((origin.requests.last?.value("Cookie") ?? "").components(separatedBy: "; "))
  }

  /// What a request for `/get` has to carry.
  private static let expected: Set<String> = [
    "session=1", "kept=2", "hidden=3", "deep=4", "secure=5", "empty=", "spaced=a b=c",
  ]

  private func load(_ path: String, _ storage: HTTPCookieStorage) async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = storage
    let url = try #require(URL(string: origin.baseURL + path))
    _ = try await URLSession(configuration: configuration).data(for: URLRequest(url: url))
  }

  @Test(.enabled(if: hasCurl)) func curlReadsOurs() async throws {
    defer { unlink(file) }
    let storage = try HTTPCookieStorage(file: URL(fileURLWithPath: file), keepsSessionCookies: true)
    try await load("/set", storage)
    try storage.save()
    try await run("curl", "-s", "-b", file, "-c", file, "-o", "/dev/null", origin.baseURL + "/get")
    #expect(sent() == Self.expected)
    // And has written it itself, with all that was in it.
    let again = try HTTPCookieStorage(file: URL(fileURLWithPath: file))
    #expect(again.cookies?.count == 8)
    #expect(again.cookies?.first { $0.name == "hidden" }?.isHTTPOnly == true)
    try await load("/get", again)
    #expect(sent() == Self.expected)
  }

  @Test(.enabled(if: hasCurl)) func weReadCurls() async throws {
    defer { unlink(file) }
    try await run("curl", "-s", "-c", file, "-o", "/dev/null", origin.baseURL + "/set")
    let storage = try HTTPCookieStorage(file: URL(fileURLWithPath: file))
    #expect(try CookieFile(contentsOf: URL(fileURLWithPath: file)).unparsedLineCount == 0)
    let kept = try #require(storage.cookies?.first { $0.name == "kept" }?.expiresDate)
    #expect((900...1001).contains(kept.timeIntervalSinceNow))
    try await load("/get", storage)
    #expect(sent() == Self.expected)
  }

  @Test(.enabled(if: hasWget)) func wgetReadsOurs() async throws {
    defer { unlink(file) }
    let storage = try HTTPCookieStorage(file: URL(fileURLWithPath: file), keepsSessionCookies: true)
    try await load("/set", storage)
    try storage.save()
    try await run(
      "wget", "-q", "-O", "/dev/null", "--load-cookies", file, "--save-cookies", file,
      "--keep-session-cookies",
      origin.baseURL + "/get")
    // Lines with `#HttpOnly_` are remarks to wget, and secure cookies are for TLS only, also on this machine.
    let unknown: Set = ["hidden=3", "secure=5"]
    #expect(sent().union(unknown) == Self.expected)
    let again = try HTTPCookieStorage(file: URL(fileURLWithPath: file))
    try await load("/get", again)
    #expect(sent().union(["hidden=3"]) == Self.expected)
  }

  @Test(.enabled(if: hasWget)) func weReadWgets() async throws {
    defer { unlink(file) }
    try await run(
      "wget", "-q", "-O", "/dev/null", "--save-cookies", file, "--keep-session-cookies",
      origin.baseURL + "/set")
    #expect(try CookieFile(contentsOf: URL(fileURLWithPath: file)).unparsedLineCount == 0)
    let storage = try HTTPCookieStorage(file: URL(fileURLWithPath: file))
    try await load("/get", storage)
    // It takes no cookie for a path that was not asked for.
    #expect(sent() == Self.expected.subtracting(["deep=4"]))
  }
}
