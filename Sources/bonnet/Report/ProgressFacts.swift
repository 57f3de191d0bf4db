// SPDX-License-Identifier: MIT

/// The progress of one transfer, or of several together.
struct ProgressFacts: Equatable, Sendable {
  var received = 0
  /// Nil if unknown.
  var receivedTotal: Int?
  var sent = 0
  var sentTotal: Int?
  /// Seconds since the beginning.
  var elapsed = 0.0
  /// Bytes a second of the last few seconds, both directions.
  var currentSpeed = 0
  var transfers = 1
  var running = 1

  /// What is to come in both directions, as far as it is known.
  var whole: Int { Self.sum(receivedTotal ?? received, sentTotal ?? sent) }

  /// Of lengths that servers announce, which may be any: it ends at the largest number.
  static func sum(_ left: Int, _ right: Int) -> Int {
    let (sum, overflows) = left.addingReportingOverflow(right)
    return overflows ? .max : sum
  }
}
