// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetMessages

/// The measurements of one request and its response.
public final class URLSessionTaskTransactionMetrics: Sendable {
  /// The request of this transaction. Cookies, credentials of challenges and the session's own fields are added on the wire only.
  public var request: URLRequest { measured.request }
  /// The response of this transaction; `nil` if its head did not arrive.
  public var response: URLResponse? { measured.response }
  /// Whether the response came from the network or from the cache.
  public var resourceFetchType: ResourceFetchType { measured.resourceFetchType }
  let measured: Measurements

  init(_ measured: Measurements) { self.measured = measured }

  package convenience init(
    request: URLRequest, response: URLResponse?, resourceFetchType: ResourceFetchType, clock: ClockAnchor,
    instants: Instants, connection: Connection, sizes: Sizes
  ) {
    self.init(
      Measurements(
        request: request, response: response, resourceFetchType: resourceFetchType, clock: clock,
        instants: instants, connection: connection, sizes: sizes))
  }

  /// The raw measurements of a transaction. Most tasks keep it so, because it is rarely looked at.
  struct Measurements: Sendable {
    let request: URLRequest
    let response: URLResponse?
    let resourceFetchType: ResourceFetchType
    let clock: ClockAnchor
    let instants: Instants
    let connection: Connection
    let sizes: Sizes
  }

  /// The source of a response.
  public enum ResourceFetchType: Int, Sendable, Hashable {
    /// A `URLProtocol` class loaded it, so that it is not known.
    case unknown = 0
    /// It was loaded from the network, or was to be.
    case networkLoad = 1
    /// The server pushed it. Never on Linux.
    case serverPush = 2
    /// It was kept in the `URLCache`.
    case localCache = 3
  }

  /// The protocol of a name lookup.
  public enum DomainResolutionProtocol: Int, Sendable, Hashable {
    /// It is not known: the system's resolver does not tell.
    case unknown = 0
    /// DNS over UDP. Never reported on Linux.
    case udp = 1
    /// DNS over TCP. Never reported on Linux.
    case tcp = 2
    /// DNS over TLS. Never reported on Linux.
    case tls = 3
    /// DNS over HTTPS. Never reported on Linux.
    case https = 4
  }
}

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
