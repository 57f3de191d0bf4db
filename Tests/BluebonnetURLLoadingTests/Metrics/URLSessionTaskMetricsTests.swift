// SPDX-License-Identifier: MIT
import BluebonnetURLLoading
import BluebonnetEventLoop
import BluebonnetTransport
import Testing

@Suite struct URLSessionTaskMetricsTests {
  private let clock = ClockAnchor(wall: 1_000, monotonic: 5_000_000_000)

  @Test func instantsBecomeDates() throws {
    var instants = URLSessionTaskTransactionMetrics.Instants()
    instants.fetchStart = 5_000_000_000
    instants.responseEnd = 6_500_000_000
    instants.connectStart = 4_000_000_000
    var sizes = URLSessionTaskTransactionMetrics.Sizes()
    sizes.responseHeader = 12
    var connection = URLSessionTaskTransactionMetrics.Connection()
    connection.isReused = true
    connection.facts = ConnectionFacts(
      localAddress: nil, remoteAddress: SocketAddress(ipv4: "127.0.0.1", port: 80))
    let transaction = URLSessionTaskTransactionMetrics(
      request: URLRequest(url: try #require(URL(string: "http://example.org/"))), response: nil,
      resourceFetchType: .networkLoad, clock: clock, instants: instants,
      connection: connection, sizes: sizes)
    #expect(transaction.fetchStartDate == Date(timeIntervalSince1970: 1_000))
    #expect(transaction.responseEndDate == Date(timeIntervalSince1970: 1_001.5))
    #expect(transaction.connectStartDate == Date(timeIntervalSince1970: 999))
    #expect(transaction.domainLookupStartDate == nil)
    #expect(transaction.secureConnectionStartDate == nil)
    #expect(transaction.isReusedConnection && !transaction.isProxyConnection)
    #expect(transaction.networkProtocolName == "http/1.1")
    #expect(transaction.remoteAddress == "127.0.0.1" && transaction.remotePort == 80)
    #expect(transaction.countOfResponseHeaderBytesReceived == 12)
  }

  @Test func theIntervalCoversTheTask() {
    let metrics = URLSessionTaskMetrics(
      .none, earlier: [], redirectCount: 2, clock: clock, start: 5_000_000_000, end: 5_250_000_000)
    #expect(metrics.taskInterval.start == Date(timeIntervalSince1970: 1_000))
    #expect(metrics.taskInterval.duration == 0.25)
    #expect(metrics.redirectCount == 2)
    #expect(metrics == metrics)
    let backwards = URLSessionTaskMetrics(
      .none, earlier: [], redirectCount: 0, clock: clock, start: 9, end: 8)
    #expect(backwards.taskInterval.duration == 0)
    #expect(metrics != backwards)
  }
}
