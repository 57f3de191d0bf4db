// SPDX-License-Identifier: MIT
import BluebonnetEventLoop

extension Origin {
  /// The endpoint that an origin listens on: an IP address and a port, or a path of the file system.
  public enum Endpoint: Sendable, Hashable {
    /// 127.0.0.1, at a free port unless one is given.
    case ipv4(port: UInt16 = 0)
    /// ::1, at a free port unless one is given.
    case ipv6(port: UInt16 = 0)
    /// A Unix-domain socket at this path; it must not exist yet and is removed when the origin stops.
    case unix(path: String)
  }
}

extension Origin.Endpoint {
  func address() throws(OriginError) -> SocketAddress {
    switch self {
    case .ipv4(let port): return .loopback(port: port)
    case .ipv6(let port): return .loopback6(port: port)
    case .unix(let path):
      guard let address = SocketAddress(unixPath: path) else {
        throw OriginError("the origin cannot listen: the socket's path is too long")
      }
      return address
    }
  }

  var socketPath: String? {
    if case .unix(let path) = self { path } else { nil }
  }

  /// The URL that clients put before a path. With a name where TLS has to verify one, an address otherwise.
  func baseURL(isSecure: Bool, port: UInt16) -> String {
    switch self {
    case .ipv4: isSecure ? "https://localhost:\(port)" : "http://127.0.0.1:\(port)"
    case .ipv6: "\(isSecure ? "https" : "http")://[::1]:\(port)"
    case .unix: isSecure ? "https://localhost" : "http://localhost"
    }
  }
}
