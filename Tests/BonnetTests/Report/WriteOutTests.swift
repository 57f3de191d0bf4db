// SPDX-License-Identifier: MIT
import Testing

@testable import bonnet

@Suite struct WriteOutTests {
  private func variables(isSuccess: Bool = true) -> TransferVariables {
    TransferVariables(
      values: [
        "http_code": .code(7), "url": .text("http://a/\"\u{1}"), "referer": .text(nil),
        "time_total": .time(1.5),
        "size_download": .integer(12),
      ],
      fields: [("Set-Cookie", "a"), ("X", "y"), ("set-cookie", "b")], isSuccess: isSuccess)
  }

  private func text(_ format: String) -> String {
    WriteOut(format: format).pieces(variables()).map(\.text).joined()
  }

  @Test(arguments: [
    (#"%{http_code}\n"#, "007\n"), ("%{time_total}", "1.500000"), ("%{referer}|", "|"), ("%%{url}", "%{url}"),
    (#"a\tb\rc\x"#, "a\tb\rc\\x"), ("%z %", "%z %"), ("%{open", "%{open"), ("%header{SET-COOKIE}", "a"),
    ("%header{none}|", "|"), ("%{size_download} %{nosuch}", "12 "),
    // A backslash or a percent sign takes the next one with it, and marks that combine hide nothing.
    (#"%\n%h\n%"#, "%\\n%h\n%"),
    (#"\\n\%{http_code}\"#, #"\\n\%{http_code}\"#), ("%{http_code}\u{301}\\n\u{301}", "007\u{301}\n\u{301}"),
  ])
  func formats(format: String, text: String) {
    #expect(self.text(format) == text)
  }

  @Test func filesNeedNotBeUTF8() throws {
    let files = BodyFiles { _ in [0x61, 0xFC, 0x0A] }
    let command = try CommandLineParser.command(["-w", "@file", "http://a/"], files: files)
    #expect(command.operation.output.report.map(ByteText.bytes) == [0x61, 0xFC])
  }

  @Test func unknownVariablesAreTold() {
    var warnings: [String] = []
    _ = WriteOut(format: "%{nosuch}").pieces(variables()) { warnings.append($0) }
    #expect(warnings == ["unknown --write-out variable: 'nosuch'"])
  }

  @Test func streams() {
    let pieces = WriteOut(format: "a%{stderr}b%{stdout}c").pieces(variables())
    #expect(pieces.map(\.stream) == [.output, .error, .output])
    #expect(pieces.map(\.text) == ["a", "b", "c"])
  }

  @Test func failuresAlone() {
    let format = WriteOut(format: "a%{onerror}b")
    #expect(format.pieces(variables()).map(\.text) == ["a"])
    #expect(format.pieces(variables(isSuccess: false)).map(\.text) == ["ab"])
  }

  @Test func json() {
    #expect(
      text("%{json}")
        == #"{"http_code":7,"referer":null,"size_download":12,"time_total":1.500000,"url":"http://a/\"\u0001","#
        + "\"curl_version\":\"\(VersionText.product)\"}")
    #expect(text("%{header_json}") == "{\"set-cookie\":[\"a\",\"b\"],\n\"x\":[\"y\"]\n}")
  }
}
