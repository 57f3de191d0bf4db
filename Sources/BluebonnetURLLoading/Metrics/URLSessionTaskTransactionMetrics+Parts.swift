// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetTransport

extension URLSessionTaskTransactionMetrics {
  /// Moments in nanoseconds of the monotonic clock; 0 stands for a moment that never came.
  package struct Instants: Sendable, Equatable {
    package var fetchStart: UInt64 = 0
    package var domainLookupStart: UInt64 = 0
    package var domainLookupEnd: UInt64 = 0
    package var connectStart: UInt64 = 0
    package var secureConnectionStart: UInt64 = 0
    package var secureConnectionEnd: UInt64 = 0
    package var connectEnd: UInt64 = 0
    package var requestStart: UInt64 = 0
    package var requestEnd: UInt64 = 0
    package var responseStart: UInt64 = 0
    package var responseEnd: UInt64 = 0

    package init() {}
  }

  /// The connection that carried the transaction.
  package struct Connection: Sendable {
    package var protocolName: String? = "http/1.1"
    package var isReused = false
    package var facts: ConnectionFacts?
    /// The faults of the response's head that were let pass.
    package var repairs = Repairs()

    package init() {}
  }

  /// Byte counts on the wire, and of bodies before coding and after decoding.
  package struct Sizes: Sendable, Equatable {
    package var requestHeader: Int64 = 0
    package var requestBodySent: Int64 = 0
    package var requestBodyBeforeEncoding: Int64 = 0
    package var responseHeader: Int64 = 0
    package var responseBodyReceived: Int64 = 0
    package var responseBodyAfterDecoding: Int64 = 0

    package init() {}
  }
}

/// A cipher suite, as the code point of the protocol.
public struct tls_ciphersuite_t: RawRepresentable, Sendable, Hashable {
  /// The code point in IANA's registry of TLS cipher suites.
  public let rawValue: UInt16

  /// Wraps a code point of IANA's registry.
  public init(rawValue: UInt16) { self.rawValue = rawValue }
}
