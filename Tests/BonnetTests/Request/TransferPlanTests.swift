// SPDX-License-Identifier: MIT
import Bluebonnet
import Testing

@testable import bonnet

@Suite struct TransferPlanTests {
  private func plan(_ arguments: String...) throws -> TransferPlan {
    try plan(arguments) { path throws(CommandError) in
      guard path == "file" else { throw CommandError(.readFailed, path) }
      return Array("from\r\na file\n".utf8)
    }
  }

  private func plan(
    _ arguments: [String], read: @escaping @Sendable (String) throws(CommandError) -> [UInt8]
  ) throws -> TransferPlan {
    let files = BodyFiles(read: read)
    let command = try CommandLineParser.command(arguments, files: files)
    let operation = command.operations[0]
    var planner = TransferPlanner(files: files, length: { $0 == "there" ? 7 : nil })
    let pair = try #require(TransferPlanner.steps(of: operation).first)
    return try planner.plan(
      operation, 0, pair[0][0], upload: operation.uploads.isEmpty ? nil : pair[1][0].text, warn: { _ in })
  }

  private func fields(_ plan: TransferPlan) -> [String] {
    Hop(first: plan).fields(cookies: nil).fields.map { "\($0.name): \($0.value)" }
  }

  private func body(_ plan: TransferPlan) -> String? {
    switch plan.content {
    case .data(let body, _), .upload(let body): body.bytes.map { String(decoding: $0, as: UTF8.self) }
    default: nil
    }
  }

  @Test func plainGet() throws {
    let plan = try plan("example.org/a?b=c")
    #expect(plan.address.text == "http://example.org/a?b=c")
    #expect(plan.method == "GET")
    #expect(plan.content == nil)
    #expect(fields(plan) == ["User-Agent: \(VersionText.product)", "Accept: */*"])
    #expect(plan.operation.redirects.limit == 50)
  }

  @Test(arguments: [
    (["-d", "a=1", "--data", "b=2"], "a=1&b=2"),
    (["-da=1"], "a=1"),
    (["-d", "@file"], "froma file"),
    (["--data-raw", "@file"], "@file"),
    (["--data-binary", "@file"], "from\r\na file\n"),
    (["-d", "-x"], "-x"),
  ])
  func forms(arguments: [String], body: String) throws {
    let plan = try plan(arguments + ["http://a"]) { _ in
      Array("from\r\na file\n".utf8)
    }
    #expect(plan.method == "POST")
    #expect(self.body(plan) == body)
    #expect(fields(plan).last == "Content-Type: application/x-www-form-urlencoded")
  }

  @Test func json() throws {
    let plan = try plan("--json", #"{"a":1}"#, "http://a", "-X", "PUT")
    #expect(plan.method == "PUT")
    #expect(self.body(plan) == #"{"a":1}"#)
    #expect(fields(plan).contains("Accept: application/json"))
    #expect(fields(plan).contains("Content-Type: application/json"))
  }

  @Test func multipart() throws {
    let plan = try plan("-F", "a=b", "http://a")
    #expect(plan.method == "POST")
    #expect(fields(plan).last?.hasPrefix("Content-Type: multipart/form-data; boundary=") == true)
  }

  @Test func dataInTheQuery() throws {
    let plan = try plan("-G", "-d", "a=1", "-d", "b=2", "http://a/?c=3#d")
    #expect(plan.address.text == "http://a/?c=3&a=1&b=2")
    #expect(plan.method == "GET")
    #expect(plan.content == nil)
    #expect(try self.plan("-G", "-d", "a", "http://a/?").address.text == "http://a/?a")
    let form = try self.plan("-G", "-F", "a=b", "http://a/")
    #expect(form.address.text == "http://a/" && form.method == "POST")
    #expect(throws: CommandError(.usage, "-d and --json exclude -F, with -G too")) {
      try self.plan("-G", "-d", "a", "-F", "a=b", "http://a/")
    }
  }

