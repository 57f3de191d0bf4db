// SPDX-License-Identifier: MIT
import BluebonnetTransport

/// The facts about a connection that a request goes over. An addition of this package.
public struct URLSessionConnection: Sendable {
  private let facts: ConnectionFacts?

  /// Whether the connection had carried a request before.
  public let isReused: Bool

  init(facts: ConnectionFacts?, isReused: Bool) {
    self.facts = facts
    self.isReused = isReused
  }

  /// The address of this end, as text without brackets; `nil` if it has none.
  public var localAddress: String? { facts?.localAddress?.host }

  /// The port of this end; `nil` for a Unix-domain socket.
  public var localPort: Int? { facts?.localAddress?.port.map(Int.init) }

  /// The address of the other end, as text without brackets; `nil` if it has none.
  public var remoteAddress: String? { facts?.remoteAddress?.host }

  /// The port of the other end; `nil` for a Unix-domain socket.
  public var remotePort: Int? { facts?.remoteAddress?.port.map(Int.init) }

  /// The addresses that were tried on the way to this connection, in order; empty if it is used again.
  public var attempts: [Attempt] { isReused ? [] : facts?.attempts ?? [] }

  /// The protocol that the server chose by ALPN (RFC 7301), such as `http/1.1`; `nil` without TLS, and if it chose none.
  public var negotiatedApplicationProtocol: String? { facts?.applicationProtocol }

  /// The version of TLS that was agreed; `nil` without TLS.
  public var negotiatedTLSProtocolVersion: tls_protocol_version_t? {
    facts?.tlsVersion.map(tls_protocol_version_t.init)
  }

  /// The cipher suite of the TLS connection; `nil` without TLS.
  public var negotiatedTLSCipherSuite: tls_ciphersuite_t? {
    facts?.tlsCipherSuite.map(tls_ciphersuite_t.init(rawValue:))
  }
}
