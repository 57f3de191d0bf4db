import Bluebonnet
import Testing

@testable import bonnet

@Suite struct RequestPlanTests {
  private func plan(_ arguments: String...) throws -> RequestPlan {
    try plan(arguments) { path throws(CommandError) in
      guard path == "file" else { throw CommandError(.readFailed, path) }
      return Array("from\r\na file\n".utf8)
    }
  }

  private func plan(
    _ arguments: [String], read: @escaping (String) throws(CommandError) -> [UInt8]
  ) throws -> RequestPlan {
    try RequestPlan(
      try Options.parse(CommandLineWords.separated(arguments)), files: BodyFiles(read: read))
  }

  private func fields(_ plan: RequestPlan) -> [String] { plan.fields.map { "\($0.name): \($0.value)" } }

  @Test func plainGet() throws {
    let plan = try plan("example.org/a?b=c")
    #expect(plan.url.absoluteString == "http://example.org/a?b=c")
    #expect(plan.method == "GET")
    #expect(plan.body == nil)
    #expect(fields(plan) == ["User-Agent: bonnet/\(Version.current)", "Accept: */*"])
    #expect(!plan.follows && !plan.isCompressed)
    #expect(plan.redirectLimit == 50)
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
    #expect(plan.body == BodyPlan(Array(body.utf8)))
    #expect(fields(plan).last == "Content-Type: application/x-www-form-urlencoded")
  }

  @Test func json() throws {
    let plan = try plan("--json", #"{"a":1}"#, "http://a", "-X", "PUT")
    #expect(plan.method == "PUT")
    #expect(plan.body == BodyPlan(Array(#"{"a":1}"#.utf8)))
    #expect(fields(plan).contains("Accept: application/json"))
    #expect(fields(plan).contains("Content-Type: application/json"))
  }

  @Test func multipart() throws {
    let plan = try plan("-F", "a=b", "http://a")
    #expect(plan.method == "POST")
    #expect(fields(plan).last?.hasPrefix("Content-Type: multipart/form-data; boundary=") == true)
    #expect(
      plan.body?.bytes.map { String(decoding: $0, as: UTF8.self).contains("name=\"a\"\r\n\r\nb\r\n--") }
        == true)
  }

  @Test func dataInTheQuery() throws {
    let plan = try plan("-G", "-d", "a=1", "-d", "b=2", "http://a/?c=3#d")
    #expect(plan.url.absoluteString == "http://a/?c=3&a=1&b=2#d")
    #expect(plan.method == "GET")
    #expect(plan.body == nil)
    #expect(try self.plan("-G", "-d", "a", "http://a/?").url.absoluteString == "http://a/?a")
    #expect(try self.plan("-G", "-F", "a=b", "http://a/").url.absoluteString == "http://a/")
  }

  @Test(arguments: [
    ("a/../b/./c/..", "http://a/b/"), ("http://a/b/../../c?d=/../e#/../f", "http://a/c?d=/../e#/../f"),
    ("a/?to=http://b/../c", "http://a/?to=http://b/../c"), ("http://a/..b/.c", "http://a/..b/.c"),
    ("HTTPS://a/.", "HTTPS://a/"), ("a?b=../c", "http://a?b=../c"), ("http://a//b//../c", "http://a//b/c"),
  ])
  func addresses(typed: String, url: String) throws {
    #expect(try plan(typed).url.absoluteString == url)
  }

  @Test(arguments: [
    (["http://us:pw@a/"], "us:pw"), (["http://u%40:p%20@a/"], "u@:p "), (["http://us@a/"], "us:"),
    (["-u", "x:y", "http://us:pw@a/"], "x:y"), (["-u", "x", "http://a"], "x:"),
    (["-u", "x:y:z", "http://a"], "x:y:z"),
  ])
  func credentials(arguments: [String], credentials: String) throws {
    let plan = try plan(arguments) { _ in [] }
    #expect(fields(plan).last == "Authorization: Basic \(Data(credentials.utf8).base64EncodedString())")
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
    #expect(throws: CommandError(.readFailed, "missing")) { try self.plan("http://a", "-H", "@missing") }
    #expect(throws: CommandError.self) { try self.plan("http://a", "-H", "Host:") }
  }

  @Test func theRest() throws {
    let plan = try plan(
      "-LI", "-u", "user:pass", "-A", "me", "-e", "http://b/", "-b", "k=v", "-r", "0-9", "--compressed",
      "--max-redirs", "3", "https://a")
    #expect(plan.method == "HEAD")
    #expect(
      fields(plan) == [
        "User-Agent: me", "Accept: */*", "Authorization: Basic dXNlcjpwYXNz", "Referer: http://b/",
        "Cookie: k=v",
        "Range: bytes=0-9",
      ])
    #expect(plan.follows && plan.isCompressed)
    #expect(plan.redirectLimit == 3)
  }

  @Test(arguments: [
    (["http://"], bonnet.ExitStatus.badURL), (["http://a b/"], .badURL), (["ftp://a/"], .unsupportedScheme),
    (["-d", "@missing", "http://a"], .readFailed), (["-H", "nonsense", "http://a"], .usage),
    (["-d", "a", "-F", "b=c", "http://a"], .usage), (["-F", "nonsense", "http://a"], .usage),
    (["-L"], .usage), (["-I", "-d", "a", "http://a"], .usage), (["-b", "cookies.txt", "http://a"], .usage),
    (["http://a/b c"], .badURL), (["-G", "-d", "a b", "http://a"], .badURL), (["://a"], .badURL),
  ])
  func whatCannotBe(arguments: [String], status: bonnet.ExitStatus) throws {
    let commandError = #expect(throws: CommandError.self) {
      try plan(arguments) { path throws(CommandError) in throw CommandError(.readFailed, path) }
    }
    #expect(commandError?.status == status)
  }

  @Test(arguments: ["--help", "-h", "--version"])
  func answers(word: String) async {
    #expect(await Bonnet.run([word]) == .success)
  }

  @Test(arguments: [
    ["--nonsense", "http://a"], ["http://a", "http://b"], ["-m", "soon", "http://a"], ["-X"],
  ])
  func wrongUsage(arguments: [String]) async {
    #expect(await Bonnet.run(arguments) == .usage)
  }
}
