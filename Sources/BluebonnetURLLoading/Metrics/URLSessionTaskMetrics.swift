import BluebonnetFoundation

/// The measurements of a task: one transaction for each request that it sent or found in the cache.
public final class URLSessionTaskMetrics: Sendable, Hashable, CustomStringConvertible {
  /// One entry per response: redirects and authentication make more than one.
  public var transactionMetrics: [URLSessionTaskTransactionMetrics] {
    transaction.map { earlier + [$0] } ?? []
  }

  /// The response of the last transaction.
  package var lastResponse: URLResponse? { transaction?.response }

  /// How often the task was sent elsewhere.
  public let redirectCount: Int
  // Apart, because most tasks have one transaction, and nobody looks at it.
  private let transaction: URLSessionTaskTransactionMetrics?
  private let earlier: [URLSessionTaskTransactionMetrics]
  let clock: ClockAnchor
  let start: UInt64
  let end: UInt64

  /// Instants are nanoseconds of the monotonic clock.
  package init(
    transaction: URLSessionTaskTransactionMetrics?, earlier: [URLSessionTaskTransactionMetrics],
    redirectCount: Int, clock: ClockAnchor, start: UInt64, end: UInt64
  ) {
    self.transaction = transaction
    self.earlier = earlier
    self.redirectCount = redirectCount
    self.clock = clock
    self.start = start
    self.end = max(start, end)
  }

  /// From the making of the task to its end.
  public var taskInterval: DateInterval {
    DateInterval(start: clock.date(at: start), duration: Double(end - start) / 1e9)
  }

  /// Metrics are equal if they are the same.
  public static func == (left: URLSessionTaskMetrics, right: URLSessionTaskMetrics) -> Bool { left === right }

  /// Hashes the identity: two are equal only if they are the same object.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// The duration, and how many transactions and redirects there were.
  public var description: String {
    "<URLSessionTaskMetrics> { Task Interval: \(taskInterval.duration) s, Redirect Count: \(redirectCount), "
      + "Transactions: \(transactionMetrics.count) }"
  }
}
