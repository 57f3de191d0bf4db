// SPDX-License-Identifier: MIT

/// Dates as people type them: `12 Dec 1999 12:00:00 GMT`, `Sunday, 12-Dec-99`, `1999-12-12 12:00`, `19991212`.
enum DateText {
  private struct Parts {
    var year: Int?
    var month: Int?
    var day: Int?
    var time: Int?
    var offset: Int?
  }

  /// Seconds since 1970; nil if it is no date.
  static func seconds(_ text: String) -> Int? {
    var parts = Parts()
    let lowercased = text.lowercased()
    var rest = lowercased[...]
    while let first = rest.first {
      if first.isLetter {
        let word = rest.prefix { $0.isLetter }
        rest = rest[word.endIndex...]
        guard take(word: word, &parts) else { return nil }
      } else if first.isNumber || (first == "+" || first == "-") && parts.time != nil && parts.offset == nil {
        let isSigned = !first.isNumber
        let number = rest.dropFirst(isSigned ? 1 : 0).prefix { $0.isNumber || $0 == ":" }
        guard !number.isEmpty else { return nil }
        rest = rest[number.endIndex...]
        guard isSigned ? take(offset: number, first == "-", &parts) : take(number: number, &rest, &parts)
        else {
          return nil
        }
      } else {
        rest.removeFirst()
      }
    }
    guard let year = parts.year, let month = parts.month, let day = parts.day, (1...31).contains(day) else {
      return nil
    }
    return days(year, month, day) * 86_400 + (parts.time ?? 0) - (parts.offset ?? 0)
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
  private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
  private static let zones: [Substring: Int] = [
    "gmt": 0, "utc": 0, "ut": 0, "z": 0, "wet": 0, "bst": 1, "cet": 1, "met": 1, "cest": 2, "eet": 2,
    "est": -5,
    "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7, "jst": 9,
  ]

  private static func take(word: Substring, _ parts: inout Parts) -> Bool {
    let short = String(word.prefix(3))
    if let hours = zones[word] {
      parts.offset = parts.offset ?? hours * 3_600
    } else if let month = months.firstIndex(of: short), parts.month == nil {
      parts.month = month + 1
    } else if word != "t", !weekdays.contains(short) {
      return false
    }
    return true
  }

  private static func take(offset: Substring, _ isNegative: Bool, _ parts: inout Parts) -> Bool {
    let digits = offset.filter { $0 != ":" }
    guard digits.count == 4, let value = Int(digits), value <= 1_400 else { return false }
    parts.offset = (value / 100 * 3_600 + value % 100 * 60) * (isNegative ? -1 : 1)
    return true
  }

  private static func take(number: Substring, _ rest: inout Substring, _ parts: inout Parts) -> Bool {
    if number.contains(":") { return take(time: number, &parts) }
    guard let value = Int(number) else { return false }
    if number.count == 8, parts.year == nil {
      (parts.year, parts.month, parts.day) = (value / 10_000, value / 100 % 100, value % 100)
    } else if number.count == 4, parts.year == nil {
      parts.year = value
      // 1999-12-31
      let pieces = rest.split(separator: "-", maxSplits: 2, omittingEmptySubsequences: false)
      if rest.first == "-", pieces.count == 3, parts.month == nil, let month = Int(pieces[1]),
        let day = Int(pieces[2].prefix { $0.isNumber })
      {
        (parts.month, parts.day) = (month, day)
        rest = pieces[2].drop { $0.isNumber }
      }
    } else if parts.day == nil {
      parts.day = value
    } else if parts.year == nil, number.count <= 2 {
      parts.year = value + (value >= 70 ? 1_900 : 2_000)
    } else {
      return false
    }
    return parts.month.map { (1...12).contains($0) } ?? true
  }

  private static func take(time: Substring, _ parts: inout Parts) -> Bool {
    let numbers = time.split(separator: ":").map { Int($0) ?? 99 }
    guard parts.time == nil, (2...3).contains(numbers.count), numbers[0] < 24, numbers[1] < 60,
      numbers.count == 2 || numbers[2] <= 60
    else { return false }
    parts.time = numbers[0] * 3_600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
    return true
  }

  /// Days since 1970 by the Gregorian calendar; years begin in March, so that the leap day is the last.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let month = (month + 9) % 12
    return 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1 - 719_468
  }
}
