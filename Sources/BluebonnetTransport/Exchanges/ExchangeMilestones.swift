import BluebonnetEventLoop
import BluebonnetTLS

/// When each step of one exchange happened, and what it moved. Source of the task metrics.
package struct ExchangeMilestones: Sendable {
  package var fetchStart = MonotonicTime(nanoseconds: 0)
  package var connecting: ConnectMilestones?
  package var secureStart: MonotonicTime?
  package var secureEnd: MonotonicTime?
  package var requestStart: MonotonicTime?
  package var requestEnd: MonotonicTime?
  package var responseStart: MonotonicTime?
  package var responseEnd: MonotonicTime?
  package var reusedConnection = false
  package var resumedSession = false
  package var localAddress: SocketAddress?
  package var remoteAddress: SocketAddress?
  package var tlsVersion: TLSVersion?
  package var tlsCipherSuite: UInt16?
  package var requestHeadBytes = 0
  package var requestBodyBytes = 0
  package var responseHeadBytes = 0
  /// As received, before any content coding was undone.
  package var responseBodyBytes = 0
  package var decodedBodyBytes = 0

  package init() {}
}
