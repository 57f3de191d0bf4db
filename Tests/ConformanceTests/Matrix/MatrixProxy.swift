// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetTestSupport
import Testing

/// A proxy, and how it wants to be asked.
struct MatrixProxy: Sendable {
  let server: RealServer
  let scheme: MatrixScheme
  let kind: URLSessionConfiguration.Proxy.Kind

  /// - Parameter kind: Of SOCKS; an HTTP proxy's is told by its URL.
  init(
    _ server: RealServer, _ scheme: MatrixScheme = .none, kind: URLSessionConfiguration.Proxy.Kind? = nil
  ) {
    self.server = server
    self.scheme = scheme
    self.kind = kind ?? (server.base?.hasPrefix("https:") == true ? .https : .http)
  }

  var isSOCKS: Bool { kind != .http && kind != .https }
  var name: String { isSOCKS ? "\(server) \(kind)" : "\(server)" }

  /// Sets it: by the dictionary that Apple's systems have, or, where that has no words for it, by what Linux has.
  ///
  /// - Parameter credential: For this proxy; nil for nobody in particular.
  func apply(to configuration: URLSessionConfiguration, as credential: URLCredential?) throws {
    let url = try #require(URL(string: server.url("")))
    let (host, port) = (try #require(url.host), try #require(url.port))
    if kind == .http || kind == .socks5h {
      var dictionary: [AnyHashable: Any] = [:]
      for name in isSOCKS ? ["SOCKS"] : ["HTTP", "HTTPS"] {
        dictionary["\(name)Enable"] = 1
        dictionary["\(name)Proxy"] = host
        dictionary["\(name)Port"] = port
      }
      dictionary[kCFProxyUsernameKey] = credential?.user
      dictionary[kCFProxyPasswordKey] = credential?.password
      configuration.connectionProxyDictionary = dictionary
    } else {
      var proxy = URLSessionConfiguration.Proxy(kind, host: host, port: port)
      (proxy.user, proxy.password) = (credential?.user, credential?.password)
      configuration.proxySelection = .proxy(proxy)
    }
    if let authority = RealServer.authority { configuration.proxyTrustAnchors = .file(path: authority) }
  }
}
