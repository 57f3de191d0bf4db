// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestSupport
import Glibc
import Testing

@testable import bonnet

/// The command line against the origin: what it writes and how it ends.
@Suite final class TransferTests {
  let origin: Origin
  let path: String

  init() throws {
    origin = try Origin.start()
    path = "/tmp/bonnet-test-\(getpid())-\(UInt32.random(in: .min ... .max))"
  }

  deinit { unlink(path) }

  private func run(_ arguments: String...) async -> bonnet.ExitStatus {
    await Bonnet.run(["-s", "-o", path] + arguments)
  }

  /// What was written, or nil if there is no file.
  private var written: [UInt8]? { try? InputFile.read(path) }

  private var text: String? { written.map { String(decoding: $0, as: UTF8.self) } }

  @Test func bodyAndNothingElse() async {
    #expect(await run(origin.baseURL + "/ip") == .success)
    #expect(text == #"{"origin":"127.0.0.1"}"#)
    #expect(origin.requests.last?.fields.map(\.name) == ["Host", "User-Agent", "Accept"])
  }

  @Test func fieldsTakenAwayAreNotSent() async {
    #expect(await run("-H", "Accept:", "-H", "User-Agent:", origin.baseURL + "/ip") == .success)
    #expect(origin.requests.last?.fields.map(\.name) == ["Host"])
    #expect(await run("-A", "", origin.baseURL + "/ip") == .success)
    #expect(origin.requests.last?.fields.map(\.name) == ["Host", "Accept"])
  }

  @Test func largeBodies() async {
    #expect(await run(origin.baseURL + "/download/10000000") == .success)
    let expected = [UInt8](cycling: 10_000_000)
    // Compared outside of the macro, which would print ten million bytes.
    let isWhole = written == expected
    #expect(isWhole)
  }

  @Test func emptyBodiesMakeEmptyFiles() async {
    #expect(await run(origin.baseURL + "/status/204") == .success)
    #expect(written == [])
  }

  @Test func heads() async {
    #expect(await run("-i", origin.baseURL + "/ip") == .success)
    #expect(text?.hasPrefix("HTTP/1.1 200 OK\r\nDate: ") == true)
    #expect(text?.hasSuffix("\r\nContent-Length: 22\r\n\r\n{\"origin\":\"127.0.0.1\"}") == true)
    #expect(await run("-I", origin.baseURL + "/ip") == .success)
    #expect(text?.hasSuffix("\r\n\r\n") == true)
    #expect(origin.requests.last?.method == "HEAD")
  }

  @Test func headsAreShownAsTheyCame() async {
    let head = "HTTP/1.1 299 Very  Odd \r\nx-ODD:   v \r\nX-Empty:\r\nContent-Length: 2\r\n\r\n"
    origin.script("/odd", .text(head + "hi"))
    #expect(await run("-i", origin.baseURL + "/odd") == .success)
    #expect(text == head + "hi")
  }

  /// A server that repeats what it was told says no second field by it (RFC 9112 §2.2).
  @Test(arguments: ["\u{85}", "\u{2028}", "\u{2029}"])
  func whatIsRepeatedMakesNoField(separator: String) async throws {
    let jar = path + ".jar"
    defer { unlink(jar) }
    origin.script(
      "/said",
      .text("HTTP/1.1 200 OK\r\nX-Said: x\(separator)Set-Cookie: a=b\r\nContent-Length: 2\r\n\r\nhi"))
    #expect(await run("-c", jar, origin.baseURL + "/said") == .success)
    #expect(String(decoding: try InputFile.read(jar), as: UTF8.self).contains("a\tb") == false)
  }

  /// A mark behind the colon is the value's.
  @Test func combiningMarksHideNoField() async {
    origin.script("/away", .text("HTTP/1.1 302 Away\r\nX:\u{301}y\r\nContent-Length: 0\r\n\r\n"))
    #expect(await run(origin.baseURL + "/away") == .success)
    let facts = try? await TransferProbe.facts(["-o", path, origin.baseURL + "/away"])
    let fields = facts?.response.map(ResponseHeadText.fields) ?? []
    #expect(fields.first { $0.name == "X" }?.value == "\u{301}y")
  }

