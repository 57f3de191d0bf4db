/// The text of a progress line: a pure function of how far a download is.
struct ProgressBar: Equatable {
  var received: Int64
  /// Nil if the length is not known.
  var total: Int64?
  /// Seconds since the beginning.
  var elapsed: Double

  /// The line for a terminal of `width` columns, without a line end.
  func text(width: Int) -> String {
    let rate = elapsed > 0 ? Double(received) / elapsed : 0
    let speed = "\(Self.size(rate))/s"
    guard let total, total > 0 else {
      return String("\(Self.size(Double(received)))  \(speed)".prefix(width))
    }
    let fraction = min(1, Double(received) / Double(total))
    let percent = "\(Int(fraction * 100))%"
    let left = rate > 0 ? Self.duration(Double(total - min(received, total)) / rate) : "--:--"
    let facts =
      " " + String(repeating: " ", count: 4 - percent.count) + percent + "  "
      + "\(Self.size(Double(received)))/\(Self.size(Double(total)))  \(speed)  \(left)"
    let room = width - facts.count - 2
    guard room >= 5 else { return String(facts.drop { $0 == " " }.prefix(width)) }
    let filled = Int(fraction * Double(room))
    return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: room - filled) + "]"
      + facts
  }

  /// Three digits and a unit, as 1.23 MB.
  static func size(_ bytes: Double) -> String {
    var value = bytes
    var unit = 0
    let units = ["B", "kB", "MB", "GB", "TB"]
    while value >= 999.5, unit < units.count - 1 {
      value /= 1_000
      unit += 1
    }
    if unit == 0 { return "\(Int(value)) B" }
    let decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
    return "\(fixed(value, decimals)) \(units[unit])"
  }

  private static func duration(_ seconds: Double) -> String {
    let seconds = Int(min(seconds, 359_999).rounded(.up))
    let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60)
    let clock = (minutes < 10 ? "0" : "") + "\(minutes):" + (rest < 10 ? "0" : "") + "\(rest)"
    return hours > 0 ? "\(hours):\(clock)" : clock
  }

  /// `value` with so many digits behind the point.
  static func fixed(_ value: Double, _ decimals: Int) -> String {
    guard decimals > 0 else { return "\(Int(value.rounded()))" }
    let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
    let scaled = Int((value * Double(scale)).rounded())
    let digits = "\(scaled % scale)"
    return "\(scaled / scale)." + String(repeating: "0", count: decimals - digits.count) + digits
  }
}
