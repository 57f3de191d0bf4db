// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// The course of a request in four moments and the times between them. Of version 4's API: a summary of the metrics, which
/// say more.
///
/// Moments are seconds since the beginning of 2001 (`Date.timeIntervalSinceReferenceDate`), and 0 if they never came. They
/// are those of the last attempt.
public struct Timeline: Hashable, Sendable {
  /// The time when the task was made.
  public let requestStartTime: TimeInterval
  /// The time when the first byte of the response arrived; that of the task's end, if none did.
  public let initialResponseTime: TimeInterval
  /// The time when the task ended.
  public let requestCompletedTime: TimeInterval
  /// The time when the serializer was done.
  public let serializationCompletedTime: TimeInterval

  /// Seconds from the beginning to the first byte of the response.
  public var latency: TimeInterval { initialResponseTime - requestStartTime }
  /// Seconds from the beginning to the end of the task.
  public var requestDuration: TimeInterval { requestCompletedTime - requestStartTime }
  /// Seconds that the serializer took.
  public var serializationDuration: TimeInterval { serializationCompletedTime - requestCompletedTime }
  /// Seconds from the beginning to the end of the serializer.
  public var totalDuration: TimeInterval { serializationCompletedTime - requestStartTime }

  /// Makes a timeline of its moments.
  public init(
    requestStartTime: TimeInterval = 0, initialResponseTime: TimeInterval = 0,
    requestCompletedTime: TimeInterval = 0, serializationCompletedTime: TimeInterval = 0
  ) {
    self.requestStartTime = requestStartTime
    self.initialResponseTime = initialResponseTime
    self.requestCompletedTime = requestCompletedTime
    self.serializationCompletedTime = serializationCompletedTime
  }

  init(_ metrics: URLSessionTaskMetrics?, serializationDuration: TimeInterval) {
    guard let metrics else {
      self.init()
      return
    }
    let interval = metrics.taskInterval
    let completed = interval.end.timeIntervalSinceReferenceDate
    // Redirects are responses, too, but not the one that was asked for.
    let response = metrics.transactionMetrics.last?.responseStartDate?.timeIntervalSinceReferenceDate
    self.init(
      requestStartTime: interval.start.timeIntervalSinceReferenceDate,
      initialResponseTime: response ?? completed, requestCompletedTime: completed,
      serializationCompletedTime: completed + serializationDuration)
  }
}

extension Timeline: CustomStringConvertible {
  /// The four times, to the millisecond.
  public var description: String {
    let times: [(name: String, seconds: TimeInterval)] = [
      ("Latency", latency), ("Request Duration", requestDuration),
      ("Serialization Duration", serializationDuration), ("Total Duration", totalDuration),
    ]
    return "Timeline: { "
      + times.map { "\"\($0.name)\": \($0.seconds.inMilliseconds) secs" }
      .joined(separator: ", ") + " }"
  }
}

extension DataResponse {
  /// The course of the request, in short.
  public var timeline: Timeline { Timeline(metrics, serializationDuration: serializationDuration) }
}

extension DownloadResponse {
  /// The course of the request, in short.
  public var timeline: Timeline { Timeline(metrics, serializationDuration: serializationDuration) }
}

extension TimeInterval {
  /// With three digits behind the point.
  fileprivate var inMilliseconds: String {
    guard magnitude < 1e12 else { return "\(self)" }
    let thousandths = Int((magnitude * 1000).rounded())
    let fraction = "\(thousandths % 1000)"
    return (self < 0 && thousandths > 0 ? "-" : "") + "\(thousandths / 1000)."
      + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}
