// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetWireVectors
import Testing

@Suite struct LenientModeTests {
  static let repaired: [(String, name: String, value: String)] = [
    ("HTTP/1.1 200 OK\nA: b\n\n", "A", "b"),
    ("\nHTTP/1.1\t 200 OK\r\nA: b\r\n\r\n", "A", "b"),
    ("HTTP/1.1 200 OK\r\nA: b\r\n \t c\r\n\r\n", "A", "b c"),
    ("HTTP/1.1 200 OK\r\nA:\r\n b\r\n \r\n\r\n", "A", "b"),
    ("HTTP/1.1 200 OK\r\nA: b\rc\u{0}d\r\n\r\n", "A", "b c d"),
    ("HTTP/1.1 200 OK\r\nA \t: b\r\n\r\n", "A", "b"),
    ("HTTP/1.1 200 O\rK\r\nA: b\u{c}c\r\n\r\n", "A", "b\u{c}c"),
  ]

  @Test(arguments: repaired) func repairs(bytes: String, name: String, value: String) {
    let bytes = Array(bytes.utf8)
    let result = Subject.response(.head).transcript(bytes, mode: .lenient)
    #expect(result.verdict == .complete)
    #expect(result.fields == [.init(name: Array(name.utf8), value: Array(value.utf8))])
    #expect(Subject.response(.head).disagreement(bytes, mode: .lenient) == nil)
    #expect(Subject.response(.head).transcript(bytes).verdict != .complete)
  }

  static let refused: [(String, Subject, HTTP1Error.Rule)] = [
    ("HTTP/1.1 200 OK\r\n A: b\r\n\r\n", .response(.head), .whitespaceBeforeFirstField),
    ("HTTP/1.1 200 OK\r\nA\rB: b\r\n\r\n", .response(.head), .invalidFieldName),
    ("HTTP/1.1 200 OK\r\n\rA: b\r\n\r\n", .response(.head), .bareCR),
    ("GET / HTTP/1.1\r\nA : b\r\n\r\n", .request, .whitespaceBeforeColon),
    ("GET / HTTP/1.1\r\rA: b\r\n\r\n", .request, .bareCR),
    ("1\r\na\r0\r\n\r\n", .chunked, .missingChunkEnd),
    ("1\r\nab\n0\r\n\r\n", .chunked, .missingChunkEnd),
    ("\n1\r\na\r\n", .chunked, .invalidChunkSize),
    ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n 2\r\n\r\n", .response(.ordinary), .invalidContentLength),
    (
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", .response(.ordinary),
      .conflictingContentLength
    ),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n x\r\n\r\n", .response(.ordinary),
      .unsupportedTransferEncoding
    ),
  ]

  @Test(arguments: refused) func stillRefuses(bytes: String, subject: Subject, rule: HTTP1Error.Rule) {
    let bytes = Array(bytes.utf8)
    guard case .reject(let error) = subject.transcript(bytes, mode: .lenient).verdict else {
      Issue.record("accepted")
      return
    }
    #expect(error.rule == rule)
    #expect(subject.disagreement(bytes, mode: .lenient) == nil)
  }

  /// curl and many others take chunks so; their observers have to as well.
  @Test(arguments: [
    "2\nab\r\n0\r\n\r\n", "2\r\nab\n0\r\n\r\n", "2;a=b\nab\r\n0\r\n\r\n", "2\r\nab\r\n0\n\r\n",
    "2 \nab\n0\n\n",
  ]) func chunksMayEndInABareLF(body: String) {
    let bytes = Array(body.utf8)
    let result = Subject.chunked.transcript(bytes, mode: .lenient)
    #expect(result.verdict == .complete)
    #expect(result.body == Array("ab".utf8))
    #expect(Subject.chunked.disagreement(bytes, mode: .lenient) == nil)
    #expect(Subject.chunked.transcript(bytes, mode: .tolerant).verdict != .complete)
    let response = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8) + bytes
    let whole = Subject.response(.ordinary).transcript(response, mode: .lenient)
    #expect(whole.verdict == .complete)
    #expect(whole.repairs.rules == [.bareLF])
    #expect(!whole.keepsConnection)
  }

  /// Where no line ends in CRLF, nobody sees other lines; beside such lines, an LF may be one that somebody has put into a value.
  @Test(arguments: [
    ("HTTP/1.1 200 OK\nA: b\nContent-Length: 0\n\n", true),
    ("HTTP/1.1 200 OK\nA: b\nContent-Length: 2\n\n\r\n", true),
    ("HTTP/1.1 204 No Content\n\n", true),
    ("HTTP/1.1 200 OK\nA: b\nContent-Length: 0\nConnection: close\n\n", false),
    ("HTTP/1.1 200 OK\r\nA: b\nContent-Length: 0\r\n\r\n", false),
    ("HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 0\r\n\n", false),
    ("HTTP/1.1 200 OK\nA: b\nContent-Length: 0\n\r\n", false),
    ("HTTP/1.1 200 OK\nA: b\rc\nContent-Length: 0\n\n", false),
    ("\nHTTP/1.1 200 OK\nContent-Length: 0\n\n", false),
    ("HTTP/1.1 200 OK\nA : b\nContent-Length: 0\n\n", false),
    ("HTTP/1.1 200 OK\nA: b\n c\nContent-Length: 0\n\n", false),
    ("HTTP/1.1 103 Early\n\nHTTP/1.1 200 OK\nContent-Length: 0\n\n", false),
    ("HTTP/1.1 103 Early\n\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", false),
    ("HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\nContent-Length: 0\n\n", true),
    ("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n0\n\n", false),
    ("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n0\r\n\r\n", false),
    ("HTTP/1.1 200 OK\nContent-Length: 0\nTransfer-Encoding: chunked\n\n0\r\n\r\n", false),
  ])
  func aHeadWithoutCRLFKeepsTheConnection(text: String, keeps: Bool) {
    let bytes = Array(text.utf8)
    let lenient = Subject.response(.ordinary).transcript(bytes, mode: .lenient)
    #expect(lenient.verdict == .complete)
    #expect(lenient.repairs.contains(.bareLF))
    #expect(lenient.keepsConnection == keeps)
    #expect(Subject.response(.ordinary).disagreement(bytes, mode: .lenient) == nil)
    #expect(!Subject.response(.ordinary).transcript(bytes, mode: .tolerant).keepsConnection)
  }

  @Test func whatWasRepairedEndsTheConnection() {
    let plain = Array("HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 0\r\n\r\n".utf8)
    let folded = Array("HTTP/1.1 200 OK\r\nA: b\r\n c\r\nContent-Length: 0\r\n\r\n".utf8)
    let both = Array(
      "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n".utf8)
    #expect(Subject.response(.ordinary).transcript(plain, mode: .lenient).keepsConnection)
    #expect(!Subject.response(.ordinary).transcript(folded, mode: .lenient).keepsConnection)
    let start = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: b"
    for (end, keeps) in [("\r\n\r\n", true), ("\n\r\n", false), ("\r\n c\r\n\r\n", false)] {
      let result = Subject.response(.ordinary).transcript(Array((start + end).utf8), mode: .lenient)
      #expect(result.verdict == .complete)
      #expect(result.keepsConnection == keeps)
    }
    let result = Subject.response(.ordinary).transcript(both, mode: .lenient)
    #expect(result.body == [0x61])
    #expect(!result.keepsConnection)
  }
}
