// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

@Suite struct RetryAfterTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT.
  private static let now = 784_111_777

  static let table: [(value: String, expected: RetryAfter?)] = [
    ("0", .seconds(0)),
    ("120", .seconds(120)),
    (" 7\t", .seconds(7)),
    ("99999999999999999999999999", .seconds(.max)),
    ("Sun, 06 Nov 1994 08:49:37 GMT", .date(now)),
    ("Sunday, 06-Nov-94 08:49:37 GMT", .date(now)),
    ("Sun Nov  6 08:49:37 1994", .date(now)),
    ("", nil),
    ("-1", nil),
    ("+1", nil),
    ("1.5", nil),
    ("1, 2", nil),
    ("0x10", nil),
    ("soon", nil),
    ("٣", nil),
    ("Sun, 06 Nov 1994 25:49:37 GMT", nil),
  ]

  @Test(arguments: table) func reads(value: String, expected: RetryAfter?) {
    #expect(RetryAfter(value, now: Self.now) == expected)
  }

  @Test func delays() {
    #expect(RetryAfter.seconds(5).delay(sent: nil, now: 0) == 5)
    #expect(RetryAfter.date(100).delay(sent: nil, now: 90) == 10)
    // The server's clock is its own.
    #expect(RetryAfter.date(100).delay(sent: 97, now: 5000) == 3)
    #expect(RetryAfter.date(100).delay(sent: nil, now: 101) == 0)
    #expect(RetryAfter.date(.min).delay(sent: nil, now: .max) == 0)
  }
}
