// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// The lenient dates of cookies (RFC 6265bis §5.1.1): tokens in any order, the first that fits each part wins.
package enum CookieDate {
  /// The seconds since the start of 1970.
  package static func parse(_ text: some StringProtocol) -> Int? {
    var clock: (Int, Int, Int)?
    var day: Int?
    var month: Int?
    var year: Int?
    for token in text.utf8.split(whereSeparator: isDelimiter) {
      let word = String(decoding: token, as: UTF8.self)
      if clock == nil, let found = time(word) {
        clock = found
      } else if day == nil, let found = leadingNumber(word, digits: 1...2) {
        day = found
      } else if month == nil, let found = HTTPDate.month(Substring(word.utf8.prefix(3))) {
        month = found
      } else if year == nil, let found = leadingNumber(word, digits: 2...4) {
        year = found
      }
    }
    guard let clock, let day, let month, var year else { return nil }
    if (70...99).contains(year) { year += 1900 }
    if (0...69).contains(year) { year += 2000 }
    guard year >= 1601, clock.2 < 60 else { return nil }
    return CivilTime(
      year: year, month: month, day: day, hour: clock.0, minute: clock.1, second: clock.2)?
      .secondsSince1970
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  /// `hms-time`: three numbers of one or two digits; whatever follows a non-digit is ignored.
  private static func time(_ word: String) -> (Int, Int, Int)? {
    let parts = word.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].utf8.count <= 2, parts[1].utf8.count <= 2,
      let hour = HTTPDate.number(parts[0]),
      let minute = HTTPDate.number(parts[1]), let second = leadingNumber(parts[2], digits: 1...2)
    else { return nil }
    return (hour, minute, second)
  }

  private static func leadingNumber(_ word: some StringProtocol, digits: ClosedRange<Int>) -> Int? {
    let leading = word.utf8.prefix(while: Byte.isDigit)
    guard digits.contains(leading.count) else { return nil }
    return Int(String(decoding: leading, as: UTF8.self))
  }
}
