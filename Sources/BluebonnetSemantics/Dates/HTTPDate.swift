// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// The date of a field such as `Date`, `Expires` or `Retry-After` (RFC 9110 §5.6.7), as seconds since the start of 1970.
public enum HTTPDate {
  static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Reads all three forms: IMF-fixdate, RFC 850 and asctime. Names are matched without regard to case.
  ///
  /// - Parameters:
  ///   - text: A date, without whitespace around it.
  ///   - now: The present in the same unit, which tells the century of a year of two digits.
  public static func parse(_ text: String, now: Int) -> Int? {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
    switch words.count {
    case 6:  // Sun, 06 Nov 1994 08:49:37 GMT
      guard words[5] == "GMT", words[3].utf8.count == 4, let year = number(words[3]) else { return nil }
      return date(weekday: words[0], words[1], words[2], year, words[4])
    case 4:  // Sunday, 06-Nov-94 08:49:37 GMT
      let parts = words[1].split(separator: "-").map(String.init)
      guard words[3] == "GMT", parts.count == 3, parts[2].utf8.count == 2, let short = number(parts[2]) else {
        return nil
      }
      return date(weekday: words[0], parts[0], parts[1], century(of: short, now: now), words[2])
    case 5:  // Sun Nov  6 08:49:37 1994
      guard words[4].utf8.count == 4, let year = number(words[4]) else { return nil }
      return date(weekday: words[0], words[2], words[1], year, words[3])
    default: return nil
    }
  }

  /// Writes the one form that is sent: IMF-fixdate.
  public static func format(_ secondsSince1970: Int) -> String {
    let time = CivilTime(secondsSince1970: secondsSince1970)
    return
      "\(weekdays[time.weekday]), \(padded(time.day)) \(months[time.month - 1]) \(padded(time.year, to: 4)) "
      + "\(padded(time.hour)):\(padded(time.minute)):\(padded(time.second)) GMT"
  }

  /// A two-digit year that seems more than 50 years ahead is one of the past.
  static func century(of short: Int, now: Int) -> Int {
    let current = CivilTime(secondsSince1970: now).year
    let year = current / 100 * 100 + short
    return year > current + 50 ? year - 100 : year
  }

  private static func date(
    weekday: String, _ day: String, _ month: String, _ year: Int, _ clock: String
  ) -> Int? {
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
    guard weekdays.contains(where: { $0.equalsIgnoringASCIICase(weekday.prefix(3)) }),
      let month = self.month(month), day.utf8.count <= 2, let day = number(day), parts.count == 3,
      parts.allSatisfy({ $0.utf8.count == 2 }), let hour = number(parts[0]), let minute = number(parts[1]),
      let second = number(parts[2])
    else { return nil }
    return CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)?
      .secondsSince1970
  }

  static func month(_ name: some StringProtocol) -> Int? {
    months.firstIndex { $0.equalsIgnoringASCIICase(name) }.map { $0 + 1 }
  }

  /// Digits and nothing else: `Int` would take a sign.
  static func number(_ text: some StringProtocol) -> Int? {
    text.utf8.allSatisfy(Byte.isDigit) ? Int(text) : nil
  }

  private static func padded(_ number: Int, to width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
