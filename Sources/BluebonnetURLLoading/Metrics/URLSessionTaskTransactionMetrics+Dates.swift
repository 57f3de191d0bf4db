import BluebonnetFoundation

extension URLSessionTaskTransactionMetrics {
  /// When the load of this transaction began.
  public var fetchStartDate: Date? { date(measured.instants.fetchStart) }

  /// When the name lookup began; `nil` on a kept connection, and for an address.
  public var domainLookupStartDate: Date? { date(measured.instants.domainLookupStart) }

  /// When the name lookup ended; `nil` where there was none.
  public var domainLookupEndDate: Date? { date(measured.instants.domainLookupEnd) }

  /// When connecting began; `nil` on a kept connection.
  public var connectStartDate: Date? { date(measured.instants.connectStart) }

  /// When the TLS handshake began; `nil` on a kept connection, and without TLS.
  public var secureConnectionStartDate: Date? { date(measured.instants.secureConnectionStart) }

  /// When the TLS handshake ended; `nil` on a kept connection, and without TLS.
  public var secureConnectionEndDate: Date? { date(measured.instants.secureConnectionEnd) }

  /// When the connection could be used, with its handshake done; `nil` on a kept connection.
  public var connectEndDate: Date? { date(measured.instants.connectEnd) }

  /// When the first byte of the request was sent.
  public var requestStartDate: Date? { date(measured.instants.requestStart) }

  /// When the last byte of the request was sent.
  public var requestEndDate: Date? { date(measured.instants.requestEnd) }

  /// When the first byte of the response arrived.
  public var responseStartDate: Date? { date(measured.instants.responseStart) }

  /// When the last byte of the response arrived.
  public var responseEndDate: Date? { date(measured.instants.responseEnd) }

  private func date(_ instant: UInt64) -> Date? { instant == 0 ? nil : measured.clock.date(at: instant) }
}
