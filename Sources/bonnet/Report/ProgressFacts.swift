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
}
