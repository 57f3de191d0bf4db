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

extension URLSessionConnection {
  /// An attempt to connect to one of a host's addresses.
  ///
  /// The addresses are tried one after the other. Where one does not answer within the configuration's `connectionAttemptDelay`, the next
  /// one is tried beside it, and the first to answer is taken (RFC 8305).
  public struct Attempt: Sendable, Hashable, CustomStringConvertible {
    /// The address, as text without brackets, or the path of a Unix-domain socket.
    public let address: String
    /// The port; `nil` for a Unix-domain socket.
    public let port: Int?
    /// The reason why it failed, in the system's words, such as "Connection refused". `nil` if it was connected to, and if it had not
    /// answered when another address had, or when the time for connecting was over.
    public let failure: String?
    /// The address with the port.
    private let place: String

    init(_ tried: TriedAddress) {
      address = tried.address.host
      port = tried.address.port.map(Int.init)
      failure = tried.error?.reason
      place = tried.address.description
    }

    /// The address, the port and the reason: `[::1]:80: Connection refused`.
    public var description: String { failure.map { "\(place): \($0)" } ?? place }
  }
}

extension ConnectionFacts {
  var attempts: [URLSessionConnection.Attempt] {
    let tried = tried.isEmpty ? remoteAddress.map { [TriedAddress($0)] } ?? [] : tried
    return tried.map(URLSessionConnection.Attempt.init)
  }
}
