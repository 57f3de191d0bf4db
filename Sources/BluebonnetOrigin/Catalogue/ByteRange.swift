// SPDX-License-Identifier: MIT

/// The byte range of a request's `Range` (RFC 9110 §14.2).
enum ByteRange: Equatable {
  case whole
  case part(Range<Int>)
  case unsatisfiable

  /// Several ranges, other units and malformed ones are answered with the whole, which the RFC allows.
  static func requested(by request: IncomingRequest, of total: Int, entityTag: String) -> ByteRange {
    guard request.method == "GET", let field = request.field("range"), field.hasPrefix("bytes=") else {
      return .whole
    }
    // RFC 9110 §13.1.5: a validator that no longer fits makes the range void.
    if let validator = request.field("if-range"), validator != entityTag,
      validator != Catalogue.lastModified
    {
      return .whole
    }
    return parse(field.dropFirst("bytes=".count), of: total)
  }

  private static func parse(_ text: Substring, of total: Int) -> ByteRange {
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2 else { return .whole }
    if ends[0].isEmpty {
      guard let suffix = Int(ends[1]), suffix >= 0 else { return .whole }
      return suffix == 0 ? .unsatisfiable : .part(max(0, total - suffix)..<total)
    }
    guard let first = Int(ends[0]), first >= 0 else { return .whole }
    guard first < total else { return .unsatisfiable }
    if ends[1].isEmpty { return .part(first..<total) }
    guard let last = Int(ends[1]), last >= first else { return .whole }
    return .part(first..<min(last, total - 1) + 1)
  }
}
