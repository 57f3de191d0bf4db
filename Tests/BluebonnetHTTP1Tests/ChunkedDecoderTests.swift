// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetWireVectors
import Testing

@Suite struct ChunkedDecoderTests {
  static let accepted: [(String, body: String, trailers: Int, rest: Int)] = [
    ("0\r\n\r\n", "", 0, 0),
    ("3\r\nabc\r\n0\r\n\r\n", "abc", 0, 0),
    ("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\nX", "abcde", 0, 1),
    ("A\r\n0123456789\r\n0\r\n\r\n", "0123456789", 0, 0),
    ("00000000000000000000000000000001\r\na\r\n000\r\n\r\n", "a", 0, 0),
    ("1 \t\r\na\r\n0  \r\n\r\n", "a", 0, 0),
    ("1;a\r\na\r\n0;b=c\r\n\r\n", "a", 0, 0),
    ("1 ; a = \"x;\\\" \" ;b\r\na\r\n0\r\n\r\n", "a", 0, 0),
    ("0\r\nA: b\r\nC:d\r\n\r\n", "", 2, 0),
  ]

  @Test(arguments: accepted) func accepts(bytes: String, body: String, trailers: Int, rest: Int) {
    let bytes = Array(bytes.utf8)
    let result = Subject.chunked.transcript(bytes)
    #expect(result.verdict == .complete)
    #expect(result.body == Array(body.utf8))
    #expect(result.trailers.count == trailers)
    #expect(bytes.count - result.consumed == rest)
    #expect(Subject.chunked.disagreement(bytes) == nil)
  }

  static let refused: [(String, HTTP1Error.Rule, Int)] = [
    ("\r\n", .invalidChunkSize, 0),
    ("g\r\n", .invalidChunkSize, 0),
    ("-1\r\n", .invalidChunkSize, 0),
    ("0x1\r\n", .invalidChunkSize, 1),
    (" 1\r\n", .invalidChunkSize, 0),
    ("10000000000000000\r\n", .chunkSizeOverflow, 16),
    ("1\na\r\n", .bareLF, 1),
    ("1\rX", .bareCR, 2),
    ("1;a\n", .bareLF, 3),
    ("1;\r\n", .invalidChunkExtension, 2),
    ("1;a=\r\n", .invalidChunkExtension, 4),
    ("1;a=\"b\r\n", .invalidChunkExtension, 6),
    ("1;a b\r\n", .invalidChunkExtension, 4),
    ("1 a\r\n", .invalidChunkExtension, 2),
    ("1;\u{0}\r\n", .invalidChunkExtension, 2),
    ("1\r\nab\r\n", .missingChunkEnd, 4),
    ("1\r\na\n0\r\n", .missingChunkEnd, 4),
    ("1\r\na\rX", .missingChunkEnd, 5),
    ("0\r\nA : b\r\n\r\n", .whitespaceBeforeColon, 4),
    ("0\r\nA: b\n\r\n", .bareLF, 7),
    ("0\r\nA\r\n\r\n", .invalidFieldName, 4),
  ]

  @Test(arguments: refused) func refuses(bytes: String, rule: HTTP1Error.Rule, offset: Int) {
    let bytes = Array(bytes.utf8)
    #expect(Subject.chunked.transcript(bytes).verdict == .reject(HTTP1Error(rule, offset: offset)))
    #expect(Subject.chunked.disagreement(bytes) == nil)
  }

  @Test func sizesBeyondIntAreAwaitedWithoutOverflow() throws {
    var decoder = ChunkedDecoder()
    var consumed = 0
    let bytes = Array("ffffffffffffffff\r\nabc".utf8)
    #expect(try decoder.next(in: bytes.span, consumed: &consumed) == .body(18..<21))
    #expect(decoder.bytesExpected == Int.max)
    #expect(throws: HTTP1Error(.truncatedBody, offset: 21)) { try decoder.finish() }
    // What comes after the end doesn't heal it.
    consumed = 0
    #expect(throws: HTTP1Error(.truncatedBody, offset: 21)) {
      try decoder.next(in: Array("def".utf8).span, consumed: &consumed)
    }
  }

  @Test func extensionsAndTrailersAreLimited() {
    let limits = ParserLimits(chunkExtensionBytes: 10, trailerBytes: 20)
    let cases: [(String, Transcript.Verdict)] = [
      ("1;123456789\r\na\r\n0\r\n\r\n", .complete),
      ("1;1234567890\r\na\r\n0\r\n\r\n", .reject(HTTP1Error(.chunkExtensionTooLong, offset: 11))),
      ("00000000001\r\na\r\n0\r\n\r\n", .reject(HTTP1Error(.chunkExtensionTooLong, offset: 10))),
      ("0\r\nA: 3456789012345\r\n\r\n", .complete),
      ("0\r\nA: 345678901234567\r\n\r\n", .reject(HTTP1Error(.trailersTooLong, offset: 23))),
    ]
    for (text, verdict) in cases {
      let bytes = Array(text.utf8)
      let result = Subject.chunked.transcript(bytes, limits: limits)
      #expect(result.verdict == verdict, "\(text)")
      #expect(Subject.chunked.disagreement(bytes, limits: limits) == nil)
    }
  }

  @Test(arguments: [ParsingMode.strict, .tolerant, .lenient])
  func overheadIsLimited(mode: ParsingMode) {
    let limits = ParserLimits(chunkOverheadBytes: 100)
    func verdict(_ text: String) -> Transcript.Verdict {
      let bytes = Array(text.utf8)
      #expect(Subject.chunked.disagreement(bytes, mode: mode, limits: limits, splits: 200) == nil)
      return Subject.chunked.transcript(bytes, mode: mode, limits: limits).verdict
    }
    // Chunks of one byte are honest, however many there are.
    #expect(verdict(String(repeating: "1\r\na\r\n", count: 500) + "0\r\n\r\n") == .complete)
    // A line of 20 bytes before one byte counts as 24 - 16 - 2.
    let chunk = "1;\(String(repeating: "e", count: 18))\r\na\r\n"
    #expect(verdict(String(repeating: chunk, count: 16) + "0\r\n\r\n") == .complete)
    #expect(
      verdict(String(repeating: chunk, count: 17) + "0\r\n\r\n")
        == .reject(HTTP1Error(.tooMuchChunkOverhead, offset: 16 * chunk.utf8.count + 21)))
    // Data makes room again, whether its line is short or not.
    for data in ["40\r\n", "0000000040\r\n", "40;a=b\r\n"] {
      let large = data + String(repeating: "a", count: 64) + "\r\n"
      let group = String(repeating: chunk, count: 16) + large
      #expect(verdict(String(repeating: group, count: 4) + "0\r\n\r\n") == .complete, "\(data)")
    }
    // A signature for each chunk, as in some uploads.
    let signed =
      "400;chunk-signature=\(String(repeating: "5", count: 64))\r\n\(String(repeating: "a", count: 1024))\r\n"
    #expect(verdict(String(repeating: signed, count: 20) + "0\r\n\r\n") == .complete)
    // The last chunk's line counts too.
    #expect(verdict("0;\(String(repeating: "e", count: 120))\r\n\r\n") != .complete)
  }
}
