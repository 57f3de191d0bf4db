// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// One part of a representation of known length, as it is stored (RFC 9111 §3.3).
package struct StoredPart: Sendable, Hashable {
  /// Its bytes' places in the whole; not empty.
  package let range: Range<Int64>
  /// Bytes of the whole.
  package let total: Int64

  /// The way two parts become one: bytes of the earlier, then of the newer, then of the earlier again.
  package struct Joint: Sendable, Hashable {
    /// From the start of the earlier one.
    package let before: Int64
    /// From the end of the earlier one.
    package let after: Int64
  }

  init?(_ fields: FieldBlock) {
    let values = fields.values(.contentRange)
    guard values.count == 1, case .part(let first, let last, let total?)? = ContentRange(values[0]) else {
      return nil
    }
    (range, self.total) = (first..<(last + 1), total)
  }

  private init(range: Range<Int64>, total: Int64) { (self.range, self.total) = (range, total) }

  var isComplete: Bool { range == 0..<total }

  /// Nil where there would be a hole.
  func joined(to earlier: StoredPart) -> (StoredPart, Joint)? {
    guard total == earlier.total, range.lowerBound <= earlier.range.upperBound,
      earlier.range.lowerBound <= range.upperBound
    else { return nil }
    let whole =
      min(range.lowerBound, earlier.range.lowerBound)..<max(range.upperBound, earlier.range.upperBound)
    let joint = Joint(
      before: range.lowerBound - whole.lowerBound, after: whole.upperBound - range.upperBound)
    return (StoredPart(range: whole, total: total), joint)
  }

  /// The value of `Content-Range` for some of its bytes.
  func contentRange(of range: Range<Int64>) -> String {
    "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)"
  }
}
