// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetWireVectors
import Testing

/// What honest servers get wrong in the heads of their responses is repaired, and the connection is not used again.
@Suite struct TolerantModeTests {
  static let ok = "HTTP/1.1 200 OK\r\n"
  static let sized = "Content-Length: 2\r\n\r\nhi"

  /// A response, the field that counts, and the rules it breaks.
  static let repaired: [(String, field: String, value: String, rules: [HTTP1Error.Rule])] = [
    (ok + "A: b\r\n \t c\r\n" + sized, "A", "b c", [.foldedField]),
    (ok + "A: b \t\r\n\tc \r\n  d\r\n" + sized, "A", "b c d", [.foldedField]),
    (ok + "A:\r\n b\r\n \r\n" + sized, "A", "b", [.foldedField]),
    (ok + "A: b\r\n Content-Length: 9\r\n" + sized, "A", "b Content-Length: 9", [.foldedField]),
    (ok + "Connection: keep-alive,\r\n close\r\n" + sized, "Connection", "keep-alive, close", [.foldedField]),
    (ok + "A: caf\u{e9}\r\n \u{e9}\r\n" + sized, "A", "caf\u{e9} \u{e9}", [.foldedField]),
    ("HTTP/1.1 200 OK\nA: b\nContent-Length: 2\n\nhi", "A", "b", [.bareLF]),
    (ok + "A: b\n" + sized, "A", "b", [.bareLF]),
    ("HTTP/1.1 200\nA: b\r\n" + sized, "A", "b", [.bareLF]),
    (ok + "A: b\r\nContent-Length: 2\r\n\nhi", "A", "b", [.bareLF]),
    ("HTTP/1.1 200 OK\nA: b\n c\nContent-Length: 2\n\nhi", "A", "b c", [.foldedField, .bareLF]),
    ("HTTP/1.1 200 O\u{1}K\u{7f}\r\nA: b\r\n" + sized, "A", "b", [.invalidReason]),
    (ok + "A : b\r\n" + sized, "A", "b", [.whitespaceBeforeColon]),
    (ok + "A \t : b\r\n" + sized, "A", "b", [.whitespaceBeforeColon]),
    (ok + "Set-Cookie\t: a=b\r\n" + sized, "Set-Cookie", "a=b", [.whitespaceBeforeColon]),
    ("HTTP/1.1 103 E\nX: y\n\n" + ok + "A: b\r\n" + sized, "A", "b", [.bareLF]),
    ("HTTP/1.1 103 E\r\nX : y\r\n\r\n" + ok + "A: b\n" + sized, "A", "b", [.whitespaceBeforeColon, .bareLF]),
  ]

  @Test(arguments: repaired) func repairs(
    text: String, field: String, value: String, rules: [HTTP1Error.Rule]
  ) throws {
    let bytes = Array(text.utf8)
    let subject = Subject.response(.ordinary)
    let result = subject.transcript(bytes, mode: .tolerant)
    #expect(result.verdict == .complete)
    #expect(result.fields.first { $0.name == Array(field.utf8) }?.value == Array(value.utf8))
    #expect(result.body == Array("hi".utf8))
    #expect(result.consumed == bytes.count)
    #expect(!result.keepsConnection)
    #expect(Set(result.repairs.rules) == Set(rules))
    #expect(rules.allSatisfy(result.repairs.contains) && !result.repairs.isEmpty)
    #expect(subject.disagreement(bytes, mode: .tolerant) == nil)
    guard case .reject(let error) = subject.transcript(bytes).verdict else {
      Issue.record("strict mode accepts it")
      return
    }
    #expect(rules.contains(error.rule))
  }

  @Test func aReasonIsRepairedToo() {
    let bytes = Array("HTTP/1.1 200 O\u{1}K\u{b}\u{7f}!\r\nContent-Length: 0\r\n\r\n".utf8)
    let result = Subject.response(.ordinary).transcript(bytes, mode: .tolerant)
    #expect(result.reason == "O K  !")
  }

