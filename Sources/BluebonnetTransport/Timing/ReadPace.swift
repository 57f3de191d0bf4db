// SPDX-License-Identifier: MIT
import BluebonnetEventLoop

/// Whether a long body is read whenever bytes arrive, or in batches.
///
/// A reader that is faster than its peer is woken for every few kilobytes, and if both share a core each wake-up stops
/// the peer. The kernel can wait for a batch instead (SO_RCVLOWAT), as long as the bytes that a slow peer
/// leaves below it are looked for:
///
///     eager ──many small reads in a short time──▶ batching(since) ──a batch at a time──▶ batching
///       ▲                                            │
///       └── the end is near, or no batch in time ────┘  (then eager for a while)
///
/// A value without a clock: time comes in as an argument.
struct ReadPace {
  enum Action: Equatable {
    case none
    /// Let the kernel wait for a batch, and call `waited(until:)` after `patience`.
    case batch
    /// Let the kernel report every byte.
    case eager
    /// Nothing has gone wrong yet: call `waited(until:)` at this time.
    case look(at: MonotonicTime)
  }

  /// The bytes that one wake-up should bring: many records of TLS, half of a receive buffer.
  static let batch = 128 * 1024
  /// The time that bytes may lie below a batch, in nanoseconds: too short to notice in a body, and a peer that fills less than
  /// a batch in it (64 MB/s) wakes the reader not too often.
  static let patience: UInt64 = 2_000_000
  /// Small reads before batching, and the nanoseconds in which they have to come.
  private static let burst = 16
  private static let window: UInt64 = 4_000_000
  /// The time for which a peer that was too slow for batches is read eagerly, in nanoseconds.
  private static let penalty: UInt64 = 100_000_000

  private(set) var isBatching = false
  private var smallReads = 0
  private var windowStart: UInt64 = 0
  private var lastRead: UInt64 = 0
  private var eagerUntil: UInt64 = 0

  /// The socket has been drained of `count` bytes; `remaining` bytes of the body are known to come (nil: unknown).
  mutating func drained(_ count: Int, remaining: Int?, at now: MonotonicTime) -> Action {
    let now = now.nanoseconds
    lastRead = now
    let isLong = (remaining ?? .max) >= 2 * Self.batch
    if isBatching { return isLong ? .none : end() }
    guard isLong, count < Self.batch / 2, now >= eagerUntil else {
      smallReads = 0
      return .none
    }
    if smallReads == 0 || now &- windowStart > Self.window {
      windowStart = now
      smallReads = 0
    }
    smallReads += 1
    guard smallReads >= Self.burst else { return .none }
    isBatching = true
    smallReads = 0
    return .batch
  }

  /// `patience` is over.
  mutating func waited(until now: MonotonicTime) -> Action {
    guard isBatching else { return .none }
    let deadline = lastRead &+ Self.patience
    guard deadline <= now.nanoseconds else { return .look(at: MonotonicTime(nanoseconds: deadline)) }
    eagerUntil = now.nanoseconds &+ Self.penalty
    return end()
  }

  /// The body is over, or is not to be read now.
  mutating func end() -> Action {
    smallReads = 0
    guard isBatching else { return .none }
    isBatching = false
    return .eager
  }
}
