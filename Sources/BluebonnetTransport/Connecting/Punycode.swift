// SPDX-License-Identifier: MIT

/// The coding of Unicode labels as ASCII (RFC 3492), without the `xn--` in front.
enum Punycode {
  // The parameters of RFC 3492 §5.
  private static let base: UInt32 = 36
  private static let tMin: UInt32 = 1
  private static let tMax: UInt32 = 26
  private static let skew: UInt32 = 38
  private static let damp: UInt32 = 700
  private static let initialBias: UInt32 = 72
  private static let initialN: UInt32 = 128
  private static let delimiter = UInt8(ascii: "-")

  /// Far above the 63 bytes of a DNS label. Up to here the sums below stay within 32 bits (§6.4).
  private static let longestLabel = 1_024

  /// The coded form of a label, in lower-case digits; nil if the label is far too long.
  static func encode(_ label: [Unicode.Scalar]) -> String? {
    guard label.count <= longestLabel else { return nil }
    let basic = label.filter(\.isASCII)
    var output = basic.map { UInt8($0.value) }
    if !basic.isEmpty { output.append(delimiter) }

    var n = initialN
    var delta: UInt32 = 0
    var bias = initialBias
    var handled = UInt32(basic.count)
    while handled < label.count {
      guard let least = label.lazy.map(\.value).filter({ $0 >= n }).min() else { return nil }
      delta += (least - n) * (handled + 1)
      n = least
      for scalar in label {
        if scalar.value < n {
          delta += 1
        } else if scalar.value == n {
          append(delta, bias: bias, to: &output)
          bias = adapted(delta, count: handled + 1, isFirst: handled == UInt32(basic.count))
          delta = 0
          handled += 1
        }
      }
      delta += 1
      n += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// The label behind a coded form; nil if it is none.
  static func decode(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    guard bytes.count <= longestLabel, bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    let split = bytes.lastIndex(of: delimiter)
    var output = bytes[..<(split ?? 0)].map { Unicode.Scalar($0) }
    var position = split.map { $0 + 1 } ?? 0

    var n = initialN
    var index: UInt32 = 0
    var bias = initialBias
    while position < bytes.count {
      guard let delta = readNumber(bytes, &position, bias: bias) else { return nil }
      let count = UInt32(output.count) + 1
      let (sum, overflow) = index.addingReportingOverflow(delta)
      guard !overflow else { return nil }
      // The first delta is the one that is added to nothing.
      bias = adapted(delta, count: count, isFirst: index == 0)
      let (next, nextOverflow) = n.addingReportingOverflow(sum / count)
      guard !nextOverflow, let scalar = Unicode.Scalar(next) else { return nil }
      n = next
      index = sum % count
      output.insert(scalar, at: Int(index))
      index += 1
    }
    return String(String.UnicodeScalarView(output))
  }

  /// A delta as digits of variable weight, least significant first (§3.3).
  private static func append(_ delta: UInt32, bias: UInt32, to output: inout [UInt8]) {
    var rest = delta
    var weight = base
    while true {
      let threshold = threshold(at: weight, bias: bias)
      guard rest >= threshold else { break }
      output.append(digit(threshold + (rest - threshold) % (base - threshold)))
      rest = (rest - threshold) / (base - threshold)
      weight += base
    }
    output.append(digit(rest))
  }

  private static func readNumber(_ bytes: [UInt8], _ position: inout Int, bias: UInt32) -> UInt32? {
    var number: UInt32 = 0
    var factor: UInt32 = 1
    var weight = base
    while position < bytes.count {
      guard let digit = value(bytes[position]) else { return nil }
      position += 1
      let (product, productOverflow) = digit.multipliedReportingOverflow(by: factor)
      let (sum, sumOverflow) = number.addingReportingOverflow(product)
      guard !productOverflow, !sumOverflow else { return nil }
      number = sum
      let threshold = threshold(at: weight, bias: bias)
      if digit < threshold { return number }
      let (next, overflow) = factor.multipliedReportingOverflow(by: base - threshold)
      guard !overflow else { return nil }
      factor = next
      weight += base
    }
    return nil
  }

  private static func threshold(at weight: UInt32, bias: UInt32) -> UInt32 {
    weight <= bias + tMin ? tMin : min(weight - bias, tMax)
  }

  /// The expected size of the next delta (§3.4).
  private static func adapted(_ delta: UInt32, count: UInt32, isFirst: Bool) -> UInt32 {
    var delta = isFirst ? delta / damp : delta / 2
    delta += delta / count
    var bias: UInt32 = 0
    while delta > (base - tMin) * tMax / 2 {
      delta /= base - tMin
      bias += base
    }
    return bias + (base - tMin + 1) * delta / (delta + skew)
  }

  private static func digit(_ value: UInt32) -> UInt8 {
    UInt8(truncatingIfNeeded: value < 26 ? value + 0x61 : value - 26 + 0x30)
  }

  private static func value(_ digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a"))
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 26
    default: nil
    }
  }
}
