// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetMessages

/// The measurements of a task: one transaction for each request that it sent or found in the cache.
public final class URLSessionTaskMetrics: Sendable, Hashable, CustomStringConvertible {
  /// One entry per response: redirects and authentication make more than one.
  public var transactionMetrics: [URLSessionTaskTransactionMetrics] {
    (transaction ?? exchange).map { earlier + [$0] } ?? []
  }

  /// The response of the last transaction.
  package var lastResponse: URLResponse? { measured?.response ?? transaction?.response }

  /// The number of redirects followed.
  public let redirectCount: Int
  // The last one apart, because most tasks have one, and it is rarely looked at: that of an exchange becomes an object when
  // it is.
  private let transaction: URLSessionTaskTransactionMetrics?
  private let measured: URLSessionTaskTransactionMetrics.Measurements?
  private let made = Locked<URLSessionTaskTransactionMetrics?>(nil)
  private let earlier: [URLSessionTaskTransactionMetrics]
  let clock: ClockAnchor
  let start: UInt64
  let end: UInt64

  /// Instants are nanoseconds of the monotonic clock.
  @inline(__always)
  package init(
    _ newest: consuming LoadTransaction, earlier: [URLSessionTaskTransactionMetrics], redirectCount: Int,
    clock: ClockAnchor, start: UInt64, end: UInt64
  ) {
    switch consume newest {
    case .none: (transaction, measured) = (nil, nil)
    case .measured(let metrics): (transaction, measured) = (metrics, nil)
    case .exchange(let exchange, let request, let response):
      transaction = nil
      measured = exchange.withMetrics {
        .init(request: request, response: response, metrics: $0, clock: clock)
      }
    }
    self.earlier = earlier
    self.redirectCount = redirectCount
    self.clock = clock
    self.start = start
    self.end = max(start, end)
  }

  /// The last transaction, if it was an exchange.
  private var exchange: URLSessionTaskTransactionMetrics? {
    guard let measured else { return nil }
    return made.withLock { made in
      if let made { return made }
      let metrics = URLSessionTaskTransactionMetrics(measured)
      made = metrics
      return metrics
    }
  }

  /// From the task's first `resume()` to its end.
  public var taskInterval: DateInterval {
    DateInterval(start: clock.date(at: start), duration: Double(end - start) / 1e9)
  }

  /// Seconds from the beginning of the interval to a moment of its loop's, which the wall clock has no part in.
  package func seconds(until moment: MonotonicTime) -> Double { Double(moment.nanoseconds &- start) / 1e9 }

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

extension URLSessionTaskMetrics {
  /// The authentication schemes that the last response demanded, and that the task did not satisfy: either none of them can
  /// is supported, or there was no credential, or it has been refused. Empty if the last response was no
  /// 401 or 407.
  public var unansweredAuthenticationSchemes: [String] {
    (transactionMetrics.last?.response as? HTTPURLResponse)?.demandedAuthenticationSchemes ?? []
  }
}