  static let refused: [(String, Subject, HTTP1Error.Rule)] = [
    // Whatever frames the message is written correctly or refused.
    (ok + "Content-Length : 2\r\n\r\nhi", .response(.ordinary), .whitespaceBeforeColon),
    (ok + "Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n", .response(.ordinary), .whitespaceBeforeColon),
    (ok + "Content-Length:\r\n 2\r\n\r\nhi", .response(.ordinary), .invalidContentLength),
    (ok + "Content-Length: 2\r\n \r\n\r\nhi", .response(.ordinary), .foldedField),
    (ok + "Content-Length: 1\r\n 2\r\n\r\nhi", .response(.ordinary), .foldedField),
    (ok + "Transfer-Encoding: chunked,\r\n gzip\r\n\r\n0\r\n\r\n", .response(.ordinary), .foldedField),
    (ok + "Transfer-Encoding:\n chunked\n\n0\r\n\r\n", .response(.ordinary), .foldedField),
    (
      ok + "A: b\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n", .response(.ordinary),
      .conflictingContentLength
    ),
    (
      ok + "A: b\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n", .response(.ordinary),
      .contentLengthWithTransferEncoding
    ),
    (ok + "Transfer-Encoding: identity\r\n\r\n", .response(.ordinary), .unsupportedTransferEncoding),
    // A HEAD's answer has no body, but its fields are judged as if it had.
    (ok + "Content-Length : 2\r\n\r\n", .response(.head), .whitespaceBeforeColon),
    // What ends lines or strings elsewhere.
    (ok + "A: b\rContent-Length: 2\r\n\r\n", .response(.ordinary), .bareCR),
    (ok + "A: b\r\r\n\r\n", .response(.ordinary), .bareCR),
    (ok + "A: \u{0}\r\n\r\n", .response(.ordinary), .invalidFieldValue),
    (ok + "A: \u{1}\r\n\r\n", .response(.ordinary), .invalidFieldValue),
    (ok + "A: b\r\n c\u{1}\r\n\r\n", .response(.ordinary), .invalidFieldValue),
    (ok + "A\u{0}: b\r\n\r\n", .response(.ordinary), .invalidFieldName),
    ("HTTP/1.1 200 O\u{0}K\r\n\r\n", .response(.ordinary), .invalidReason),
    ("HTTP/1.1 200 O\rK\r\n\r\n", .response(.ordinary), .bareCR),
    // Not in the grammar, and nothing that honest servers get wrong.
    ("\r\n" + ok + "\r\n", .response(.ordinary), .emptyLineBeforeStatusLine),
    ("\n" + ok + "\r\n", .response(.ordinary), .emptyLineBeforeStatusLine),
    ("HTTP/1.1  200 OK\r\n\r\n", .response(.ordinary), .invalidStatusCode),
    ("HTTP/1.1\t200 OK\r\n\r\n", .response(.ordinary), .invalidStatusLine),
    (ok + " A: b\r\n\r\n", .response(.ordinary), .whitespaceBeforeFirstField),
    (ok + " : b\r\n\r\n", .response(.ordinary), .whitespaceBeforeFirstField),
    (ok + "A b: c\r\n\r\n", .response(.ordinary), .invalidFieldName),
    // Chunks, trailers and requests are read strictly.
    (ok + "Transfer-Encoding: chunked\r\n\r\n2\nhi\r\n0\r\n\r\n", .response(.ordinary), .bareLF),
    (ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\n0\r\n\r\n", .response(.ordinary), .missingChunkEnd),
    (
      ok + "Transfer-Encoding: chunked\r\n\r\n2;=\r\nhi\r\n0\r\n\r\n", .response(.ordinary),
      .invalidChunkExtension
    ),
    (ok + "Transfer-Encoding: chunked\r\n\r\n0\r\nA: b\n\r\n", .response(.ordinary), .bareLF),
    (ok + "Transfer-Encoding: chunked\r\n\r\n0\r\nA: b\r\n c\r\n\r\n", .response(.ordinary), .foldedField),
    (
      ok + "Transfer-Encoding: chunked\r\n\r\n0\r\nA : b\r\n\r\n", .response(.ordinary),
      .whitespaceBeforeColon
    ),
    ("GET / HTTP/1.1\nHost: a\r\n\r\n", .request, .bareLF),
    ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", .request, .whitespaceBeforeColon),
    ("GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", .request, .foldedField),
    // Where the connection is handed over, its end as HTTP/1.1 must be beyond doubt.
    ("HTTP/1.1 101 S\nUpgrade: x\n\n", .response(.ordinary), .bareLF),
    ("HTTP/1.1 103 E\r\nA : b\r\n\r\nHTTP/1.1 101 S\r\n\r\n", .response(.ordinary), .whitespaceBeforeColon),
    ("HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", .response(.connect), .foldedField),
  ]

  @Test(arguments: refused) func stillRefuses(text: String, subject: Subject, rule: HTTP1Error.Rule) {
    let bytes = Array(text.utf8)
    guard case .reject(let error) = subject.transcript(bytes, mode: .tolerant).verdict else {
      Issue.record("accepted")
      return
    }
    #expect(error.rule == rule)
    #expect(error.offset <= bytes.count)
    #expect(subject.disagreement(bytes, mode: .tolerant) == nil)
    #expect(subject.transcript(bytes).verdict != .complete)
  }

  /// Every way to break one byte of a response: strict mode's word holds, or there is a repair and no further use.
  @Test func oneWrongByteIsRepairedOrRefused() {
    let whole = Array(
      "HTTP/1.1 200 OK\r\nServer: a b\r\nContent-Length: 2\r\nConnection: keep-alive\r\nX-Long: y\r\n\r\nhi"
        .utf8)
    let subject = Subject.response(.ordinary)
    var repaired = 0
    for index in whole.indices {
      for byte in UInt8.min...UInt8.max {
        var bytes = whole
        bytes[index] = byte
        for eof in [false, true] {
          let strict = subject.transcript(bytes, eof: eof)
          let tolerant = subject.transcript(bytes, eof: eof, mode: .tolerant)
          if tolerant.repairs.isEmpty {
            #expect(tolerant == strict, "\(index) \(byte)")
          } else {
            repaired += 1
            #expect(!tolerant.keepsConnection, "\(index) \(byte)")
            #expect(strict.verdict != .complete, "\(index) \(byte)")
          }
        }
      }
    }
    #expect(repaired > 50)
  }

  @Test func parsersForgetRepairs() throws {
    let bytes = Array(
      (Self.ok + "A: b\n" + Self.sized + Self.ok + "A: b\r\n" + Self.sized).utf8)
    var parser = ResponseParser(toMethod: .ordinary, mode: .tolerant)
    var consumed = 0
    while try parser.next(in: bytes.span, consumed: &consumed) != .end {}
    #expect(parser.repairs.rules == [.bareLF])
    #expect(parser.repairs.description == "LF without CR (RFC 9112 §2.2)")
    parser.reset(toMethod: .ordinary)
    while try parser.next(in: bytes.span, consumed: &consumed) != .end {}
    #expect(consumed == bytes.count)
    #expect(parser.repairs.isEmpty)
    #expect(parser.repairs.description == "none")
    #expect(parser.keepsConnection)
  }
}