  @Test(arguments: [
    ("a/../b/./c/..", "http://a/b/"), ("http://a/b/../../c?d=/../e#/../f", "http://a/c?d=/../e"),
    ("a/?to=http://b/../c", "http://a/?to=http://b/../c"), ("http://a/..b/.c", "http://a/..b/.c"),
    ("HTTPS://a/.", "https://a/"), ("a?b=../c", "http://a/?b=../c"), ("http:/a", "http://a/"),
    ("http:///a", "http://a/"), ("localhost:80/a", "http://localhost:80/a"),
    ("a?b=c@d/e", "http://a/?b=c@d/e"), ("http://[::1]:8/", "http://[::1]:8/"),
    ("http://a//b//../c", "http://a//b/c"), ("http://a/%2e%2e/b", "http://a/%2e%2e/b"),
    ("http://2130706433/", "http://127.0.0.1/"), ("http://[0:0::1]:0080/", "http://[::1]:80/"),
    ("http://%41.test/", "http://a.test/"), ("http://B.Test./", "http://B.Test./"),
    ("http://bücher.test/", "http://xn--bcher-kva.test/"),
  ])
  func addresses(typed: String, url: String) throws {
    #expect(try plan(typed).address.text == url)
  }

  @Test(arguments: [
    (["http://us:pw@a/"], "us:pw"), (["http://u%40:p%20@a/"], "u@:p "), (["http://us@a/"], "us:"),
    (["-u", "x:y", "http://us:pw@a/"], "x:y"), (["-u", "x", "http://a"], "x:"),
    (["-u", "x:y:z", "http://a"], "x:y:z"), (["-u", "x:\u{301}y", "http://a"], "x:\u{301}y"),
  ])
  func credentials(arguments: [String], credentials: String) throws {
    let plan = try plan(arguments) { _ in [] }
    #expect(fields(plan).first == "Authorization: Basic \(Data(credentials.utf8).base64EncodedString())")
  }

  @Test func ownFieldsReplaceUsualOnes() throws {
    let plan = try plan(
      "http://a", "-H", "accept: text/plain", "-HX-Two: 1", "-H", "X-Two: 2", "-H", "User-Agent:", "-H",
      "X-Empty;")
    #expect(fields(plan) == ["accept: text/plain", "X-Two: 1", "X-Two: 2", "X-Empty: "])
  }

