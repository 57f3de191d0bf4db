// SPDX-License-Identifier: MIT

/// A request's `Range` (RFC 9110 §14.2).
enum RangeRequest: Sendable, Hashable {
  case whole
  /// From a byte on, up to one that is included; nil for the end.
  case part(first: Int64, last: Int64?)
  /// So many bytes at the end.
  case suffix(Int64)
  /// Several parts, other units, or no range at all: for the server to answer.
  case other

  init(_ value: String?) {
    guard let value else {
      self = .whole
      return
    }
    self = Self.parse(value) ?? .other
  }

  private static func parse(_ value: String) -> RangeRequest? {
    let halves = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2, halves[0].equalsIgnoringASCIICase("bytes") else { return nil }
    let ends = halves[1].trimmingOptionalWhitespace.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    if ends[0].isEmpty { return ends[1].wholeNumber.map { .suffix($0) } }
    guard let first = ends[0].wholeNumber else { return nil }
    if ends[1].isEmpty { return .part(first: first, last: nil) }
    guard let last = ends[1].wholeNumber, first <= last else { return nil }
    return .part(first: first, last: last)
  }

  /// The bytes of a representation of `total` bytes that are asked for; nil for all of them, for none, or where the server has to
  /// say.
  func bytes(of total: Int64) -> Range<Int64>? {
    switch self {
    case .whole, .other: return nil
    case .part(let first, let last):
      guard first < total else { return nil }
      return first..<min(total, (last ?? total - 1) + 1)
    case .suffix(let count):
      guard count > 0, total > 0 else { return nil }
      return max(0, total - count)..<total
    }
  }
}
