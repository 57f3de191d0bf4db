// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetWireVectors
import Testing

/// One response and what it amounts to.
struct ResponseRow: Sendable, CustomTestStringConvertible {
  var bytes: String
  var kind = RequestKind.ordinary
  var eof = false
  var mode = ParsingMode.strict
  var verdict = Transcript.Verdict.complete
  var body = ""
  var keeps = false
  var upgraded = false
  var rest = 0

  var testDescription: String { bytes }
}

@Suite struct ResponseParserTests {
  static let framed: [ResponseRow] = [
    ResponseRow(bytes: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", body: "abc", keeps: true),
    ResponseRow(
      bytes: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef", body: "abc", keeps: true, rest: 3),
    ResponseRow(bytes: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", keeps: true),
    ResponseRow(
      bytes: "HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 1\r\n\r\na", body: "a"),
    ResponseRow(
      bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", body: "abc",
      keeps: true),
    ResponseRow(
      bytes:
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: , chunked ,\r\n\r\n003;a=\"b\\\"\"\r\nabc\r\n00\r\nX: y\r\n\r\n",
      body: "abc", keeps: true),
    ResponseRow(bytes: "HTTP/1.1 200 OK\r\n\r\nabc", eof: true, body: "abc"),
    ResponseRow(bytes: "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na", body: "a"),
    ResponseRow(
      bytes: "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\na", body: "a", keeps: true
    ),
    ResponseRow(
      bytes: "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ResponseRow(bytes: "HTTP/1.1 204 No\r\nContent-Length: 9\r\n\r\n", keeps: true),
    ResponseRow(bytes: "HTTP/1.1 204 No\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", rest: 5),
    ResponseRow(bytes: "HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n", keeps: true),
    ResponseRow(bytes: "HTTP/1.1 304 Not Modified\r\nContent-Length: nine\r\n\r\n"),
    ResponseRow(bytes: "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n", kind: .head, keeps: true),
    ResponseRow(bytes: "HTTP/1.1 200 OK\r\n\r\n", kind: .head, keeps: true),
    ResponseRow(
      bytes: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nSSH", kind: .connect, upgraded: true, rest: 3),
    ResponseRow(
      bytes: "HTTP/1.1 407 No\r\nContent-Length: 1\r\n\r\na", kind: .connect, body: "a", keeps: true),
    ResponseRow(
      bytes: "HTTP/1.1 101 Switch\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n\u{1}", upgraded: true, rest: 1),
    ResponseRow(
      bytes: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc", body: "abc"),
    ResponseRow(bytes: "HTTP/1.1 200 OK\r\nContent-Length: 3, 3\r\n\r\nabc", body: "abc"),
    ResponseRow(
      bytes:
        "HTTP/1.1 103 E\r\nContent-Length: 38\r\n\r\nHTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n"),
    ResponseRow(
      bytes:
        "HTTP/1.1 103 E\r\nTransfer-Encoding: chunked\r\n\r\nHTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n"),
    ResponseRow(
      bytes: "HTTP/1.1 100 C\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n",
      keeps: true),
    ResponseRow(
      bytes:
        "HTTP/1.1 100 \r\n\r\nHTTP/1.1 103 E\r\nLink: a\r\n\r\nHTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n",
      keeps: true),
  ]

  @Test(arguments: framed) func framing(row: ResponseRow) {
    let bytes = Array(row.bytes.utf8)
    let subject = Subject.response(row.kind)
    let result = subject.transcript(bytes, eof: row.eof, mode: row.mode)
    #expect(result.verdict == row.verdict)
    #expect(String(decoding: result.body, as: UTF8.self) == row.body)
    #expect(result.keepsConnection == row.keeps)
    #expect(result.isUpgraded == row.upgraded)
    #expect(bytes.count - result.consumed == row.rest)
    #expect(subject.disagreement(bytes, eof: row.eof, mode: row.mode) == nil)
  }

  static let refused: [(String, HTTP1Error.Rule, Int)] = [
    ("HTTP/1.1 200 OK\r\nA: b\n\r\n", .bareLF, 21),
    ("HTTP/1.1 200 OK\r\nA: b\rC: d\r\n\r\n", .bareCR, 21),
    ("HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", .foldedField, 23),
    ("HTTP/1.1 200 OK\r\n A: b\r\n\r\n", .whitespaceBeforeFirstField, 17),
    ("HTTP/1.1 200 OK\r\nA : b\r\n\r\n", .whitespaceBeforeColon, 18),
    ("HTTP/1.1 200 OK\r\n: b\r\n\r\n", .invalidFieldName, 17),
    ("HTTP/1.1 200 OK\r\nA\r\n\r\n", .invalidFieldName, 18),
    ("HTTP/1.1 200 OK\r\nA: \u{0}\r\n\r\n", .invalidFieldValue, 20),
    ("HTTP/1.1 200 O\u{7f}K\r\n\r\n", .invalidReason, 14),
    ("\r\nHTTP/1.1 200 OK\r\n\r\n", .emptyLineBeforeStatusLine, 0),
    ("HTTP/2.0 200 OK\r\n\r\n", .unsupportedVersion, 5),
    ("HTTP/1.1 20 OK\r\n\r\n", .invalidStatusCode, 11),
    ("HTTP/1.1 2000 OK\r\n\r\n", .invalidStatusCode, 12),
    ("HTTP/1.1 099 OK\r\n\r\n", .invalidStatusCode, 9),
    ("HTTP/1.1  200 OK\r\n\r\n", .invalidStatusCode, 9),
    ("ICY 200 OK\r\n\r\n", .invalidStatusLine, 0),
    ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n", .conflictingContentLength, 52),
    ("HTTP/1.1 200 OK\r\nContent-Length: +3\r\n\r\n", .invalidContentLength, 33),
    ("HTTP/1.1 200 OK\r\nContent-Length: 0x3\r\n\r\n", .invalidContentLength, 33),
    ("HTTP/1.1 200 OK\r\nContent-Length: 3,\r\n\r\n", .invalidContentLength, 35),
    ("HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n", .invalidContentLength, 32),
    ("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775808\r\n\r\n", .invalidContentLength, 33),
    (
      "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
      .contentLengthWithTransferEncoding, 55
    ),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n\r\n", .unsupportedTransferEncoding, 36),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", .unsupportedTransferEncoding, 36),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n\r\n", .unsupportedTransferEncoding, 36),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: xchunked\r\n\r\n", .unsupportedTransferEncoding, 36),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: \u{b}chunked\r\n\r\n", .invalidFieldValue, 36),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n\r\n", .unsupportedTransferEncoding, 35),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\n", .unsupportedTransferEncoding, 36),
  ]

  @Test(arguments: refused) func refuses(bytes: String, rule: HTTP1Error.Rule, offset: Int) {
    let bytes = Array(bytes.utf8)
    let result = Subject.response(.ordinary).transcript(bytes)
    #expect(result.verdict == .reject(HTTP1Error(rule, offset: offset)))
    #expect(Subject.response(.ordinary).disagreement(bytes) == nil)
  }

  @Test func truncationIsAnErrorThatSaysWhere() {
    let response = Array("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc".utf8)
    for count in 0..<response.count {
      let result = Subject.response(.ordinary).transcript(Array(response[..<count]), eof: true)
      let rule: HTTP1Error.Rule = count < 38 ? .truncatedHead : .truncatedBody
      guard case .reject(let error) = result.verdict else {
        Issue.record("accepted \(count) bytes")
        continue
      }
      #expect(error.rule == rule)
      #expect(error.offset <= count && error.offset + 16 > count)
    }
  }

  @Test func interimHeadsCanBeReadAndAreLimited() throws {
    let bytes = Array("HTTP/1.1 103 Early\r\nLink: <a>\r\n\r\nHTTP/1.1 200 OK\r\nX: y\r\n\r\n".utf8)
    var parser = ResponseParser(toMethod: .ordinary)
    var consumed = 0
    #expect(try parser.next(in: bytes.span, consumed: &consumed) == .interim(status: 103))
    let early = parser.head
    #expect(early.fields.first(.link) == "<a>")
    #expect(try parser.next(in: bytes.span, consumed: &consumed) == .head)
    #expect(early.fields.first("LINK") == "<a>")
    #expect(parser.head.fields.first(.link) == nil)
    #expect(parser.head.fields.first("x") == "y")

    let many = [UInt8](String(repeating: "HTTP/1.1 102 P\r\n\r\n", count: 33).utf8)
    let result = Subject.response(.ordinary).transcript(many)
    #expect(result.interim.count == 32)
    #expect(result.verdict == .reject(HTTP1Error(.tooManyInterimResponses, offset: 32 * 18)))
  }

  @Test func aParserIsReusedForTheNextResponse() throws {
    let bytes = Array(
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabHTTP/1.1 404 No\r\nContent-Length: 1\r\n\r\nc".utf8)
    var parser = ResponseParser(toMethod: .ordinary)
    var consumed = 0
    var log: [ResponseParser.Event] = []
    for _ in 0..<6 {
      let event = try parser.next(in: bytes.span, consumed: &consumed)
      log.append(event)
      if event == .end { parser.reset(toMethod: .ordinary) }
    }
    #expect(log == [.head, .body(38..<40), .end, .head, .body(78..<79), .end])
  }
}
