import BluebonnetFoundation
import BluebonnetTLS
import BluebonnetTransport

extension ConnectionPool.Configuration {
  init(_ settings: URLSessionConfiguration.Values) {
    var tls = TLSClientConfiguration()
    tls.verification = .manual
    tls.minimumVersion = TLSVersion(settings.tlsMinimumSupportedProtocolVersion)
    tls.maximumVersion = TLSVersion(settings.tlsMaximumSupportedProtocolVersion)
    tls.anchors = settings.trustAnchors.anchors
    self.init(tls: tls)
    maximumConnectionsPerEndpoint = settings.httpMaximumConnectionsPerHost
  }
}

extension Timeouts {
  /// A request's time-out is a limit on silence in every phase; connecting may have one of its own.
  init(request: URLRequest, settings: URLSessionConfiguration.Values) {
    let silence = request.statedTimeoutInterval ?? settings.timeoutIntervalForRequest
    self.init(everyPhase: Timeouts.nanoseconds(silence))
    if let connect = settings.timeoutIntervalForConnection { self.connect = Timeouts.nanoseconds(connect) }
  }

  /// Seconds to nanoseconds; nil (no limit) for anything that is not a positive number of them.
  static func nanoseconds(_ seconds: TimeInterval) -> UInt64? {
    guard seconds > 0, seconds < 1e9 else { return nil }
    return UInt64(seconds * 1e9)
  }
}
