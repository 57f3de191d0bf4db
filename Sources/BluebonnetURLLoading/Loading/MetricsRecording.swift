import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetTLS
import BluebonnetTransport

extension URLSessionTaskTransactionMetrics {
  /// The measurements of one exchange.
  convenience init(
    request: URLRequest, response: URLResponse?, milestones: ExchangeMilestones, clock: ClockAnchor
  ) {
    self.init(
      request: request, response: response, resourceFetchType: .networkLoad, clock: clock,
      instants: Instants(milestones), connection: Connection(milestones), sizes: Sizes(milestones))
  }
}

extension URLSessionTaskTransactionMetrics.Instants {
  init(_ milestones: ExchangeMilestones) {
    self.init()
    fetchStart = milestones.fetchStart.nanoseconds
    if let connecting = milestones.connecting {
      domainLookupStart = connecting.lookupStart?.nanoseconds ?? 0
      domainLookupEnd = connecting.lookupEnd?.nanoseconds ?? 0
      connectStart = connecting.connectStart?.nanoseconds ?? 0
      // As the API counts it, a connection is made when it can be used: with TLS, after the handshake.
      connectEnd = (milestones.secureEnd ?? connecting.connectEnd)?.nanoseconds ?? 0
    }
    secureConnectionStart = milestones.secureStart?.nanoseconds ?? 0
    secureConnectionEnd = milestones.secureEnd?.nanoseconds ?? 0
    requestStart = milestones.requestStart?.nanoseconds ?? 0
    requestEnd = milestones.requestEnd?.nanoseconds ?? 0
    responseStart = milestones.responseStart?.nanoseconds ?? 0
    responseEnd = milestones.responseEnd?.nanoseconds ?? 0
  }
}

extension URLSessionTaskTransactionMetrics.Connection {
  init(_ milestones: ExchangeMilestones) {
    self.init()
    isReused = milestones.reusedConnection
    facts = milestones.connection
    repairs = milestones.repairs
  }
}

extension URLSessionTaskTransactionMetrics.Sizes {
  init(_ milestones: ExchangeMilestones) {
    self.init()
    requestHeader = Int64(milestones.requestHeadBytes)
    requestBodySent = Int64(milestones.requestBodyBytes)
    requestBodyBeforeEncoding = Int64(milestones.requestBodyBytes)
    responseHeader = Int64(milestones.responseHeadBytes)
    responseBodyReceived = Int64(milestones.responseBodyBytes)
    responseBodyAfterDecoding = Int64(milestones.decodedBodyBytes)
  }
}
