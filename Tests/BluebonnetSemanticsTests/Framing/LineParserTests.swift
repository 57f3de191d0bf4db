// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

@Suite struct LineParserTests {
  private func lines(_ pieces: [[UInt8]], limit: Int = 100) throws -> (lines: [String], last: String?) {
    var parser = LineParser(limit: limit)
    var lines: [String] = []
    for piece in pieces {
      try parser.append(piece.span) { lines.append(String(decoding: $0, as: UTF8.self)) }
    }
    let last = parser.finish().map { String(decoding: $0, as: UTF8.self) }
    #expect(parser.finish() == nil)
    return (lines, last)
  }

  private static let table: [(stream: String, lines: [String], last: String?)] = [
    ("", [], nil), ("a", [], "a"), ("a\n", ["a"], nil), ("a\nb", ["a"], "b"), ("\n\n", ["", ""], nil),
    ("a\r\nb\r\n", ["a", "b"], nil), ("a\rb\n", ["a\rb"], nil), ("a\r\r\n", ["a\r"], nil), ("a\r", [], "a"),
    ("{\"ü\": \"🌼\"}\n[1,2]\n", ["{\"ü\": \"🌼\"}", "[1,2]"], nil), ("\r\n", [""], nil), ("\r", [], ""),
  ]

  @Test(arguments: table.indices) func atEverySplit(_ index: Int) throws {
    let (stream, expected, last) = Self.table[index]
    let bytes = Array(stream.utf8)
    for cut in 0...bytes.count {
      let found = try lines([Array(bytes[..<cut]), Array(bytes[cut...])])
      #expect(found.lines == expected && found.last == last, "\(stream.debugDescription) cut at \(cut)")
    }
    let found = try lines(bytes.map { [$0] })
    #expect(found.lines == expected && found.last == last, "\(stream.debugDescription)")
  }

  @Test func aLineHasALimit() throws {
    for end in ["\n", "\r\n", ""] {
      let good = try lines([Array("abcd".utf8), Array(end.utf8)], limit: 4)
      #expect(good.lines + [good.last].compactMap { $0 } == ["abcd"])
      for pieces in [["abcde"], ["abcd", "e"], ["ab", "cde"], ["abcd\r", "e"]] {
        #expect(throws: FramingError.lineTooLong(limit: 4)) {
          try lines((pieces + [end + "\n"]).map { Array($0.utf8) }, limit: 4)
        }
      }
    }
  }

  @Test func nothingComesAfterAFault() throws {
    var parser = LineParser(limit: 1)
    let piece = Array("ab\nc\n".utf8)
    for _ in 0..<2 {
      #expect(throws: FramingError.self) {
        try parser.append(piece.span) { _ in Issue.record("a line") }
      }
    }
    #expect(parser.finish() == nil)
  }
}
