// SPDX-License-Identifier: MIT

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
      guard let total = halves[1].wholeNumber else { return nil }
      self = .unsatisfied(total: total)
      return
    }
    let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = ends[0].wholeNumber, let last = ends[1].wholeNumber, first <= last
    else { return nil }
    if halves[1] == "*" {
      self = .part(first: first, last: last, total: nil)
    } else {
      guard let total = halves[1].wholeNumber, last < total else { return nil }
      self = .part(first: first, last: last, total: total)
    }
  }
}
