// SPDX-License-Identifier: MIT

/// The Content-Length fields of one head, taken as they come, so that a bad one is noticed with its line.
struct ContentLength: Sendable {
  private(set) var value: Int?
  /// The number of values given, in one field line or several.
  private(set) var count = 0

  /// Takes one field value: digits that fit (RFC 9110 §8.6), or a list of them that are all the same (RFC 9112 §6.3
  /// item 5). Returns the rule it breaks, with the offset from `base`.
  @inline(__always)
  mutating func take(_ base: UnsafePointer<UInt8>, _ range: Range<Int>) -> (HTTP1Error.Rule, Int)? {
    // Nearly always it is the first value and a short number: eighteen digits fit.
    if count == 0, range.count <= 18 {
      var length = 0
      var index = range.lowerBound
      while index < range.upperBound, Byte.isDigit(base[index]) {
        length = length &* 10 &+ Int(base[index] &- 0x30)
        index &+= 1
      }
      if index == range.upperBound, !range.isEmpty {
        value = length
        count = 1
        return nil
      }
    }
    return takeList(base, range)
  }

  @inline(never)
  private mutating func takeList(_ base: UnsafePointer<UInt8>, _ range: Range<Int>) -> (HTTP1Error.Rule, Int)?
  {
    var index = range.lowerBound
    while true {
      while index < range.upperBound, Byte.isWhitespace(base[index]) { index &+= 1 }
      let start = index
      guard let length = Self.decimal(base, &index, range.upperBound) else {
        return (.invalidContentLength, start)
      }
      while index < range.upperBound, Byte.isWhitespace(base[index]) { index &+= 1 }
      guard index == range.upperBound || base[index] == Byte.comma else {
        return (.invalidContentLength, start)
      }
      if let value, value != length { return (.conflictingContentLength, start) }
      value = length
      count &+= 1
      if index == range.upperBound { return nil }
      index &+= 1
    }
  }

  @inline(__always)
  private static func decimal(_ base: UnsafePointer<UInt8>, _ index: inout Int, _ end: Int) -> Int? {
    let start = index
    var value = 0
    // Eighteen digits always fit.
    let safeEnd = min(end, start &+ 18)
    while index < safeEnd, Byte.isDigit(base[index]) {
      value = value &* 10 &+ Int(base[index] &- 0x30)
      index &+= 1
    }
    while index < end, Byte.isDigit(base[index]) {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(Int(base[index] &- 0x30))
      if overflow || carry { return nil }
      value = sum
      index &+= 1
    }
    return index > start ? value : nil
  }
}
