// SPDX-License-Identifier: MIT
import BluebonnetTestSupport

/// A way to an origin.
enum MatrixRoute: String, CaseIterable, Sendable {
  case direct = "direct"
  case directTLS = "direct, TLS"
  case proxy = "HTTP proxy"
  case connect = "CONNECT"
  case secureProxy = "HTTPS proxy"
  case secureConnect = "HTTPS, CONNECT"
  case socks = "SOCKS5"
  case socksTLS = "SOCKS5, TLS"

  /// Whether the origin is spoken to over TLS.
  var isSecure: Bool {
    switch self {
    case .direct, .proxy, .secureProxy, .socks: false
    case .directTLS, .connect, .secureConnect, .socksTLS: true
    }
  }

  var proxy: MatrixProxy? {
    switch self {
    case .direct, .directTLS: nil
    case .proxy, .connect: MatrixProxy(.squid)
    case .secureProxy, .secureConnect: MatrixProxy(.squidTLS)
    case .socks: MatrixProxy(.microsocks, kind: .socks5h)
    case .socksTLS: MatrixProxy(.dante, kind: .socks5h)
    }
  }
}
