// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetTestSupport
import BluebonnetWireVectors
import Testing

/// Any bytes give a value or an error, the same at every split. Inputs are pieces of messages glued and damaged at
/// random, with a fixed seed, so that a failure can be repeated.
@Suite struct RandomInputTests {

  static let pieces: [String] = [
    "HTTP/1.1 200 OK\r\n", "HTTP/1.0 204 \r\n", "HTTP/1.1 100\r\n\r\n", "GET / HTTP/1.1\r\n",
    "POST http://a/b HTTP/1.0\r\n",
    "CONNECT a:1 HTTP/1.1\r\n", "Content-Length: 3\r\n", "content-length: 03, 3\r\n",
    "Content-Length: 99999999999999999999\r\n",
    "Transfer-Encoding: chunked\r\n", "Transfer-Encoding:\tidentity , chunked\r\n",
    "Connection: close, keep-alive\r\n",
    "X-Long-Name-Of-A-Field-That-Nobody-Knows: " + String(repeating: "v", count: 70) + "\r\n", "A:b\r\n",
    "Set-Cookie: a=b; c\u{e9}\r\n",
    "\r\n", "\r\n", "\r\n\r\n", "3\r\nabc\r\n", "0\r\n\r\n", "0\r\nT: r\r\n\r\n", "5;a=\"b\"\r\nhello\r\n",
    "\n", "\r", " ", "\t", ":", "\u{0}", "abc",
    "ffffffffffffffff\r\n", "10000000000000000\r\n",
  ]

  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func anyBytesGiveTheSameVerdictAtEverySplit(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let subjects: [Subject] = [
      .response(.ordinary), .response(.head), .response(.connect), .request, .chunked,
    ]
    var verdicts: Set<String> = []
    for _ in 0..<400 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        bytes += Array((Self.pieces.randomElement(using: &generator) ?? "").utf8)
      }
      for _ in 0..<Int.random(in: 0...2, using: &generator) where !bytes.isEmpty {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      let mode = [ParsingMode.strict, .tolerant, .lenient].randomElement(using: &generator) ?? .strict
      let eof = Bool.random(using: &generator)
      for subject in subjects {
        let difference = subject.disagreement(bytes, eof: eof, mode: mode, splits: 40)
        #expect(difference == nil, "\(subject) \(mode) \(bytes)")
        verdicts.insert("\(subject.transcript(bytes, eof: eof, mode: mode).verdict)".prefix(9).description)
      }
    }
    // The generator would be worthless if everything were refused.
    #expect(verdicts.count == 3)
  }
}
