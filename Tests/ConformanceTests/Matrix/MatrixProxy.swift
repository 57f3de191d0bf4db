import Bluebonnet
import BluebonnetTestSupport
import Testing

/// A proxy, in the words of `URLSessionConfiguration.connectionProxyDictionary`.
struct MatrixProxy: Sendable {
  let server: RealServer
  let scheme: MatrixScheme
  /// Of SOCKS, as curl calls it: socks4, socks4a, socks5 or socks5h; nil for HTTP.
  var version: String?

  init(_ server: RealServer, _ scheme: MatrixScheme = .none, version: String? = nil) {
    (self.server, self.scheme, self.version) = (server, scheme, version)
  }

  var name: String { version.map { "\(server) \($0)" } ?? "\(server)" }

  /// - Parameter credential: For this proxy; nil for nobody in particular.
  func dictionary(as credential: URLCredential?) throws -> [AnyHashable: Any] {
    let url = try #require(URL(string: server.url("")))
    let (host, port) = (try #require(url.host), try #require(url.port))
    var dictionary: [AnyHashable: Any] = [:]
    if let version {
      dictionary = ["SOCKSEnable": 1, "SOCKSProxy": host, "SOCKSPort": port, "SOCKSVersion": version]
    } else {
      let address = url.scheme == "https" ? "https://\(host)" : host
      for name in ["HTTP", "HTTPS"] {
        dictionary["\(name)Enable"] = 1
        dictionary["\(name)Proxy"] = address
        dictionary["\(name)Port"] = port
      }
    }
    if let credential {
      dictionary["kCFProxyUsernameKey"] = credential.user
      dictionary["kCFProxyPasswordKey"] = credential.password
    }
    return dictionary
  }
}
