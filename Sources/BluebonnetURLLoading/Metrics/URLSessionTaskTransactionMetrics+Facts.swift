// SPDX-License-Identifier: MIT
import BluebonnetFoundation

extension URLSessionTaskTransactionMetrics {
  /// The protocol that was spoken, as an ALPN identifier (RFC 7301): `http/1.1`; `nil` without a connection.
  public var networkProtocolName: String? { measured.connection.protocolName }

  /// Whether the connection had carried a request before.
  public var isReusedConnection: Bool { measured.connection.isReused }

  /// Whether the connection went through a proxy.
  public var isProxyConnection: Bool { measured.connection.facts?.isProxied ?? false }

  /// The address of this end of the connection, as text without brackets; `nil` without a connection.
  public var localAddress: String? { measured.connection.facts?.localAddress?.host }

  /// The port of this end of the connection; `nil` for a Unix-domain socket.
  public var localPort: Int? { measured.connection.facts?.localAddress?.port.map(Int.init) }

  /// The address of the server's end of the connection, as text without brackets; `nil` without a connection.
  public var remoteAddress: String? { measured.connection.facts?.remoteAddress?.host }

  /// The port of the server's end of the connection; `nil` for a Unix-domain socket.
  public var remotePort: Int? { measured.connection.facts?.remoteAddress?.port.map(Int.init) }

  /// The addresses that were tried for this transaction's connection, in order: those that failed, with the reason, and the one that
  /// was connected to. Empty if the connection had carried a request before.
  public var connectionAttempts: [URLSessionConnection.Attempt] {
    isReusedConnection ? [] : measured.connection.facts?.attempts ?? []
  }

  /// The protocol that the server chose by ALPN (RFC 7301), such as `http/1.1`; `nil` without TLS, and if it chose none.
  public var negotiatedApplicationProtocol: String? { measured.connection.facts?.applicationProtocol }

  /// The version of TLS that was agreed.
  public var negotiatedTLSProtocolVersion: tls_protocol_version_t? {
    measured.connection.facts?.tlsVersion.map(tls_protocol_version_t.init)
  }

  /// The cipher suite of the TLS connection; `nil` without TLS.
  public var negotiatedTLSCipherSuite: tls_ciphersuite_t? {
    measured.connection.facts?.tlsCipherSuite.map(tls_ciphersuite_t.init(rawValue:))
  }

  /// The faults repaired in the response's head, each a rule with its section, such as "folded field line (RFC 9112
  /// §5.2)"; see `URLSessionConfiguration.responseParsing`. If there is anything, the connection was not used again.
  public var responseRepairs: [String] {
    measured.connection.repairs.rules.map { "\($0.description) (\($0.section))" }
  }

  /// Bytes of the request line and the fields, as they were sent.
  public var countOfRequestHeaderBytesSent: Int64 { measured.sizes.requestHeader }

  /// Bytes of the request body on the wire, without the framing of chunks.
  public var countOfRequestBodyBytesSent: Int64 { measured.sizes.requestBodySent }

  /// Bytes of the request body before coding; the same as ``countOfRequestBodyBytesSent``, also where the library has compressed it.
  public var countOfRequestBodyBytesBeforeEncoding: Int64 { measured.sizes.requestBodyBeforeEncoding }

  /// Bytes of the status line and the fields, as they were received.
  public var countOfResponseHeaderBytesReceived: Int64 { measured.sizes.responseHeader }

  /// Bytes of the response body on the wire, with its content coding, without the framing of chunks.
  public var countOfResponseBodyBytesReceived: Int64 { measured.sizes.responseBodyReceived }

  /// Bytes of the response body as delivered.
  public var countOfResponseBodyBytesAfterDecoding: Int64 { measured.sizes.responseBodyAfterDecoding }

  /// Always false: Linux does not say.
  public var isCellular: Bool { false }

  /// Always false: Linux does not say.
  public var isExpensive: Bool { false }

  /// Always false: Linux does not say.
  public var isConstrained: Bool { false }

  /// Always false: there is one path.
  public var isMultipath: Bool { false }

  /// The protocol of the name lookup; the resolver does not say.
  public var domainResolutionProtocol: DomainResolutionProtocol { .unknown }
}
