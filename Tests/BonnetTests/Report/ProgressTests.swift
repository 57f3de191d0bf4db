// SPDX-License-Identifier: MIT
import Testing

@testable import bonnet

@Suite struct ProgressTests {
  /// As curl shows the same numbers.
  @Test func columns() {
    #expect(
      ProgressColumns.line(ProgressFacts())
        == "  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0")
    #expect(
      ProgressColumns.line(ProgressFacts(received: 3, receivedTotal: 3, elapsed: 0.5, currentSpeed: 3_000))
        == "100     3  100     3    0     0      6      0 --:--:-- --:--:-- --:--:--  3000")
    #expect(
      ProgressColumns.line(
        ProgressFacts(received: 50_000, receivedTotal: 100_000, elapsed: 10, currentSpeed: 5_000))
        == " 50   97k   50 50000    0     0   5000      0  0:00:20  0:00:10  0:00:10  5000")
  }

  @Test func narrowTerminals() {
    let facts = ProgressFacts(received: 50_000, receivedTotal: 100_000, elapsed: 10, currentSpeed: 5_000)
    #expect(ProgressColumns.narrowTitle(isParallel: false) == "  %  Recv  Sent Speed     Left\n")
    #expect(ProgressColumns.narrowLine(facts, isParallel: false) == " 50 50000     0  5000  0:00:10")
    for isParallel in [false, true] {
      let large = ProgressFacts(
        received: 1 << 50, receivedTotal: 1 << 51, sent: 1 << 50, elapsed: 1, currentSpeed: 1 << 50)
      let line = ProgressColumns.narrowLine(large, isParallel: isParallel)
      #expect(line.count <= 36)
      #expect(line.count + 1 == ProgressColumns.narrowTitle(isParallel: isParallel).count)
    }
    #expect(ProgressColumns.line(facts).count < ProgressColumns.width)
  }

  @Test(arguments: [
    (0, "    0"), (99_999, "99999"), (100_000, "  97k"), (102_400, " 100k"), (10_238_976, "9999k"),
    (10_240_000, " 9.7M"),
    (200 << 20, " 200M"), (3 << 40, "3072G"),
  ])
  func sizes(bytes: Int, text: String) {
    #expect(ProgressColumns.size(bytes).count == 5)
    #expect(ProgressColumns.size(bytes) == text)
  }

  @Test(arguments: [
    (0, "--:--:--"), (59, " 0:00:59"), (3_661, " 1:01:01"), (400_000, "  4d 15h"), (90_000_000, "   1041d"),
  ])
  func times(seconds: Int, text: String) {
    #expect(ProgressColumns.time(seconds) == text)
  }

  /// A server may announce any length, and ten that do so at once.
  @Test func announcedLengthsEndAtTheLargestNumber() {
    #expect(ProgressFacts.sum(.max, 1) == .max)
    #expect(ProgressFacts.sum(1, 2) == 3)
    var facts = ProgressFacts(received: 1, receivedTotal: .max, sent: 1, sentTotal: .max, elapsed: 1)
    facts.currentSpeed = 1
    #expect(facts.whole == .max)
    #expect(ProgressColumns.line(facts).hasPrefix("  0"))
    #expect(ProgressColumns.parallelLine(facts).hasPrefix("  0"))
    #expect(ProgressColumns.narrowLine(facts, isParallel: true).hasPrefix("  0"))
    #expect(ProgressBar.line(facts, width: 79, tick: 0).hasSuffix(" 0.0%"))
  }

  @Test func bar() {
    #expect(
      ProgressBar.line(ProgressFacts(received: 1, receivedTotal: 1), width: 79, tick: 0)
        == String(repeating: "#", count: 72) + " 100.0%")
    #expect(
      ProgressBar.line(ProgressFacts(received: 1, receivedTotal: 2), width: 27, tick: 0).hasPrefix(
        "########## "))
    let lines = (0..<50).map { ProgressBar.line(ProgressFacts(), width: 30, tick: $0) }
    #expect(lines.allSatisfy { $0.contains("-=O=-") || $0.contains("-=O=") })
    #expect(Set(lines).count > 20)
  }

  @Test func dumps() {
    #expect(
      HexDump.lines(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8), isTextOnly: true)
        == "0000: GET / HTTP/1.1\n0010: Host: a\n0019: \n")
    #expect(
      HexDump.lines([0x41, 0x00, 0x7F], isTextOnly: false) == "0000: 41 00 7f "
        + String(repeating: "   ", count: 13) + "A..\n")
  }
}
