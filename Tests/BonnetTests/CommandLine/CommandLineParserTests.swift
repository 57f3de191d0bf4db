// SPDX-License-Identifier: MIT
import Bluebonnet
import Testing

@testable import bonnet

@Suite struct CommandLineParserTests {
  private func command(_ arguments: [String], files: [String: String] = [:]) throws -> Command {
    try CommandLineParser.command(
      arguments,
      files: BodyFiles { path throws(CommandError) in
        guard let text = files[path] else { throw CommandError(.readFailed, path) }
        return Array(text.utf8)
      })
  }

  private func operation(_ arguments: String...) throws -> bonnet.Operation {
    try #require(command(arguments).operations.first)
  }

  private func data(_ operation: bonnet.Operation) -> String? {
    operation.content.data?.bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func clusters() throws {
    let command = try command(["-sSLofile", "-da=b", "http://a", "-Xput"])
    #expect(command.globals.isSilent && command.globals.showsErrors)
    let operation = command.operations[0]
    #expect(operation.redirects.follows)
    #expect(operation.outputs == [.file("file")])
    #expect(data(operation) == "a=b")
    #expect(operation.urls == ["http://a"])
    #expect(operation.request.method == "put")
  }

  @Test func valuesMayLookLikeOptions() throws {
    let operation = try operation("-d", "-x", "-H", "--next", "-u", "--", "http://a", "--output", "-o")
    #expect(data(operation) == "-x")
    #expect(operation.request.fields == ["--next"])
    #expect(operation.authentication.user == "--")
    #expect(operation.outputs == [.file("-o")])
  }

  @Test func urlsBehindTwoHyphens() throws {
    #expect(try operation("a", "--", "-b", "--next").urls == ["a", "-b", "--next"])
  }

  @Test func orderCounts() throws {
    let operation = try operation(
      "-b", "a=1", "-b", "file", "-b", "b=2", "-d", "a", "--data-binary", "b", "--data-raw", "@c", "http://a")
    #expect(operation.cookies.texts == ["a=1", "b=2"])
    #expect(operation.cookies.files == ["file"])
    #expect(data(operation) == "a&b&@c")
    #expect(data(try self.operation("--json", "a", "--json", "b")) == "ab")
  }

  @Test func switchesAreTurnedOff() throws {
    #expect(try !operation("-L", "--no-location").redirects.follows)
    #expect(try !command(["--no-progress-meter"]).globals.showsMeter)
    #expect(try operation("--no-clobber").output.overwrites == false)
    #expect(throws: CommandError.self) { try operation("--fail", "--fail-with-body") }
    #expect(throws: CommandError.self) { try operation("--fail-with-body", "-f") }
    #expect(try operation("--fail-with-body", "--no-fail-with-body", "-f").output.failsOnErrorStatus)
    #expect(throws: CommandError.self) { try operation("--retry-delay", "9223372036854776") }
    #expect(throws: CommandError.self) { try operation("--retry-max-time", "9223372036854776") }
  }

  @Test func namesMayBeShortened() throws {
    #expect(try operation("--compressed").request.asksForCompression)
    #expect(throws: CommandError.self, "There is --compressed-ssh, too.") { try operation("--compresse") }
    #expect(try operation("--head").request.asksForHead)
  }

  @Test(arguments: [
    (["--nonsense"], "option --nonsense: is unknown"), (["-Q"], "option -Q: a value must follow it"),
    (["-s@"], "option -@: is unknown"), (["-"], "option -: is unknown"),
    (["--co"], "option --co: is ambiguous"),
    (["--no-header"], "option --no-header: is no switch that 'no-' could turn off"),
    (["--no-http1.1"], "option --no-http1.1: is no switch that 'no-' could turn off"),
    (["--max-redirs", "x"], "option --max-redirs: a number is expected, not 'x'"),
    (["-o"], "option -o: a value must follow it"),
    (["-m", "-1"], "option -m: a number of seconds is expected, not '-1'"),
    (["--next"], "option --next: there is no URL before it"),
    (["--header=a"], "option --header=a: is unknown"),
    (["--ftp-pasv"], "option --ftp-pasv: it is for a protocol that is not supported; http and https are"),
  ])
  func faults(arguments: [String], message: String) {
    #expect(throws: CommandError(.usage, message)) { try command(arguments) }
  }

  @Test func versionsOfHTTP() throws {
    #expect(try operation("--http2").request.prefersHTTP2)
    #expect(try !operation("--http2", "--http1.1").request.prefersHTTP2)
    let last = try operation("-0", "--http2").request
    #expect(last.prefersHTTP2 && !last.usesHTTP10)
  }

  @Test func missingFilesAreReportedWithOption() {
    #expect(throws: CommandError(.readFailed, "option -d: none")) { try command(["-d", "@none"]) }
    #expect(throws: CommandError(.readFailed, "option --config: none")) {
      try command(["--config", "none"])
    }
    // Once, where one file names the next.
    #expect(throws: CommandError(.readFailed, "option a:1: data: none")) {
      try command(["-K", "a"], files: ["a": "data = @none"])
    }
  }

  @Test func operationsAreSeparate() throws {
    let command = try command([
      "-s", "-H", "a: b", "http://a", "--next", "-d", "x", "http://b", "-:", "http://c",
    ])
    #expect(command.operations.map(\.urls) == [["http://a"], ["http://b"], ["http://c"]])
    #expect(command.operations[1].request.fields == [])
    #expect(data(command.operations[1]) == "x")
    #expect(command.globals.isSilent)
  }

  @Test(arguments: [
    (["--help"], Command.Question.help(category: "")), (["-h", "all"], .help(category: "all")),
    (["-V"], .version), (["--version", "--nonsense"], .version), (["-M"], .manual),
    (["--tour"], .tour), (["--man"], .manualPage), (["--manu"], .manual),
    (["--completions", "zsh"], .completions(.zsh)),
  ])
  func questions(arguments: [String], question: Command.Question) throws {
    #expect(try command(arguments).question == question)
  }

  @Test func filesOfOptions() throws {
    let text = """
      # a remark
      url = "http://a/\\"b\\""
      -o file
      header: "X: \\ty"
      silent
      --data  x # another
      -Lk
      -m5
      next
      url=http://b
      """
    let command = try command(["-K", "options"], files: ["options": text])
    #expect(command.operations.map(\.urls) == [["http://a/\"b\""], ["http://b"]])
    let operation = command.operations[0]
    #expect(operation.outputs == [.file("file")])
    #expect(operation.request.fields == ["X: \ty"])
    #expect(data(operation) == "x")
    #expect(operation.redirects.follows && operation.security.acceptsAnyCertificate)
    #expect(operation.connection.timeLimit == 5)
    #expect(command.globals.isSilent)
  }

  /// To whoever asks for characters, CR and LF are one, and a quote with a combining mark behind it is none.
  @Test func linesOfFilesMayEndInCRLF() throws {
    let text = "url = http://a\r\n\r\n# none\r\nuser = \"\u{301}x:y\"\r\nheader = \"A: b\"\r\nsilent\r\n"
    let command = try command(["-K", "options"], files: ["options": text])
    #expect(command.operations.map(\.urls) == [["http://a"]])
    #expect(command.operations[0].request.fields == ["A: b"])
    #expect(command.operations[0].authentication.user == "\u{301}x:y")
    #expect(command.globals.isSilent && command.warnings.isEmpty)
  }

  @Test(arguments: ["= x", "url = \"open", "silent yes", "-K options", "request"])
  func faultsOfFiles(text: String) {
    #expect(throws: CommandError.self) { try command(["-K", "options"], files: ["options": text]) }
  }

  /// As curl: what nobody knows is passed over in a file, and only there.
  @Test func whatIsUnknownInAFileIsPassedOver() throws {
    let command = try command(
      ["-K", "options", "-r", "a-b", "http://a"], files: ["options": "nonsense\n-\nsilent"])
    #expect(command.warnings.count == 3)
    #expect(command.globals.isSilent)
    #expect(command.operations[0].request.range == "a-b")
  }

  /// Not silently, and without showing what may be a secret.
  @Test(arguments: ["Authorization Bearer canary", ": canary"]) func whatIsNoFieldIsPassedOver(text: String)
    throws
  {
    let warnings = try command(["-H", text, "http://a"]).warnings
    #expect(warnings == ["a value of -H is passed over: a field is written as 'Name: value'"])
    #expect(try command(["-H", "a: b", "-H", "a;", "-H", "a:", "http://a"]).warnings == [])
  }

  @Test func theUsualFileIsReadFirst() throws {
    let files = BodyFiles { _ throws(CommandError) in Array("user-agent = file\nsilent".utf8) }
    let command = try CommandLineParser.command(["-A", "own", "http://a"], usual: "x", files: files)
    #expect(command.globals.isSilent)
    #expect(command.operations[0].request.agent == "own")
  }

  @Test func keyPins() throws {
    let hash = "RkFLRUZBS0VGQUtFRkFLRUZBS0VGQUtFRkFLRUZBS0U="
    let bytes = Data("FAKEFAKEFAKEFAKEFAKEFAKEFAKEFAKE".utf8)
    func pins(_ text: String) throws -> [KeyPin] {
      try command(
        ["--pinnedpubkey", text],
        files: ["der": "key", "pem": "-----BEGIN PUBLIC KEY-----\na2V5\n-----END PUBLIC KEY-----\n"]
      ).operations[0].security.pins
    }
    #expect(try pins("sha256//\(hash);sha256//\(hash)") == [.sha256(bytes), .sha256(bytes)])
    #expect(try pins("der") == [.key(Data("key".utf8))])
    #expect(try pins("pem") == [.key(Data("key".utf8))])
    // What cannot be read is no server's key.
    for wrong in ["sha256//", "sha256//AAAA", "missing"] { #expect(try pins(wrong) == [.none]) }
    #expect(try pins("sha256//\(hash);md5//AAAA") == [.sha256(bytes), .none])
  }

  @Test func escapedData() throws {
    let command = try command(
      [
        "--data-urlencode", "my name is moo[]", "--data-urlencode", "y e s=s_i_r", "--data-urlencode", "v@f",
        "--data-urlencode", "@f", "--data-urlencode", "=a=b",
      ], files: ["f": "_?!#$'|<>\n"])
    #expect(
      data(command.operations[0])
        == "my+name+is+moo%5B%5D&y e s=s_i_r&v=_%3F%21%23%24%27%7C%3C%3E%0A&_%3F%21%23%24%27%7C%3C%3E%0A&a%3Db"
    )
  }

  @Test func schemes() {
    var set = SchemeSet.all
    #expect(set.apply("=https") == [])
    #expect(set.names == ["https"])
    #expect(set.apply("+http,-https,ftp,gopher,nonsense") == ["nonsense"])
    #expect(set.names == ["http", "ftp"])
    #expect(set.apply("-all,https") == [])
    #expect(set.names == ["https"])
    #expect(set.apply("=nonsense") == ["nonsense"])
    #expect(set.names == [])
  }

  @Test func everyNameAndLetterIsThereOnce() {
    #expect(Set(OptionTable.all.map(\.name)).count == OptionTable.all.count)
    let letters = OptionTable.all.compactMap(\.letter)
    #expect(Set(letters).count == letters.count)
  }
}
