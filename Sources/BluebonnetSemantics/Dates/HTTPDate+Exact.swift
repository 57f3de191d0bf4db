// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

extension HTTPDate {
  /// Reads a date as a cache has to: nothing but the three forms of RFC 9110 §5.6.7, blank for blank, where only the case of
  /// letters is free (RFC 9111 §4.2). What looks like a date and is none tells nothing, so a response is not fresh by it.
  ///
  /// - Parameter now: The present in seconds since 1970, which tells the century of a year of two digits.
  package static func parseExactly(_ text: String, now: Int) -> Int? {
    var scanner = ExactDateScanner(Array(text.utf8))
    // Sun, 06 Nov 1994 08:49:37 GMT
    if let date = scanner.fixed() { return date }
    // Sunday, 06-Nov-94 08:49:37 GMT
    if let date = scanner.rfc850(century: { century(of: $0, now: now) }) { return date }
    // Sun Nov  6 08:49:37 1994
    return scanner.asctime()
  }
}

/// Walks over the bytes of one date.
private struct ExactDateScanner {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func fixed() -> Int? {
    position = 0
    guard weekday(isLong: false), skip(", "), let day = number(2), skip(" "), let month = month(), skip(" "),
      let year = number(4), skip(" "), let clock = clock(), skip(" GMT")
    else { return nil }
    return moment(year, month, day, clock)
  }

  mutating func rfc850(century: (Int) -> Int) -> Int? {
    position = 0
    guard weekday(isLong: true), skip(", "), let day = number(2), skip("-"), let month = month(), skip("-"),
      let short = number(2), skip(" "), let clock = clock(), skip(" GMT")
    else { return nil }
    return moment(century(short), month, day, clock)
  }

  mutating func asctime() -> Int? {
    position = 0
    guard weekday(isLong: false), skip(" "), let month = month(), skip(" ") else { return nil }
    // A day below 10 has a blank in front.
    guard let day = skip(" ") ? number(1) : number(2), skip(" "), let clock = clock(), skip(" "),
      let year = number(4)
    else { return nil }
    return moment(year, month, day, clock)
  }

  private typealias Clock = (hour: Int, minute: Int, second: Int)

  private func moment(_ year: Int, _ month: Int, _ day: Int, _ clock: Clock) -> Int? {
    guard position == bytes.count else { return nil }
    return CivilTime(
      year: year, month: month, day: day, hour: clock.hour, minute: clock.minute, second: clock.second)?
      .secondsSince1970
  }

  private mutating func clock() -> Clock? {
    guard let hour = number(2), skip(":"), let minute = number(2), skip(":"), let second = number(2) else {
      return nil
    }
    return (hour, minute, second)
  }

  private mutating func skip(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count - position >= count else { return false }
    for index in 0..<count
    where Byte.lowercased(bytes[position + index]) != Byte.lowercased(text.utf8Start[index]) {
      return false
    }
    position += count
    return true
  }

  private mutating func number(_ digits: Int) -> Int? {
    guard bytes.count - position >= digits else { return nil }
    var number = 0
    for byte in bytes[position..<(position + digits)] {
      guard Byte.isDigit(byte) else { return nil }
      number = number * 10 + Int(byte &- 0x30)
    }
    position += digits
    return number
  }

  private mutating func month() -> Int? {
    name(among: "janfebmaraprmayjunjulaugsepoctnovdec").map { $0 + 1 }
  }

  private mutating func weekday(isLong: Bool) -> Bool {
    if !isLong { return name(among: "sunmontuewedthufrisat") != nil }
    for name in Self.longWeekdays where skip(name) { return true }
    return false
  }

  /// Skips a name of three letters. Bytes are compared, because a response has two dates or three, and words would be texts of their own.
  ///
  /// - Parameter names: Those that there are, in lower case, one right behind the other.
  /// - Returns: The name's place among them.
  private mutating func name(among names: StaticString) -> Int? {
    guard bytes.count - position >= 3 else { return nil }
    let (first, second, third) = (
      Byte.lowercased(bytes[position]), Byte.lowercased(bytes[position + 1]),
      Byte.lowercased(bytes[position + 2])
    )
    for start in stride(from: 0, to: names.utf8CodeUnitCount, by: 3)
    where names.utf8Start[start] == first && names.utf8Start[start + 1] == second
      && names.utf8Start[start + 2] == third
    {
      position += 3
      return start / 3
    }
    return nil
  }

  private static let longWeekdays: [StaticString] = [
    "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
  ]
}