  @Test func fieldsFromAFile() throws {
    let plan = try plan(["http://a", "-H", "@file", "-H", "X-Own: 3"]) { path throws(CommandError) in
      Array("X-One: 1\r\n# a remark\n\nAccept:\nX-Two: 2".utf8)
    }
    #expect(fields(plan).dropFirst() == ["X-One: 1", "X-Two: 2", "X-Own: 3"])
    #expect(throws: CommandError(.readFailed, "option -H: missing")) {
      try self.plan("http://a", "-H", "@missing")
    }
    let ends = try self.plan(["http://a", "-H", "@file"]) { _ in
      Array("\rX-One: 1\rX-Two: 2\r\r\nX-Three: 3\n\r".utf8)
    }
    #expect(fields(ends).suffix(3) == ["X-One: 1", "X-Two: 2", "X-Three: 3"])
    let other = try self.plan(["http://a", "-H", "@file", "--etag-compare", "file"]) { _ in
      Array("X-One: 1\u{2028}X-Two: 2\r\n".utf8)
    }
    #expect(
      fields(other).suffix(2) == [
        "If-None-Match: X-One: 1\u{2028}X-Two: 2", "X-One: 1\u{2028}X-Two: 2",
      ])
  }

  private func rawOptions(_ arguments: String...) throws -> RawRequestOptions {
    let hop = Hop(first: try plan(arguments) { _ in [] })
    return hop.rawOptions(authenticationCache: SharedAuthenticationCache()) { nil }
  }

  /// The user's spelling counts; what is no field is passed over.
  @Test func fieldsAreSpelledAsTyped() throws {
    let own = try rawOptions(
      "http://a", "-A", "", "-H", "Accept:", "-H", "A:1", "-H", "a:   2 ", "-H", "X-Empty;", "-H", "nonsense",
      "-H", ": b")
    #expect(
      own.lines == [
        .init(name: "A", rest: "1"), .init(name: "a", rest: "   2 "), .init(name: "X-Empty", rest: ""),
      ])
    #expect(own.host == .written(" a"))
    #expect(try rawOptions("http://A.Test.:80/").host == .written(" A.Test."))
    #expect(try rawOptions("http://A.Test.:8080/").host == .written(" A.Test.:8080"))
    #expect(try rawOptions("http://a", "-H", "Host:").host == .omitted)
    #expect(try rawOptions("http://a", "-H", "Host;").host == .written(""))
    #expect(try rawOptions("http://a", "-H", "host:b", "-H", "Host: c").host == .written("b"))
  }

  /// A body is held back where a single scheme is sure to have it refused.
  @Test(arguments: [
    (["--digest", "-u", "a:b", "-d", "x"], true), (["--ntlm", "-u", "a:b", "-d", "x"], true),
    (["--digest", "-d", "x"], false), (["--digest", "-u", "a:b"], false),
    (["--anyauth", "-u", "a:b", "-d", "x"], false), (["-u", "a:b", "-d", "x"], false),
  ])
  func bodiesAreHeldBack(arguments: [String], isHeldBack: Bool) throws {
    let hop = Hop(first: try plan(arguments + ["http://a"]) { _ in [] })
    #expect(
      hop.rawOptions(authenticationCache: SharedAuthenticationCache()) { nil }.withholdsContent == isHeldBack)
  }

  @Test(arguments: [
    ("/x", "http://h/x"), ("x", "http://h/a/x"), ("../x", "http://h/x"), ("?y", "http://h/a/b?y"),
    ("#f", "http://h/a/b?q"), ("//o/x", "http://o/x"), ("https://o", "https://o/"),
    ("x y?a b", "http://h/a/x%20y?a+b"), ("x#a?b c", "http://h/a/x"), ("ä", "http://h/a/%c3%a4"),
    ("http://u:p@o/", "http://o/"), ("./x:y", "http://h/a/x:y"),
    ("\u{301}@evil/", "http://h/a/%cc%81@evil/"), ("/\u{301}@evil/", "http://h/%cc%81@evil/"),
    ("?\u{301}@evil/", "http://h/a/b?%cc%81@evil/"), ("#\u{301}@evil/", "http://h/a/b?q"),
    ("//o/\u{301}@evil/", "http://o/%cc%81@evil/"), ("http://o/\u{301}@evil/", "http://o/%cc%81@evil/"),
  ])
  func redirectsLeadWhereTheySay(location: String, address: String) throws {
    let from = try RequestAddress("http://h/a/b?q")
    #expect(try from.following(location, rules: .init()).text == address)
  }

  /// A combining mark takes nothing from the character before it.
  @Test(arguments: [
    ("http://good/\u{301}@evil/", "http://good/%cc%81@evil/"),
    ("http://good?\u{301}@evil/", "http://good/?%cc%81@evil/"),
    ("http://good#\u{301}@evil/", "http://good/"), ("good/\u{301}@evil/", "http://good/%cc%81@evil/"),
    ("http://good:80/\u{301}@evil/", "http://good:80/%cc%81@evil/"),
    ("http://good/a/../\u{301}", "http://good/%cc%81"), ("http://good/?\u{301}", "http://good/?%cc%81"),
  ])
  func marksOfAURLAreScalars(typed: String, address: String) throws {
    #expect(try RequestAddress(typed).text == address)
  }

  @Test func whoAsksEndsAtScalars() throws {
    let address = try RequestAddress("http://a:\u{301}b@h/")
    #expect(address.user == "a" && address.password == "\u{301}b" && address.host == "h")
  }

  @Test(arguments: [
    ("ftp://a/", bonnet.ExitStatus.unsupportedScheme), ("http://", .badURL), ("http://a b/", .badURL),
    ("x:y", .unsupportedScheme), ("mailto:a", .unsupportedScheme), ("http://u%00@a/", .badURL),
  ])
  func redirectsThatLeadNowhere(location: String, status: bonnet.ExitStatus) throws {
    let from = try RequestAddress("http://h/a/b?q")
    let commandError = #expect(throws: CommandError.self) { try from.following(location, rules: .init()) }
    #expect(commandError?.status == status)
  }

  /// RFC 9110 §10.1.3.
  @Test(arguments: [
    ("https://a/x", "http://a/", nil), ("https://a/x", "//a/y", "https://a/x"),
    ("http://a/x", "https://a/", "http://a/x"),
    ("http://a/x", "/y", "http://a/x"), ("https://u:p@a/x#f", "/y", "https://a/x"),
  ])
  func whatARedirectIsToldOfWhereItCameFrom(from: String, location: String, referrer: String?) throws {
    let hop = Hop(first: try plan("-L", "-e", ";auto", from))
    #expect(try hop.next(to: location, status: 302).referrer == referrer)
  }

  /// What follows byte 5 of ten is all that may be written behind what is there.
  @Test(arguments: [
    (206, "bytes 5-9/10", "written"), (206, "bytes 5-9/*", "written"), (206, "Bytes 5-9/10", "written"),
    (206, nil, "refused"), (206, "bytes 4-9/10", "refused"), (206, "items 5-9/10", "refused"),
    (206, "bytes 5-9/9", "refused"), (206, "bytes 5-9/10, bytes 5-9/10", "refused"),
    (206, "bytes */10", "refused"), (200, "bytes 5-9/10", "refused"), (200, nil, "refused"),
    (302, nil, "refused"), (401, nil, "refused"), (404, "bytes 5-9/10", "refused"), (503, nil, "refused"),
    (416, "bytes */5", "ignored"),
  ])
  func whatGoesOnWithAFile(status: Int, contentRange: String?, use: String) throws {
    let hop = Hop(first: try plan("-C", "5", "http://a"))
    let found = hop.use(status: status, length: 9, shown: "", answer: "") {
      $0 == "Content-Range" ? contentRange : nil
    }
    let isRangeRefused = if case .refused(let error) = found { error.status == .rangeRefused } else { false }
    switch use {
    case "written": #expect(found == .written)
    case "ignored": #expect(found == .ignored)
    default: #expect(isRangeRefused)
    }
  }

  /// A 200 of the same length is all of it, and nothing else is.
  @Test(arguments: [(200, true), (206, false), (404, false)])
  func whatIsThereAlready(status: Int, isAll: Bool) throws {
    let hop = Hop(first: try plan("-C", "5", "http://a"))
    #expect((hop.use(status: status, length: 5, shown: "", answer: "") { _ in nil } == .unwanted) == isAll)
  }

  @Test func theRest() throws {
    let plan = try plan(
      "-LI", "-u", "user:pass", "-A", "me", "-e", "http://b/", "-b", "k=v", "-r", "0-9", "--compressed",
      "--max-redirs", "3", "https://a")
    #expect(plan.method == "HEAD")
    #expect(
      fields(plan) == [
        "Authorization: Basic dXNlcjpwYXNz", "Range: bytes=0-9", "User-Agent: me", "Accept: */*",
        "Referer: http://b/", "Cookie: k=v",
      ])
    #expect(plan.operation.redirects.follows && plan.operation.request.asksForCompression)
    #expect(plan.operation.redirects.limit == 3)
  }

  @Test(arguments: [
    (["http://"], bonnet.ExitStatus.badURL), (["http://a b/"], .badURL), (["dict://a/"], .unsupportedScheme),
    (["--proto", "-ftp", "ftp://a/"], .unsupportedScheme), (["-d", "@missing", "http://a"], .readFailed),
    (["-d", "a", "-F", "b=c", "http://a"], .usage), (["-F", "nonsense", "http://a"], .usage),
    (["-L"], .usage), (["-I", "-d", "a", "http://a"], .usage), (["-T", "x", "-d", "a", "http://a"], .usage),
    (["-T", "missing", "http://a"], .readFailed), (["-C", "1", "-T", "-", "http://a"], .badResume),
    (["--disallow-username-in-url", "http://a@b"], .loginDenied),
    (["--proto", "=https", "a"], .unsupportedScheme),
    (["http:////a"], .badURL), (["http://a:99999/"], .badURL), (["-O", "http://a/"], .writeFailed),
    (["http://{a"], .badURL),
    (["http://a:0/"], .refused), (["http://a:b@c@d/"], .badURL),
    (["http://u%00@a/"], .badURL), (["http://u:p%00@a/"], .badURL),
    (["http://a/b c"], .badURL), (["-G", "-d", "a b", "http://a"], .badURL), (["://a"], .badURL),
  ])
  func whatCannotBe(arguments: [String], status: bonnet.ExitStatus) throws {
    let commandError = #expect(throws: CommandError.self) {
      try plan(arguments) { path throws(CommandError) in throw CommandError(.readFailed, path) }
    }
    #expect(commandError?.status == status)
  }

  @Test(arguments: [
    ("http://a:65536/x?y", "the port is out of range, the largest is 65535: http://a:65536/x?…"),
    ("http://a:99999999999999999999/", "the port is out of range, the largest is 65535"),
    ("http://a:0/", "there is no port 0"), ("http://a:/", nil), ("http://a:065535/", nil),
    ("http://a:x/", "this is not a URL"), ("http://a:+80/", "this is not a URL"),
    ("http://a:-1/", "this is not a URL"), ("http://:99999/", "this is not a URL"),
  ])
  func ports(typed: String, fault: String?) {
    var message: String?
    do throws(CommandError) { _ = try RequestAddress(typed) } catch { message = error.message }
    #expect(fault == nil ? message == nil : message?.hasPrefix(fault ?? "") == true, "\(message ?? "none")")
  }

  @Test(arguments: ["--help", "-h", "--version"])
  func answers(word: String) async {
    #expect(await Bonnet.run([word]) == .success)
  }

  @Test(arguments: [
    ["--nonsense", "http://a"], ["--no-header", "http://a"], ["--pro", "http://a"], ["http://a", "--next"],
    ["--ftp-pasv", "http://a"], ["-m", "soon", "http://a"], ["-X"],
  ])
  func wrongUsage(arguments: [String]) async {
    #expect(await Bonnet.run(arguments) == .usage)
  }

  @Test func uploads() throws {
    let plan = try plan("-T", "file", "http://a/b/")
    #expect(plan.address.text == "http://a/b/file")
    #expect(plan.method == "PUT")
    #expect(body(plan) == "from\r\na file\n")
    let rest = try self.plan("-T", "file", "-C", "6", "http://a/b")
    #expect(body(rest) == "a file\n")
    #expect(fields(rest).first == "Content-Range: bytes 6-12/13")
  }

  @Test func resumption() throws {
    #expect(fields(try plan("-C", "9", "-o", "x", "http://a")).first == "Range: bytes=9-")
    #expect(fields(try plan("-C", "-", "-o", "there", "http://a")).first == "Range: bytes=7-")
    #expect(fields(try plan("-C", "-", "-o", "new", "http://a")).first?.hasPrefix("Range") == false)
  }

  @Test func conditions() throws {
    #expect(
      fields(try plan("-z", "dec 12 12:00:00 1999 GMT", "http://a")).last
        == "If-Modified-Since: Sun, 12 Dec 1999 12:00:00 GMT")
    #expect(
      fields(try plan("-z", "-1999-12-12", "http://a")).last
        == "If-Unmodified-Since: Sun, 12 Dec 1999 00:00:00 GMT")
    #expect(fields(try plan("--etag-compare", "missing", "http://a")).last == "If-None-Match: \"\"")
    #expect(fields(try plan("--etag-compare", "file", "http://a")).last == "If-None-Match: from")
  }

  @Test func queries() throws {
    #expect(
      try plan("--url-query", "a b", "--url-query", "+c=d", "http://a").address.text == "http://a/?a+b&c=d")
    #expect(try plan("http://a/[1-2]", "-g").address.target == "/[1-2]")
    #expect(try plan("http://a/[1-2]", "-g").address.statedTarget == "/[1-2]")
    #expect(try plan("http://a/%61%2e%zz/ä").address.statedTarget == "/%61%2e%zz/%c3%a4")
    #expect(try plan("-G", "--data-urlencode", "a=[", "http://a").address.target == "/?a=%5b")
    #expect(
      try plan("-G", "--data-urlencode", "a=\u{301}", "http://a").address.target == "/?a=%cc%81")
    #expect(try plan("-G", "-d", "a=%E9%zZ%4", "http://a").address.target == "/?a=%e9%zZ%4")
  }

  /// The bytes that were typed are what is escaped (RFC 3986 §2.1), whether they are UTF-8 or not.
  @Test func queriesOfBytes() throws {
    let byte = ByteText.text([0xE9])
    #expect(try plan("-G", "-d", "a=" + byte, "http://a").address.statedTarget == "/?a=%e9")
    #expect(try plan("-G", "-d", "a=ä", "http://a/?b").address.statedTarget == "/?b&a=%c3%a4")
    #expect(try plan("--url-query", "+a=" + byte, "http://a").address.statedTarget == "/?a=%e9")
    #expect(
      try plan("--url-query", byte + "=" + byte, "http://a").address.statedTarget == "/?%e9=%e9")
    #expect(try plan("-G", "-d", "a=ä", "http://a/?b").address.shown == "http://a/?b&a=ä")
  }

  @Test func names() throws {
    #expect(try plan("-O", "http://a/b/c.txt?d").place == .path("c.txt"))
    #expect(try plan("-O", "--output-dir", "d", "http://a/c").place == .path("d/c"))
    #expect(try plan("-o", "x#1-#2", "http://a/{b,c}").place == .path("xb-#2"))
    #expect(try plan("-o", "-", "http://a/").place == .standardOutput)
  }
}
