// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetWireVectors
import Testing

@Suite struct RequestParserTests {
  static let accepted: [(String, method: String, target: String, body: String, keeps: Bool)] = [
    ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/", "", true),
    ("\r\n\r\nGET / HTTP/1.1\r\n\r\n", "GET", "/", "", true),
    ("GET / HTTP/1.0\r\n\r\n", "GET", "/", "", false),
    ("POST /a?b HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", "POST", "/a?b", "abc", true),
    (
      "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\n\r\n", "POST", "/a",
      "abc", true
    ),
    ("CONNECT a:443 HTTP/1.1\r\n\r\n", "CONNECT", "a:443", "", true),
    ("CONNECT [::1]:443 HTTP/1.1\r\n\r\n", "CONNECT", "[::1]:443", "", true),
    ("OPTIONS * HTTP/1.1\r\nConnection: close\r\n\r\n", "OPTIONS", "*", "", false),
    ("GET http://a/b HTTP/1.1\r\n\r\n", "GET", "http://a/b", "", true),
  ]

  @Test(arguments: accepted)
  func accepts(bytes: String, method: String, target: String, body: String, keeps: Bool) {
    let bytes = Array(bytes.utf8)
    let result = Subject.request.transcript(bytes)
    #expect(result.verdict == .complete)
    #expect(result.method == method)
    #expect(result.target == target)
    #expect(result.body == Array(body.utf8))
    #expect(result.keepsConnection == keeps)
    #expect(Subject.request.disagreement(bytes) == nil)
  }

  static let refused: [(String, HTTP1Error.Rule)] = [
    ("G@T / HTTP/1.1\r\n\r\n", .invalidMethod),
    (" / HTTP/1.1\r\n\r\n", .invalidMethod),
    ("GET  HTTP/1.1\r\n\r\n", .invalidTarget),
    ("GET \u{7f} HTTP/1.1\r\n\r\n", .invalidTarget),
    ("GET /é HTTP/1.1\r\n\r\n", .invalidTarget),
    ("GET a HTTP/1.1\r\n\r\n", .invalidTarget),
    ("GET ** HTTP/1.1\r\n\r\n", .invalidTarget),
    ("CONNECT / HTTP/1.1\r\n\r\n", .invalidTarget),
    ("CONNECT a HTTP/1.1\r\n\r\n", .invalidTarget),
    ("GET /\r\n\r\n", .invalidTarget),
    ("GET / a HTTP/1.1\r\n\r\n", .invalidRequestLine),
    ("GET / HTTP/1.1 \r\n\r\n", .invalidRequestLine),
    ("GET / HTTP/2.0\r\n\r\n", .unsupportedVersion),
    ("GET / HTTP/1.1\n\r\n", .bareLF),
    ("GET / HTTP/1.1\r\nA : b\r\n\r\n", .whitespaceBeforeColon),
    (
      "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
      .contentLengthWithTransferEncoding
    ),
    ("POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", .unsupportedTransferEncoding),
  ]

  @Test(arguments: refused) func refuses(bytes: String, rule: HTTP1Error.Rule) {
    let bytes = Array(bytes.utf8)
    guard case .reject(let error) = Subject.request.transcript(bytes).verdict else {
      Issue.record("accepted")
      return
    }
    #expect(error.rule == rule)
    #expect(Subject.request.disagreement(bytes) == nil)
  }

  @Test func pipelinedRequestsAreReadOneByOne() throws {
    let bytes = Array("POST /1 HTTP/1.1\r\nContent-Length: 2\r\n\r\nabGET /2 HTTP/1.1\r\n\r\n".utf8)
    var parser = RequestParser()
    var consumed = 0
    #expect(try parser.next(in: bytes.span, consumed: &consumed) == .head)
    let first = parser.head
    #expect(try parser.next(in: bytes.span, consumed: &consumed) == .body(39..<41))
    #expect(try parser.next(in: bytes.span, consumed: &consumed) == .end)
    parser.reset()
    #expect(try parser.next(in: bytes.span, consumed: &consumed) == .head)
    #expect(first.target == "/1")
    #expect(parser.head.target == "/2")
    #expect(try parser.next(in: bytes.span, consumed: &consumed) == .end)
    #expect(consumed == bytes.count)
  }

  @Test func expectationsAndHostsAreReported() throws {
    var parser = RequestParser()
    var consumed = 0
    let bytes = Array("PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n".utf8)
    #expect(try parser.next(in: bytes.span, consumed: &consumed) == .head)
    #expect(parser.expects100Continue)
    #expect(parser.head.hasExactlyOneHost)
    #expect(parser.bytesExpected == 2)
    #expect(throws: HTTP1Error.self) { try parser.finish() }
  }

  /// Faults of the head count from the head on, those of the body once it is read, and none for the next request.
  @Test func repairsAreTold() throws {
    typealias Rules = [HTTP1Error.Rule]
    func rules(_ text: String) throws -> (head: Rules, all: Rules) {
      let bytes = Array(text.utf8)
      var parser = RequestParser(mode: .lenient)
      var consumed = 0
      #expect(parser.repairs.isEmpty)
      #expect(try parser.next(in: bytes.span, consumed: &consumed) == .head)
      let head = parser.repairs.rules
      while try parser.next(in: bytes.span, consumed: &consumed) != .end {}
      let all = parser.repairs.rules
      parser.reset()
      #expect(parser.repairs.isEmpty)
      return (head, all)
    }
    let plain = try rules("GET / HTTP/1.1\r\nA: b\r\n\r\n")
    #expect(plain.head.isEmpty && plain.all.isEmpty)
    let inHead = try rules("GET / HTTP/1.1\nA: b\r\n\r\n")
    #expect(inHead.head == [.bareLF] && inHead.all == [.bareLF])
    let inBody = try rules("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\na\r\n0\r\n\r\n")
    #expect(inBody.head.isEmpty && inBody.all == [.bareLF])
  }
}
