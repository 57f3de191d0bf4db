// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetLibc

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
  override var streamStatus: Status { stream.streamStatus }
  override var streamError: (any Error)? { stream.streamError }

  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
    let count = stream.read(buffer, maxLength: min(len, max(1, bytesPerSecond / 4)))
    if count > 0 { Pace.sleep(pace.pause(after: count, bytesPerSecond: bytesPerSecond)) }
    return count
  }
}
