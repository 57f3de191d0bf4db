// SPDX-License-Identifier: MIT

/// Holds what a body consists of against the length that was declared for it.
///
/// A value. The last byte of all waits until there is known to be no other: a longer body must not be a complete message on
/// the wire.
package struct DeclaredLength {
  /// The body is not as long as was declared; its maker is at fault.
  package struct Mismatch: Error, CustomStringConvertible {
    package let declared: Int64
    /// The bytes seen when it was noticed.
    package let seen: Int64

    package var description: String {
      seen > declared
        ? "it is longer than its declared length, \(declared) bytes"
        : "it ended \(declared - seen) bytes short of its declared length"
    }
  }

  private let declared: Int64?
  private var seen: Int64 = 0

  package init(_ declared: Int64?) {
    self.declared = declared
  }

  /// So many bytes follow.
  ///
  /// - Returns: whether the last of them is the last of all.
  package mutating func follow(_ count: Int) throws(Mismatch) -> Bool {
    guard let declared else { return false }
    let (sum, overflows) = seen.addingReportingOverflow(Int64(count))
    guard !overflows, sum <= declared else {
      throw Mismatch(declared: declared, seen: overflows ? .max : sum)
    }
    seen = sum
    return seen == declared
  }

  /// Nothing follows.
  package func end() throws(Mismatch) {
    if let declared, seen < declared { throw Mismatch(declared: declared, seen: seen) }
  }
}