  /// Fields are not counted; the head as a whole has a limit.
  @Test(arguments: [(5_000, bonnet.ExitStatus.success), (80_000, .receiveFailed)])
  func manyFields(count: Int, status: bonnet.ExitStatus) async {
    let fields = String(repeating: "a: b\r\n", count: count)
    origin.script("/many", .text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\(fields)\r\nhi"))
    #expect(await run(origin.baseURL + "/many") == status)
    #expect(status != .success || text == "hi")
  }

  @Test func headsOfErrors() async {
    #expect(await run("-f", "-i", origin.baseURL + "/status/404") == .errorStatus)
    #expect(text?.hasPrefix("HTTP/1.1 404 ") == true)
    #expect(text?.hasSuffix("\r\n\r\n") == true)
    #expect(await run("-f", origin.baseURL + "/status/404", "-o", path + "-none") == .errorStatus)
    #expect((try? InputFile.read(path + "-none")) == nil)
  }

  @Test func headsOfOtherMethods() async {
    #expect(await run("-I", "-X", "GET", origin.baseURL + "/infinite") == .success)
    #expect(text?.hasSuffix("\r\n\r\n") == true)
    #expect(origin.requests.last?.method == "GET")
  }

  @Test func bodies() async {
    #expect(await run("-d", "a=1", origin.baseURL + "/post") == .success)
    #expect(text?.contains(#""form":{"a":"1"}"#) == true)
    #expect(await run("--json", #"{"b":"2"}"#, origin.baseURL + "/post") == .success)
    #expect(text?.contains(#""form":{"b":"2"}"#) == true)
    #expect(
      await run("-F", "c=3", "-F", "d=@/dev/null;type=text/plain", origin.baseURL + "/post") == .success)
    #expect(text?.contains(#""form":{"c":"3","d":""}"#) == true)
  }

