import BluebonnetHTTP1

/// The value of `Content-Range`: a part, or a representation that could not be parted (RFC 9110 §14.4).
public enum ContentRange: Sendable, Hashable {
  /// Bytes `first` to `last`, both included, of `total`; nil if the whole length is not known.
  case part(first: Int64, last: Int64, total: Int64?)
  /// None of the ranges that were asked for lies within `total` bytes.
  case unsatisfied(total: Int64)

  /// Nil for other units, and for numbers that contradict each other.
  public init?(_ value: some StringProtocol) {
    let words = value.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].equalsIgnoringASCIICase("bytes") else { return nil }
    let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    if halves[0] == "*" {
      guard let total = Self.number(halves[1]) else { return nil }
      self = .unsatisfied(total: total)
      return
    }
    let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last
    else { return nil }
    if halves[1] == "*" {
      self = .part(first: first, last: last, total: nil)
    } else {
      guard let total = Self.number(halves[1]), last < total else { return nil }
      self = .part(first: first, last: last, total: total)
    }
  }

  /// Digits and nothing else, and few enough that sums of two such numbers do not overflow.
  private static func number(_ text: some StringProtocol) -> Int64? {
    guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy(Byte.isDigit) else { return nil }
    return Int64(text)
  }
}
