// SPDX-License-Identifier: MIT

/// Numbers with a fixed number of digits.
enum Decimals {
  /// With so many digits behind the point.
  static func fixed(_ value: Double, _ decimals: Int) -> String {
    guard decimals > 0 else { return "\(Int(value.rounded()))" }
    let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
    let scaled = Int((value * Double(scale)).rounded())
    return "\(scaled / scale)." + padded(scaled % scale, to: decimals)
  }

  /// With zeros in front where it has fewer digits.
  static func padded(_ number: Int, to count: Int, radix: Int = 10) -> String {
    let digits = String(number, radix: radix)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}
