// SPDX-License-Identifier: MIT
#if Metrics
  import BluebonnetAttempts
  import CoreMetrics

  /// The metrics of attempts with the same dimensions.
  struct AttemptMetrics: Sendable {
    private let count: Counter
    private let duration: CoreMetrics.Timer
    private let sent: Recorder
    private let received: Recorder

    init(_ dimensions: Dimensions, prefix: String, factory: any MetricsFactory) {
      let all = dimensions.all
      count = Counter(label: "\(prefix)_attempts", dimensions: all, factory: factory)
      duration = CoreMetrics.Timer(label: "\(prefix)_attempt_duration", dimensions: all, factory: factory)
      sent = Recorder(label: "\(prefix)_request_body_size", dimensions: all, factory: factory)
      received = Recorder(label: "\(prefix)_response_body_size", dimensions: all, factory: factory)
    }

    func record(_ report: AttemptReport) {
      count.increment()
      if let seconds = report.duration { duration.recordSeconds(seconds) }
      sent.record(report.sentBytes)
      received.record(report.receivedBytes)
    }
  }
#endif
