// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import Testing

@testable import BluebonnetURLLoading

typealias Proxy = URLSessionConfiguration.Proxy

/// An origin that many names lead to, in plain or over TLS, and proxies before it. Names are looked up by nobody but the proxies: that
/// of the origin leads nowhere from here.
struct ProxyStand {
  static let name = "origin.test"

  let authority: OriginAuthority
  let plain: Origin
  let secure: Origin
  let proxy: ScriptedProxy
  let secureProxy: ScriptedProxy

  init() throws {
    authority = try OriginAuthority()
    plain = try Origin.start()
    secure = try Origin.start(
      security: .identity(try authority.issue(names: OriginAuthority.loopbackNames + [.host(Self.name)])))
    proxy = try ScriptedProxy()
    // Of another authority than the origins'.
    secureProxy = try ScriptedProxy(try Self.proxyAuthority.get().issue(names: [.address("127.0.0.1")]))
  }

  private static let proxyAuthority = Result { try OriginAuthority() }

  func stop() {
    plain.stop()
    secure.stop()
    proxy.stop()
    secureProxy.stop()
  }

  func made(_ kind: Proxy.Kind) -> Proxy {
    Proxy(kind, host: "127.0.0.1", port: Int(kind == .https ? secureProxy.port : proxy.port))
  }

  func double(_ kind: Proxy.Kind) -> ScriptedProxy { kind == .https ? secureProxy : proxy }

  /// - Parameter host: The origin's; by default a name that only a proxy leads to.
  func url(_ path: String = "/get", isSecure: Bool = false, host: String = name) throws -> URL {
    try #require(
      URL(string: "\(isSecure ? "https" : "http")://\(host):\(isSecure ? secure.port : plain.port)\(path)"))
  }

  func configuration(_ proxy: Proxy? = nil) throws -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.trustAnchors = .certificates([try certificate(authority)])
    configuration.proxyTrustAnchors = .certificates([try certificate(try Self.proxyAuthority.get())])
    configuration.timeoutIntervalForRequest = 120
    if let proxy { configuration.proxySelection = .proxy(proxy) }
    return configuration
  }

  func session(
    _ proxy: Proxy? = nil, delegate: (any URLSessionDelegate)? = nil,
    _ change: (URLSessionConfiguration) -> Void = { _ in }
  ) throws -> URLSession {
    let configuration = try configuration(proxy)
    change(configuration)
    return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  func certificate(_ authority: OriginAuthority) throws -> SecCertificate {
    try #require(SecCertificate(pem: authority.certificate))
  }
}

/// The failure of a load that must not succeed.
func failure(_ load: () async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) async throws
  -> (error: URLError, transport: TransportFailure)
{
  let thrown = await #expect(throws: URLError.self, sourceLocation: sourceLocation) { try await load() }
  let error = try #require(thrown, sourceLocation: sourceLocation)
  return (error, try #require(error.transportFailure, sourceLocation: sourceLocation))
}
