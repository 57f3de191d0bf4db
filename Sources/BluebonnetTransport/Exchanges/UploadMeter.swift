// SPDX-License-Identifier: MIT

/// The bytes of a request's body sent so far: to this machine's kernel, and to the peer's.
///
/// A socket takes megabytes that a slow link carries for half a minute. Progress, and the limit on silence, go by what the
/// peer's kernel has acknowledged.
///
/// A value without a socket: what lies on this side comes in as an argument.
struct UploadMeter {
  /// Smaller bodies are counted as they are handed to the kernel, which spares asking it.
  static let worthMeasuring = 128 * 1024
  /// The time between two measurements while the kernel has nothing to report, in nanoseconds.
  ///
  /// - Parameter limit: That on silence.
  static func interval(within limit: UInt64?) -> UInt64 {
    Swift.max(1_000_000, Swift.min(100_000_000, (limit ?? .max) / 4))
  }

  /// Whether it is large, or of unknown length.
  private(set) var isMeasured = false
  /// Taken by the channel in this attempt.
  private(set) var staged = 0
  /// Of that, what the peer's kernel has.
  private(set) var acknowledged = 0
  /// Told to the client, in all attempts: a body that is sent again is not counted twice.
  private var told = 0

  /// The body begins.
  mutating func begin(length: Int?) {
    isMeasured = length.map { $0 > Self.worthMeasuring } ?? true
  }

  /// The body begins again, over another connection.
  mutating func restart() {
    staged = 0
    acknowledged = 0
  }

  mutating func staged(_ count: Int) {
    staged += count
  }

  /// Not all of the body is known to have reached the peer.
  var isUnconfirmed: Bool { acknowledged < staged }

  /// There is a measured body of which not everything has reached the peer.
  var isOutstanding: Bool { isMeasured && isUnconfirmed }

  /// So many bytes are still on this side, framing and encryption included.
  ///
  /// - Returns: whether that is less of the body than at the last look.
  mutating func measured(onThisSide count: Int) -> Bool {
    let gone = staged - count
    guard gone > acknowledged else { return false }
    acknowledged = gone
    return true
  }

  /// The same, but for the last of a small body: its arrival is only known with the response.
  mutating func moved(leaving count: Int) -> Bool {
    measured(onThisSide: count) && (isMeasured || isUnconfirmed)
  }

  /// Returns the bytes not yet reported to the client.
  mutating func takeUntold() -> Int {
    let sent = isMeasured ? acknowledged : staged
    guard sent > told else { return 0 }
    defer { told = sent }
    return sent - told
  }
}
