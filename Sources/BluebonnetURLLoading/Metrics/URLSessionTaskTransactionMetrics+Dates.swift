import BluebonnetFoundation

extension URLSessionTaskTransactionMetrics {
  /// When the load of this transaction began.
  public var fetchStartDate: Date? { date(instants.fetchStart) }

  /// When the name lookup began; `nil` on a kept connection, and for an address.
  public var domainLookupStartDate: Date? { date(instants.domainLookupStart) }

  /// When the name lookup ended; `nil` where there was none.
  public var domainLookupEndDate: Date? { date(instants.domainLookupEnd) }

  /// When connecting began; `nil` on a kept connection.
  public var connectStartDate: Date? { date(instants.connectStart) }

  /// When the TLS handshake began; `nil` on a kept connection, and without TLS.
  public var secureConnectionStartDate: Date? { date(instants.secureConnectionStart) }

  /// When the TLS handshake ended; `nil` on a kept connection, and without TLS.
  public var secureConnectionEndDate: Date? { date(instants.secureConnectionEnd) }

  /// When the connection could be used, with its handshake done; `nil` on a kept connection.
  public var connectEndDate: Date? { date(instants.connectEnd) }

  /// When the first byte of the request was sent.
  public var requestStartDate: Date? { date(instants.requestStart) }

  /// When the last byte of the request was sent.
  public var requestEndDate: Date? { date(instants.requestEnd) }

  /// When the first byte of the response arrived.
  public var responseStartDate: Date? { date(instants.responseStart) }

  /// When the last byte of the response arrived.
  public var responseEndDate: Date? { date(instants.responseEnd) }

  private func date(_ instant: UInt64) -> Date? { instant == 0 ? nil : clock.date(at: instant) }
}
