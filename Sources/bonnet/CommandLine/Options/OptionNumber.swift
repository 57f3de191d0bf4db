// SPDX-License-Identifier: MIT

/// Numbers as options write them.
enum OptionNumber {
  static func integer(_ text: String, from least: Int = .min) throws(CommandError) -> Int {
    guard let value = Int(text), value >= least else {
      throw CommandError(.usage, "a number is expected, not '\(text)'")
    }
    return value
  }

  static func count(_ text: String) throws(CommandError) -> Int { try integer(text, from: 0) }

  /// Seconds without a fraction, as many as there are milliseconds for.
  static func wholeSeconds(_ text: String) throws(CommandError) -> Int {
    let value = try count(text)
    guard value <= Int.max / 1_000 else { throw CommandError(.usage, "\(text) seconds are too many") }
    return value
  }

  /// Seconds with or without a fraction; 0 stands for no limit.
  static func seconds(_ text: String) throws(CommandError) -> Double? {
    guard let first = text.first, first.isASCII, first.isNumber || first == ".", let value = Double(text),
      value < 1_000_000_000
    else { throw CommandError(.usage, "a number of seconds is expected, not '\(text)'") }
    return value == 0 ? nil : value
  }

  /// Bytes, with `k`, `M`, `G`, `T` or `P` for powers of 1024.
  static func size(_ text: String) throws(CommandError) -> Int {
    let units: [Character: Int] = ["k": 10, "m": 20, "g": 30, "t": 40, "p": 50]
    var digits = text[...]
    var shift = 0
    if let last = digits.last, let unit = units[Character(last.lowercased())] {
      shift = unit
      digits.removeLast()
    } else if digits.last == "B" || digits.last == "b" {
      digits.removeLast()
    }
    guard let value = Int(digits), value >= 0, value <= Int.max >> shift else {
      throw CommandError(.usage, "a size is expected, such as 500, 10k or 3M, not '\(text)'")
    }
    return value << shift
  }

  /// The same; 0 stands for no limit.
  static func limit(_ text: String) throws(CommandError) -> Int? {
    let value = try size(text)
    return value == 0 ? nil : value
  }

  /// The permissions of a file, in octal.
  static func mode(_ text: String) throws(CommandError) -> UInt32 {
    guard let value = UInt32(text, radix: 8), value <= 0o777 else {
      throw CommandError(.usage, "a mode is expected in octal, not '\(text)'")
    }
    return value
  }

  /// `3/m`: at most so many in a second, minute, hour or day; the time between two of them.
  static func interval(_ text: String) throws(CommandError) -> Duration {
    let halves = text.split(separator: "/", omittingEmptySubsequences: false)
    let seconds: [Substring: Int] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    let unit = halves.count == 1 ? 3_600 : halves.count == 2 ? seconds[halves[1]] : nil
    guard let count = Int(halves.first ?? ""), count > 0, let unit else {
      throw CommandError(.usage, "a rate is expected, such as 2/s or 3/m, not '\(text)'")
    }
    return .seconds(unit) / count
  }
}
