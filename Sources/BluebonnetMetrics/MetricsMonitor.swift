// SPDX-License-Identifier: MIT
#if Metrics
  import Bluebonnet
  import BluebonnetAttempts
  import BluebonnetFoundation
  import BluebonnetLocks
  import CoreMetrics

  /// Counts and measures requests with swift-metrics.
  ///
  /// ```swift
  /// let session = Session(eventMonitors: [MetricsMonitor()])
  /// ```
  ///
  /// | Label | Kind | Records |
  /// | --- | --- | --- |
  /// | `http_client_attempts` | counter | each attempt that is over |
  /// | `http_client_attempt_duration` | timer | its duration, from the making of the task to its end |
  /// | `http_client_request_body_size` | recorder | bytes of bodies sent in it, on the wire |
  /// | `http_client_response_body_size` | recorder | bytes of bodies received in it, on the wire |
  /// | `http_client_requests` | counter | each request after its last attempt, also one that made none |
  /// | `http_client_retries` | counter | each attempt after the first |
  /// | `http_client_serializer_failures` | counter | each failure of a serializer |
  ///
  /// Retries and serializers' failures have the dimension `method`: a registered method, or `other`. The others have `status`, too,
  /// from `1xx` to `5xx` or `none`, and `error`: `none`, `cancelled`, `status`, `validation`, `serialization`, `timeout`, `name_lookup`,
  /// `connect`, `connection_lost`, `offline`, `tls`, `server_trust`, `bad_response`, `too_large`, `redirect`, `authentication`,
  /// `invalid_request`, `invalid_body`, `adapter`, `file`, `session` or `other`. `host`, if it was asked for, comes with all of
  /// them: that of the request before redirects, in lower case. Hosts behind the first hundred are `other`, and so are those that are longer
  /// than a name can be.
  ///
  /// A request that a retrier tries again after a serializer's failure is counted once more when it finishes again.
  public final class MetricsMonitor: AttemptMonitor {
    /// The queue on which the events are delivered: a serial one of the monitor's own.
    public let queue = DispatchQueue(label: "bluebonnet.metrics")
    /// The beginning of each label.
    public let prefix: String
    /// Whether `host` is a dimension.
    public let includesHost: Bool
    private let factory: (any MetricsFactory)?
    private let attempts = Locked<[Dimensions: AttemptMetrics]>([:])
    private let hosts = Locked<Set<String>>([])
    /// The failures of attempts, until they are counted.
    public let recorder = AttemptRecorder()

    /// Makes a monitor.
    ///
    /// - Parameters:
    ///   - factory:      Makes the metrics; that of `MetricsSystem` by default.
    ///   - prefix:       The beginning of each label; `http_client` by default.
    ///   - includesHost: Whether `host` is a dimension; false by default. For programs that talk to few hosts: those behind the
    ///                   first hundred are `other`.
    public init(
      factory: (any MetricsFactory)? = nil, prefix: String = "http_client", includesHost: Bool = false
    ) {
      self.factory = factory
      self.prefix = prefix
      self.includesHost = includesHost
    }

    private static let hostLimit = 100

    private var currentFactory: any MetricsFactory { factory ?? MetricsSystem.factory }

    /// Counts one more.
    func count(_ name: String, _ dimensions: [(String, String)]) {
      Counter(label: "\(prefix)_\(name)", dimensions: dimensions, factory: currentFactory).increment()
    }

    /// Records an attempt's numbers.
    func record(_ report: AttemptReport) {
      let dimensions = dimensions(of: report.task.originalRequest, report.response, report.error)
      let attempts = attempts.withLock { attempts in
        if let known = attempts[dimensions] { return known }
        let made = AttemptMetrics(dimensions, prefix: prefix, factory: currentFactory)
        attempts[dimensions] = made
        return made
      }
      attempts.record(report)
    }

    func dimensions(of sent: URLRequest?, _ response: HTTPURLResponse?, _ error: AFError?) -> Dimensions {
      Dimensions(
        method: HTTPMethod.known(sent?.httpMethod) ?? "other",
        status: (response?.statusCode ?? error?.refusedStatus).map(Dimensions.statusClass) ?? "none",
        error: error?.kind ?? "none",
        host: includesHost ? host(of: sent) : nil)
    }

    /// Each host that is another dimension stays with the factory for ever, and URLs may come from strangers.
    private func host(of sent: URLRequest?) -> String {
      guard let host = sent?.url?.host?.lowercased(), !host.isEmpty else { return "none" }
      return hosts.withLock { hosts in
        guard !hosts.contains(host) else { return host }
        // RFC 1035 §3.1.
        guard hosts.count < Self.hostLimit, host.utf8.count <= 253 else { return "other" }
        hosts.insert(host)
        return host
      }
    }
  }
#endif
