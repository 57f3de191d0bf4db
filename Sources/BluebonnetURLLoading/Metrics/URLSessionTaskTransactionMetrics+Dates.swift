// SPDX-License-Identifier: MIT
import BluebonnetFoundation

extension URLSessionTaskTransactionMetrics {
  /// The time when the load of this transaction began.
  public var fetchStartDate: Date? { date(measured.instants.fetchStart) }

  /// The time when the name lookup began; `nil` on a kept connection, and for an address.
  public var domainLookupStartDate: Date? { date(measured.instants.domainLookupStart) }

  /// The end of the name lookup; `nil` where there was none.
  public var domainLookupEndDate: Date? { date(measured.instants.domainLookupEnd) }

  /// The beginning of connecting; `nil` on a kept connection.
  public var connectStartDate: Date? { date(measured.instants.connectStart) }

  /// The beginning of the TLS handshake; `nil` on a kept connection, and without TLS.
  public var secureConnectionStartDate: Date? { date(measured.instants.secureConnectionStart) }

  /// The end of the TLS handshake; `nil` on a kept connection, and without TLS.
  public var secureConnectionEndDate: Date? { date(measured.instants.secureConnectionEnd) }

  /// The time when the connection could be used, with its handshake done; `nil` on a kept connection.
  public var connectEndDate: Date? { date(measured.instants.connectEnd) }

  /// The time when the first byte of the request was sent.
  public var requestStartDate: Date? { date(measured.instants.requestStart) }

  /// The time when the last byte of the request was sent.
  public var requestEndDate: Date? { date(measured.instants.requestEnd) }

  /// The time when the first byte of the response arrived.
  public var responseStartDate: Date? { date(measured.instants.responseStart) }

  /// The time when the last byte of the response arrived.
  public var responseEndDate: Date? { date(measured.instants.responseEnd) }

  private func date(_ instant: UInt64) -> Date? { instant == 0 ? nil : measured.clock.date(at: instant) }
}
