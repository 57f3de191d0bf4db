import Bluebonnet
import Glibc

extension Transfer {
  /// The part of a transfer that depends on time alone: limits, and progress.
  func watchClock() async {
    let options = plan.operation
    let interval: Duration = .milliseconds(100)
    var wait = interval
    if let limit = options.connection.timeLimit { wait = min(wait, .seconds(limit)) }
    while !Task.isCancelled {
      try? await Task.sleep(for: wait)
      guard !Task.isCancelled else { return }
      context.meter.update(plan.number, progress)
      let elapsed = facts.elapsed
      if let limit = options.connection.timeLimit {
        guard elapsed < limit else { return fail(timedOut(after: limit)) }
        wait = min(interval, .seconds(limit - elapsed))
      }
      if isTooSlow() { return }
    }
  }

  private func timedOut(after limit: Double) -> CommandError {
    let facts = facts
    return CommandError(
      .timedOut,
      "\(facts.method) \(RedactedURL(facts.url).short) timed out after \(Decimals.fixed(limit * 1_000, 0)) milliseconds (--max-time) "
        + "with \(facts.received) bytes received")
  }

  /// Whether less came and went than `-Y` demands for as long as `-y` says.
  private func isTooSlow() -> Bool {
    guard let limit = plan.operation.output.speedLimit, let time = plan.operation.output.speedTime, limit > 0,
      time > 0
    else { return false }
    let isSlow = state.withLock { state in
      let bytes = state.facts.received + state.facts.sent
      let now = ContinuousClock.now
      guard let before = state.slowness else {
        state.slowness = (now, bytes)
        return false
      }
      let seconds = (now - before.since) / .seconds(1)
      // A transfer that is fast enough for a while begins anew.
      if seconds >= 1, Double(bytes - before.bytes) >= Double(limit) * seconds {
        state.slowness = (now, bytes)
        return false
      }
      return seconds >= Double(time)
    }
    if isSlow {
      let facts = facts
      fail(
        CommandError(
          .timedOut,
          "\(facts.method) \(RedactedURL(facts.url).short) is too slow: fewer than \(limit) bytes a second for \(time) seconds"
        ))
    }
    return isSlow
  }
}

/// The pause after which no more bytes come in a second than are allowed.
struct Pace: Sendable {
  private var start: ContinuousClock.Instant?
  private var bytes = 0

  mutating func pause(after count: Int, bytesPerSecond: Int) -> Duration {
    let now = ContinuousClock.now
    let start = self.start ?? now
    self.start = start
    bytes += count
    return max(.zero, .seconds(Double(bytes) / Double(bytesPerSecond)) - (now - start))
  }

  /// Blocks this thread, and with it the sender.
  static func sleep(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    var rest = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    var left = timespec()
    while nanosleep(&rest, &left) != 0, errno == EINTR { rest = left }
  }
}

/// A stream that gives no more bytes in a second than are allowed.
final class PacedStream: InputStream {
  private let stream: InputStream
  private let bytesPerSecond: Int
  private var pace = Pace()

  init(_ stream: InputStream, bytesPerSecond: Int) {
    self.stream = stream
    self.bytesPerSecond = bytesPerSecond
    super.init(data: Data())
  }

  override func open() { stream.open() }
  override func close() { stream.close() }
  override var hasBytesAvailable: Bool { stream.hasBytesAvailable }

  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
    let count = stream.read(buffer, maxLength: min(len, max(1, bytesPerSecond / 4)))
    if count > 0 { Pace.sleep(pace.pause(after: count, bytesPerSecond: bytesPerSecond)) }
    return count
  }
}