  @Test(arguments: [
    ["--data-binary", "@"], ["-F", "a=b", "-F", "file=@"], ["-H", "Transfer-Encoding: chunked", "-d", "@"],
  ])
  func filesAreSentFromWhereTheyAre(options: [String]) async throws {
    let source = path + ".source"
    defer { unlink(source) }
    let length = 3_000_000
    var file = OutputFile(.path(source))
    try file.write(String(repeating: "~", count: length))
    try file.close()
    #expect(InputFile.largeLength(source) == length)
    origin.script(
      "/away", .text("HTTP/1.1 307 Away\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n"))
    origin.script("/there", .text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
    let options = options.dropLast() + [(options.last ?? "") + source]
    #expect(await Bonnet.run(["-s", "-o", path, "-L"] + options + [origin.baseURL + "/away"]) == .success)
    let bodies = origin.requests.map(\.body)
    #expect(bodies.count == 2)
    // Compared outside of the macro, which would print them.
    let isSame = bodies.first == bodies.last
    // The body, or the part of the form: nothing else holds one of these.
    let sent = [UInt8](repeating: UInt8(ascii: "~"), count: length)
    let isWhole = bodies.allSatisfy { body in
      guard let start = body.firstIndex(of: UInt8(ascii: "~")) else { return false }
      let rest = body[start...]
      return rest.starts(with: sent) && !rest.dropFirst(length).contains(UInt8(ascii: "~"))
    }
    #expect(isSame && isWhole)
    let isChunked = options.contains("Transfer-Encoding: chunked")
    #expect((origin.requests.last?.value("Content-Length") == nil) == isChunked)
  }

  @Test func redirects() async {
    #expect(await run(origin.baseURL + "/redirect/2") == .success)
    #expect(written == [])
    #expect(await run("-L", origin.baseURL + "/redirect/2") == .success)
    #expect(text?.contains("/get") == true)
    #expect(await run("-L", "--max-redirs", "1", origin.baseURL + "/redirect/2") == .tooManyRedirects)
    #expect(await run("-L", origin.baseURL + "/redirect/50") == .success)
    #expect(await run("-L", origin.baseURL + "/redirect/51") == .tooManyRedirects)
    #expect(await run("-L", "--max-redirs", "-1", origin.baseURL + "/redirect/99") == .success)
  }

  @Test(arguments: [
    (302, ["-d", "a"], "GET", nil), (302, ["-d", "a", "-X", "PUT"], "PUT", nil),
    (303, ["-d", "a", "-X", "POST"], "POST", nil), (303, ["-X", "DELETE"], "DELETE", nil),
    (307, ["-d", "a", "-X", "PUT"], "PUT", "a"), (308, ["-d", "a"], "POST", "a"),
  ])
  func methodsAfterRedirects(status: Int, options: [String], method: String, body: String?) async {
    origin.script(
      "/away", .text("HTTP/1.1 \(status) Away\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n"))
    origin.script("/there", .text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
    #expect(await Bonnet.run(["-s", "-o", path, "-L"] + options + [origin.baseURL + "/away"]) == .success)
    let last = origin.requests.last
    #expect(last?.method == method)
    #expect(last.map { String(decoding: $0.body, as: UTF8.self) } == body ?? "")
    #expect((last?.value("Content-Type") == nil) == (body == nil))
  }

  @Test func emptyLocationsLeadNowhere() async {
    origin.script("/nowhere", .text("HTTP/1.1 302 Found\r\nLocation:\r\nContent-Length: 2\r\n\r\nhi"))
    #expect(await run("-L", origin.baseURL + "/nowhere") == .success)
    #expect(text == "hi")
  }

  @Test func compression() async {
    #expect(await run(origin.baseURL + "/gzip") == .success)
    #expect(written?.starts(with: [0x1F, 0x8B]) == true)
    #expect(origin.requests.last?.value("Accept-Encoding") == nil)
    #expect(await run("--compressed", origin.baseURL + "/brotli") == .success)
    #expect(text?.hasPrefix("{") == true)
    #expect(origin.requests.last?.value("Accept-Encoding") != nil)
  }

  /// Where no length tells before, the limit ends the body when it is reached.
  @Test(arguments: [("8", bonnet.ExitStatus.tooLarge, "hello wo"), ("11", .success, "hello world")])
  func sizesOfChunkedBodies(limit: String, status: bonnet.ExitStatus, body: String) async {
    let chunks = "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n"
    origin.script("/chunks", .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks))
    #expect(await run("--max-filesize", limit, origin.baseURL + "/chunks") == status)
    #expect(text == body)
  }

  /// The limit is about what is written: 29 bytes become 1,000.
  @Test(arguments: [("100", bonnet.ExitStatus.tooLarge, 100), ("1000", .success, 1_000)])
  func sizesOfDecodedBodies(limit: String, status: bonnet.ExitStatus, count: Int) async {
    let coded: [UInt8] = [
      31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 75, 76, 28, 5, 163, 96, 20, 12, 119, 0, 0, 3, 218, 56, 154, 232, 3, 0,
      0,
    ]
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(coded.count)\r\n\r\n"
    origin.script("/coded", [.bytes(Array(head.utf8) + coded)])
    #expect(await run("--compressed", "--max-filesize", limit, origin.baseURL + "/coded") == status)
    #expect(written == [UInt8](repeating: UInt8(ascii: "a"), count: count))
  }

  @Test func authentication() async {
    #expect(await run("-f", origin.baseURL + "/basic-auth/user/pass") == .errorStatus)
    #expect(await run("-f", "-u", "user:pass", origin.baseURL + "/basic-auth/user/pass") == .success)
  }

  @Test func certificates() async throws {
    let secure = try Origin.start(security: .tls)
    let authority = path + ".pem"
    defer { unlink(authority) }
    var file = OutputFile(.path(authority))
    try file.write(secure.authority ?? "")
    try file.close()
    #expect(await run(secure.baseURL + "/ip") == .badCertificate)
    #expect(secure.requests.isEmpty)
    #expect(await run("-k", secure.baseURL + "/ip") == .success)
    #expect(await run("--cacert", authority, secure.baseURL + "/ip") == .success)
    #expect(await run("--cacert", "/nowhere", secure.baseURL + "/ip") == .badAuthorities)
    #expect(await run("--cacert", "/dev/null", secure.baseURL + "/ip") == .badAuthorities)
    let folder = path + ".authorities"
    #expect(mkdir(folder, 0o700) == 0)
    defer {
      unlink(folder + "/authority.pem")
      rmdir(folder)
    }
    #expect(await run("--capath", folder, secure.baseURL + "/ip") == .badCertificate)
    // Of a file and a directory either is enough.
    let (bad, foreign) = (bonnet.ExitStatus.badCertificate, try Origin.start(security: .tls))
    var other = OutputFile(.path(folder + "/authority.pem"))
    try other.write(foreign.authority ?? "")
    try other.close()
    #expect(await run("--capath", folder, secure.baseURL + "/ip") == bad)
    #expect(await run("--capath", folder, foreign.baseURL + "/ip") == .success)
    for server in [secure, foreign] {
      #expect(await run("--capath", folder, "--cacert", authority, server.baseURL + "/ip") == .success)
    }
    #expect(await run("--capath", "/nowhere", secure.baseURL + "/ip") == bad)
    // What cannot be read does not matter where something else is enough.
    #expect(await run("--capath", "/nowhere", "--cacert", authority, secure.baseURL + "/ip") == .success)
    #expect(await run("-k", "--cacert", "/nowhere", secure.baseURL + "/ip") == .success)
  }

  /// No version is left to speak: what the server has does not matter, and without TLS nothing of it does.
  @Test func versionsOfTLS() async throws {
    let secure = try Origin.start(security: .tls)
    for (oldest, newest) in [("--tlsv1.3", "1.2"), ("--tlsv1", "1.1"), ("--tlsv1", "1.0")] {
      #expect(await run("-k", oldest, "--tls-max", newest, secure.baseURL + "/ip") == .noTLS)
      #expect(await run(oldest, "--tls-max", newest, origin.baseURL + "/ip") == .success)
    }
    #expect(await run("-k", "--tls-max", "1.2", secure.baseURL + "/ip") == .success)
    #expect(await run("-k", "--pinnedpubkey", "sha256//AAAA", secure.baseURL + "/ip") == .badPin)
    #expect(await run("-k", "--pinnedpubkey", "/nowhere", secure.baseURL + "/ip") == .badPin)
    #expect(await run("-k", "--cert", "", secure.baseURL + "/ip") == .success)
  }

  @Test func socketPaths() async throws {
    let local = try Origin.start(on: .unix(path: path + ".sock"))
    #expect(await run("--unix-socket", path + ".sock", local.baseURL + "/ip") == .success)
    #expect(text == #"{"origin":"unix"}"#)
    #expect(await run("--unix-socket", "/nowhere.sock", "http://localhost/") == .refused)
  }

  @Test(arguments: [
    (ScriptedReply.close, bonnet.ExitStatus.emptyReply),
    (.reset, .receiveFailed),
    (.text("nonsense\r\n\r\n"), .unsupportedScheme), (.text("HTTP/2.0 200 OK\r\n\r\n"), .unsupportedScheme),
    (.text("HTTP/1.1 200 OK\r\nno colon\r\n\r\n"), .malformedResponse),
    (.text("HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\nContent-Length: 3\r\n\r\nabc"), .badCoding),
    (ScriptedReply.text("HTTP/1.1 200 OK\r\nContent-").then(.close), .receiveFailed),
    (ScriptedReply.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf").then(.close), .cutShort),
    (.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), .receiveFailed),
    (.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc"), .timedOut),
    (.text("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc"), .badCoding),
    (.silence, .timedOut),
  ])
  func badReplies(reply: ScriptedReply, status: bonnet.ExitStatus) async {
    origin.script("/bad", reply)
    // A reply that ends by itself has the time that a busy machine needs for it.
    let limit = status == .timedOut ? "0.5" : "60"
    #expect(await run("--compressed", "-m", limit, origin.baseURL + "/bad") == status)
  }

  @Test func handshakesAreLimitedAsConnecting() async {
    // It waits for a request that never comes, and says nothing.
    let secureURL = origin.baseURL.replacing("http://", with: "https://")
    origin.reception = .silence
    #expect(await run("--connect-timeout", "0.3", secureURL + "/ip") == .timedOut)
  }

  @Test func nobodyThere() async throws {
    let port = try ClosedPort()
    #expect(await run("http://127.0.0.1:\(port.number)/") == .refused)
    #expect(await run("http://name.invalid/") == .unresolvedHost)
    #expect(await run("http://") == .badURL)
    #expect(await run("gopher://a/") == .unsupportedScheme)
  }

  @Test func proxiesThatAreAskedAsNobody() async {
    let url = origin.baseURL + "/ip"
    #expect(await run("--noproxy", "", "-x", "http://u%00:p@127.0.0.1:1", url) == .badURL)
    #expect(await run("--noproxy", "", "-x", "http://127.0.0.1:1", "-U", "u:p%00", url) == .badURL)
  }

  @Test func terminalsAreSparedBinaryOutput() async throws {
    let url = origin.baseURL + "/download/1000"
    let error = try await TransferProbe.facts([url], writesToTerminal: true).error
    #expect(error?.status == .writeFailed)
    #expect(error?.message.hasPrefix("binary output") == true)
    #expect(try await TransferProbe.facts(["-o", path, url], writesToTerminal: true).error == nil)
  }

  @Test func placesThatAreNone() async {
    #expect(await Bonnet.run(["-s", "-o", "/nowhere/at/all", origin.baseURL + "/ip"]) == .writeFailed)
    #expect(await Bonnet.run(["-s", "-o", "", origin.baseURL + "/ip"]) == .usage)
    #expect(await Bonnet.run(["-s", "-o", "/tmp", origin.baseURL + "/ip"]) == .writeFailed)
    #expect(await Bonnet.run(["-s", "-O", origin.baseURL + "/"]) == .writeFailed)
    #expect(await Bonnet.run(["-s", "-o", "/dev/full", origin.baseURL + "/ip"]) == .writeFailed)
  }
}
