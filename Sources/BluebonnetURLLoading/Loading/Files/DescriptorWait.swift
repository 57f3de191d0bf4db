import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetTransport

/// How a file waits for a descriptor where the process has none left, as a connection does.
///
/// An idle connection is given up for it. Where there is none, others have to give theirs back, which nobody tells: it is tried
/// again every now and then, for as long as the request may wait for a connection.
// Unchecked: what changes is touched only while the loop is held.
final class DescriptorWait: @unchecked Sendable {
  /// Nanoseconds between two tries, each of which is one system call.
  private static let interval: UInt64 = 20_000_000

  private let pool: ConnectionPool
  private let patience: UInt64?
  private var began: MonotonicTime?

  /// - Parameter patience: In nanoseconds, from the first wait on; nil for any time.
  init(in pool: ConnectionPool, patience: UInt64?) {
    (self.pool, self.patience) = (pool, patience)
  }

  /// For as long as the task's request may wait for a connection.
  convenience init(for task: URLSessionTask, of engine: SessionEngine) {
    let request = task.originalRequest ?? URLRequest(url: URL(filePath: "/"))
    self.init(in: engine.pool, patience: Timeouts(request: request, settings: engine.settings).waiting)
  }

  /// Calls back when there may be a descriptor, with whether there was time to wait for it.
  func wait(then tryAgain: @escaping @Sendable (_ isInTime: Bool) -> Void) {
    pool.loop.execute { [self] in
      let now = pool.loop.now
      let since = began ?? now
      began = since
      if let patience, now.nanoseconds &- since.nanoseconds >= patience { return tryAgain(false) }
      pool.giveUpDescriptor { [self] isGivenUp in
        if isGivenUp { return tryAgain(true) }
        _ = pool.loop.schedule(at: pool.loop.now.adding(.nanoseconds(Self.interval))) { tryAgain(true) }
      }
    }
  }
}
