// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetTLS

/// The origin, the way and the identity of a request: connections are pooled under it. A connection of one route
/// serves another only where both ask the same HTTP proxy for http resources.
package struct Route: Hashable, Sendable {
  /// The peer of the connection (RFC 9110 §3.7).
  package enum NextHop: Hashable, Sendable {
    /// The origin itself.
    case origin
    /// A Unix-domain socket of the origin, or of a server that speaks for it.
    case unixSocket(path: String)
    /// An HTTP proxy that is asked for http resources by their absolute form (RFC 9112 §3.2.2).
    case proxy(ProxyHop)
    /// A proxy that is asked for a connection to the origin: by CONNECT (RFC 9110 §9.3.6), or by SOCKS.
    case tunnel(ProxyHop)
  }

  /// Whether the scheme is https.
  package let isSecure: Bool
  /// The origin's host in its canonical form (`CanonicalHost`), without brackets. The server's certificate must be for it.
  package let host: String
  package let port: UInt16
  package let nextHop: NextHop
  /// The identity and trust of TLS, if not the pool's own.
  package let security: SecurityContext?
  /// The identity that its connections are authenticated as; nil for none.
  package private(set) var identity: ConnectionIdentity?
  /// The identity that secures its connections where the server asks for one; nil as long as it is not known to ask.
  package private(set) var certificateAnswer: CertificateAnswer?

  /// - Parameter host: In its canonical form.
  package init(
    isSecure: Bool, host: String, port: UInt16, nextHop: NextHop = .origin, security: SecurityContext? = nil
  ) {
    self.isSecure = isSecure
    self.host = host
    self.port = port
    self.nextHop = nextHop
    self.security = security
  }

  /// There is nothing to it but the origin. Says so of every member that is not the origin's.
  @inline(__always)
  var isPlain: Bool {
    if case .origin = nextHop {
      security == nil && identity == nil && certificateAnswer == nil
    } else {
      false
    }
  }

  /// The same for connections authenticated as an identity.
  package func standing(for identity: ConnectionIdentity) -> Route {
    var route = self
    route.identity = identity
    return route
  }

  /// The same for connections over which a server that asks for a certificate is told this.
  package func answering(_ answer: CertificateAnswer) -> Route {
    var route = self
    route.certificateAnswer = answer
    return route
  }

  /// The same without any identity.
  var ofNobody: Route {
    var route = self
    (route.identity, route.certificateAnswer) = (nil, nil)
    return route
  }

  /// Whether its connections are to a proxy that is asked for resources of any origin, and none has been authenticated
  /// at this one.
  var isOfAnyOrigin: Bool { hasAbsoluteForm && identity == nil && certificateAnswer == nil }

  /// Whether a connection of the one could as well be the other's. Credentials, if any, are the proxy's.
  func sharesConnections(with other: Route) -> Bool {
    isOfAnyOrigin && other.isOfAnyOrigin && nextHop == other.nextHop && security == other.security
  }

  /// The target to connect to, as the resolver is asked for it.
  ///
  /// - Parameter isRooted: The host was written with the root's dot, which the pool and the certificate do not know, but
  ///   the resolver does.
  func connectTarget(isRooted: Bool) -> ConnectTarget {
    switch nextHop {
    case .origin: .host(isRooted ? host + "." : host, port: port)
    case .unixSocket(let path): .unixPath(path)
    case .proxy(let hop), .tunnel(let hop): .host(hop.server.host, port: hop.server.port)
    }
  }

  /// The proxy on the way, if there is one.
  package var proxy: ProxyHop? {
    switch nextHop {
    case .origin, .unixSocket: nil
    case .proxy(let hop), .tunnel(let hop): hop
    }
  }

  /// The proxy that has to be asked for something, or spoken to in TLS, before a connection is of use.
  var prelude: ProxyHop? {
    switch nextHop {
    case .origin, .unixSocket: nil
    case .proxy(let hop): hop.server.scheme == .https ? hop : nil
    case .tunnel(let hop): hop
    }
  }

  /// Whether the request's target is written in absolute form (RFC 9112 §3.2.2), a form not used with an origin or a server
  /// that speaks for it.
  var hasAbsoluteForm: Bool {
    if case .proxy = nextHop { !isSecure } else { false }
  }

  /// Appends what stands before the path of a target in absolute form.
  func appendTargetPrefix(to bytes: inout [UInt8]) {
    bytes += "http://".utf8
    if host.utf8.contains(UInt8(ascii: ":")) {
      // A zone means something on this machine only.
      bytes += "[\(host.prefix { $0 != "%" })]".utf8
    } else {
      bytes += host.utf8
    }
    guard port != 80 else { return }
    bytes.append(UInt8(ascii: ":"))
    bytes += String(port).utf8
  }
}

/// An identity of this side and the anchors that servers are verified against. Two are the same if they are one object: what
/// was let in under one is not let in under another.
package final class SecurityContext: Hashable, Sendable {
  package let configuration: TLSClientConfiguration

  package init(_ configuration: TLSClientConfiguration) {
    self.configuration = configuration
  }

  package static func == (left: SecurityContext, right: SecurityContext) -> Bool { left === right }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
