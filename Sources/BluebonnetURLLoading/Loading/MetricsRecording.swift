// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetMessages
import BluebonnetTLS
import BluebonnetTransport

extension URLSessionTaskTransactionMetrics.Measurements {
  /// The measurements of one exchange.
  @inline(__always)
  init(
    request: URLRequest, response: URLResponse?, metrics: borrowing ExchangeMetrics, clock: ClockAnchor
  ) {
    self.init(
      request: request, response: response, resourceFetchType: .networkLoad, clock: clock,
      instants: .init(metrics), connection: .init(metrics), sizes: .init(metrics))
  }
}

extension URLSessionTaskTransactionMetrics.Instants {
  @inline(__always)
  init(_ metrics: borrowing ExchangeMetrics) {
    self.init()
    fetchStart = metrics.fetchStart.nanoseconds
    if let connecting = metrics.connecting {
      domainLookupStart = connecting.lookupStart?.nanoseconds ?? 0
      domainLookupEnd = connecting.lookupEnd?.nanoseconds ?? 0
      connectStart = connecting.connectStart?.nanoseconds ?? 0
      // As the API counts it, a connection is made when it can be used: with TLS or a proxy, after the handshake. One whose TLS has
      // failed has no such moment.
      let end =
        metrics.secureStart == nil ? connecting.tunnelEnd ?? connecting.connectEnd : metrics.secureEnd
      connectEnd = end?.nanoseconds ?? 0
    }
    secureConnectionStart = metrics.secureStart?.nanoseconds ?? 0
    secureConnectionEnd = metrics.secureEnd?.nanoseconds ?? 0
    requestStart = metrics.requestStart?.nanoseconds ?? 0
    requestEnd = metrics.requestEnd?.nanoseconds ?? 0
    responseStart = metrics.responseStart?.nanoseconds ?? 0
    responseEnd = metrics.responseEnd?.nanoseconds ?? 0
  }
}

extension URLSessionTaskTransactionMetrics.Connection {
  @inline(__always)
  init(_ metrics: borrowing ExchangeMetrics) {
    self.init()
    isReused = metrics.reusedConnection
    facts = metrics.connection
    // The name was not found, for one, or nothing listens there.
    if metrics.requestStart == nil, facts?.remoteAddress == nil { protocolName = nil }
    repairs = metrics.repairs
  }
}

extension URLSessionTaskTransactionMetrics.Sizes {
  @inline(__always)
  init(_ metrics: borrowing ExchangeMetrics) {
    self.init()
    requestHeader = Int64(metrics.requestHeadBytes)
    requestBodySent = Int64(metrics.requestBodyBytes)
    requestBodyBeforeEncoding = Int64(metrics.requestBodyBytes)
    responseHeader = Int64(metrics.responseHeadBytes)
    responseBodyReceived = Int64(metrics.responseBodyBytes)
    responseBodyAfterDecoding = Int64(metrics.decodedBodyBytes)
  }
}
