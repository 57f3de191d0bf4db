// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetTransport

/// The wait for a descriptor where the process has none left, for a file as for a connection.
///
/// An idle connection is given up for it. Where there is none, others have to give theirs back, without a report: it is tried
/// again every now and then, for as long as the request may wait for a connection.
///
/// A value: each file that is sent or downloaded has one, and hardly any ever waits.
struct DescriptorWait: Sendable {
  /// Nanoseconds between two tries, one system call each.
  private static let interval: UInt64 = 20_000_000
  /// The same between two questions to other loops, each of which takes a job on all of them.
  private static let questionInterval: UInt64 = 1_000_000_000

  private let pool: ConnectionPool
  private let patience: UInt64?
  private let isSuspended: @Sendable () -> Bool

  /// - Parameters:
  ///   - patience: In nanoseconds; nil for any time.
  ///   - isSuspended: While it holds, no patience is lost.
  init(
    in pool: ConnectionPool, patience: UInt64?, isSuspended: @escaping @Sendable () -> Bool = { false }
  ) {
    (self.pool, self.patience, self.isSuspended) = (pool, patience, isSuspended)
  }

  /// For a minute, for a file without a known request; nil if there is no session, and with it nothing to wait for.
  static var ofNobody: DescriptorWait? {
    ConnectionPool.anyThatGoes.map { DescriptorWait(in: $0, patience: 60_000_000_000) }
  }

  /// Tries something on a queue when there may be a descriptor, and again until it has come about.
  ///
  /// - Parameters:
  ///   - most: After how many nanoseconds there is no time left in any case; nil for as long as the request may wait.
  ///   - attempt: Says whether that is so, or it is not to be tried again. Told whether there is time left; if there is none, this
  ///     is the last time that it is called.
  func retry(
    on queue: DispatchQueue, atMost most: UInt64? = nil,
    _ attempt: @escaping @Sendable (_ isInTime: Bool) -> Bool
  ) {
    // Where no timer fires, nothing would ever come of it.
    guard pool.loop.firesTimers else { return queue.async { _ = attempt(false) } }
    pool.loop.execute { [self] in
      let now = pool.loop.now
      let end = most.map { now.adding(.nanoseconds($0)) } ?? .distantFuture
      retry(Progress(began: now, end: end), on: queue, attempt)
    }
  }

  private struct Progress {
    var began: MonotonicTime
    let end: MonotonicTime
    /// The time when other loops were asked last.
    var asked: MonotonicTime?
  }

  /// The next try, by time or because of a connection that is given up, the earlier of both: another loop that is
  /// busy, or not running, holds up none. Touched only while the loop is held.
  private final class Turn {
    private var action: (() -> Void)?

    init(_ action: @escaping () -> Void) { self.action = action }

    func come() { action.take()?() }
  }

  private func retry(
    _ progress: Progress, on queue: DispatchQueue, _ attempt: @escaping @Sendable (Bool) -> Bool
  ) {
    var progress = progress
    let now = pool.loop.now
    if isSuspended() { progress.began = now }
    let isInTime = patience.map { now.nanoseconds &- progress.began.nanoseconds < $0 } ?? true
    guard isInTime, now < progress.end else { return queue.async { _ = attempt(false) } }
    let asksOtherLoops =
      progress.asked.map { now.nanoseconds &- $0.nanoseconds >= Self.questionInterval } ?? true
    if asksOtherLoops { progress.asked = now }
    let turn = Turn { [self, progress] in
      queue.async { [self] in
        if attempt(true) { return }
        pool.loop.execute { [self] in retry(progress, on: queue, attempt) }
      }
    }
    _ = pool.loop.schedule(at: now.adding(.nanoseconds(Self.interval))) { turn.come() }
    pool.giveUpDescriptor(asksOtherLoops: asksOtherLoops) { isGivenUp in
      if isGivenUp { turn.come() }
    }
  }
}
