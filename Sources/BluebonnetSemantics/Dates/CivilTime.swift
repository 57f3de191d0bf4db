// SPDX-License-Identifier: MIT

/// A moment of the proleptic Gregorian calendar in UTC: what the dates of HTTP are written in. `DateFormatter` would
/// bring in ICU and a thousand times the work.
package struct CivilTime: Sendable, Equatable {
  package var year: Int
  package var month: Int
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int

  /// Fails where there is no such moment; second 60 is a leap second.
  package init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    guard (0...9999).contains(year), (1...12).contains(month), (0..<24).contains(hour),
      (0..<60).contains(minute),
      (0...60).contains(second), day >= 1, day <= Self.days(in: month, of: year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// The moment so many seconds after the start of 1970.
  package init(secondsSince1970 seconds: Int) {
    // Both rounded down, without a step that overflows at an end of `Int`.
    let days = seconds >= 0 ? seconds / 86400 : ~(~seconds / 86400)
    let rest = (seconds % 86400 + 86400) % 86400
    // Days are counted from 1 March 0000, so that a leap day ends its year.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    hour = rest / 3600
    minute = rest / 60 % 60
    second = rest % 60
  }

  /// Days since 1 January 1970.
  package var dayNumber: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Leap seconds are not counted.
  package var secondsSince1970: Int { dayNumber * 86400 + hour * 3600 + minute * 60 + second }

  /// 0 for Sunday.
  package var weekday: Int { ((dayNumber + 4) % 7 + 7) % 7 }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
