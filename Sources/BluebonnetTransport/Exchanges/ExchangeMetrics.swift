// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetHTTP1

/// The times of one exchange's steps, and its counts of bytes. Source of the task metrics. Large, and not copied.
package struct ExchangeMetrics: ~Copyable, Sendable {
  package var fetchStart = MonotonicTime(nanoseconds: 0)
  package var secureStart: MonotonicTime?
  package var secureEnd: MonotonicTime?
  package var requestStart: MonotonicTime?
  package var requestEnd: MonotonicTime?
  package var responseStart: MonotonicTime?
  package var responseEnd: MonotonicTime?
  package var reusedConnection = false
  package var resumedSession = false
  /// The connection that served it, or was being made for it.
  package var connection: ConnectionFacts?
  package var requestHeadBytes = 0
  package var requestBodyBytes = 0
  package var responseHeadBytes = 0
  /// As received, before any content coding was undone.
  package var responseBodyBytes = 0
  package var decodedBodyBytes = 0
  /// The faults of the response's head that were let pass.
  package var repairs = Repairs()

  /// Why its connection carried no further request, as far as it was up to the exchange; nil if it may carry one.
  package var closeReason: CloseReason?

  @usableFromInline
  var connectTimestamps: Boxed?

  package init() {}

  /// The connection's making, if it was made for this exchange. Elsewhere, because it is large and rare.
  @inlinable
  package var connecting: ConnectTimestamps? {
    get { connectTimestamps?.timestamps }
    set { connectTimestamps = newValue.map { Boxed(timestamps: $0) } }
  }

  /// A step on the way to the connection is done.
  mutating func note(_ step: ConnectionStep, at now: MonotonicTime) {
    switch step {
    case .connected(let timestamps, let facts): (connecting, connection) = (timestamps, facts)
    case .securing: secureStart = now
    case .secured(let facts):
      (secureEnd, connection) = (now, facts)
      resumedSession = facts.isTLSResumed
    case .found(let facts): connection = facts
    }
  }

  /// The connection has served others before, and was not made for this exchange.
  mutating func reuse(_ facts: ConnectionFacts?) {
    reusedConnection = true
    connecting = nil
    (secureStart, secureEnd, resumedSession) = (nil, nil, false)
    connection = facts
  }

  /// What a stale connection had been sent is no part of what comes.
  mutating func beginAgain() {
    (requestStart, requestEnd, responseStart) = (nil, nil, nil)
    (reusedConnection, connection) = (false, nil)
    requestHeadBytes = 0
  }

  @usableFromInline
  final class Boxed: Sendable {
    @usableFromInline
    let timestamps: ConnectTimestamps

    @usableFromInline
    init(timestamps: ConnectTimestamps) {
      self.timestamps = timestamps
    }
  }
}
