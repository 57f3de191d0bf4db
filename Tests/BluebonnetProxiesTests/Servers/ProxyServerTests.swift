// SPDX-License-Identifier: MIT
import BluebonnetProxies
import Testing

@Suite("How a proxy is named")
struct ProxyServerTests {
  private struct NoHost: Error {}

  private func read(_ text: String) throws(InvalidProxy) -> ProxyServer {
    try ProxyServer(text) { spelling in
      if spelling.contains(" ") || spelling.contains("|") { throw NoHost() }
      return spelling.lowercased().filter { $0 != "[" && $0 != "]" }
    }
  }

  @Test(
    "A URL of a proxy says how, where and as whom",
    arguments: [
      ("p", .http, "p", 1080, nil),
      ("p:3128", .http, "p", 3128, nil),
      ("P.Test:3128/", .http, "p.test", 3128, nil),
      ("http://p", .http, "p", 1080, nil),
      ("https://p", .https, "p", 443, nil),
      ("https://p:8443/path?q#f", .https, "p", 8443, nil),
      ("HTTP://p:1", .http, "p", 1, nil),
      ("socks4://p", .socks4, "p", 1080, nil),
      ("socks://p", .socks4, "p", 1080, nil),
      ("socks4a://p:9", .socks4a, "p", 9, nil),
      ("socks5://p", .socks5, "p", 1080, nil),
      ("socks5h://[::1]:9050", .socks5h, "::1", 9050, nil),
      ("[2001:db8::1]", .http, "2001:db8::1", 1080, nil),
      ("u:p@h:1", .http, "h", 1, ["u", "p"]),
      ("http://u@h", .http, "h", 1080, ["u", ""]),
      ("http://:p@h", .http, "h", 1080, ["", "p"]),
      ("http://:@h", .http, "h", 1080, nil),
      ("http://@h", .http, "h", 1080, nil),
      ("http://u%40d:p%3A%2F@h", .http, "h", 1080, ["u@d", "p:/"]),
      ("http://a@b:c@d@h:2", .http, "h", 2, ["a@b", "c@d"]),
      ("h:", .http, "h", 1080, nil),
    ] as [(String, ProxyServer.Scheme, String, UInt16, [String]?)])
  func reads(
    _ text: String, _ scheme: ProxyServer.Scheme, _ host: String, _ port: UInt16, _ credentials: [String]?
  ) throws {
    let proxy = try read(text)
    #expect(proxy.scheme == scheme)
    #expect(proxy.host == host)
    #expect(proxy.port == port)
    #expect(proxy.credentials.map { [$0.user, $0.password] } == credentials)
    #expect(!proxy.description.contains("@"))
  }

  @Test(
    "What is no proxy is refused, in words without its password",
    arguments: [
      "", "http://", "ftp://secret:secret@p", "http://u:secret@", "p:0", "p:65536", "p:x", "p:123456", "[::1",
      "[::1]x",
      "a b", "p\r\nX: y", "://p", "a|b",
    ])
  func refuses(_ text: String) {
    let error = #expect(throws: InvalidProxy.self) { try read(text) }
    #expect(error?.description.contains("secret") == false)
  }

  @Test("What goes through a tunnel", arguments: ProxyServer.Scheme.allCases)
  func tunnels(_ scheme: ProxyServer.Scheme) {
    var proxy = ProxyServer(scheme, host: "p", port: 1)
    #expect(proxy.tunnels(isSecure: true, isWebSocket: false))
    #expect(proxy.tunnels(isSecure: false, isWebSocket: true))
    #expect(proxy.tunnels(isSecure: false, isWebSocket: false) == !scheme.isHTTP)
    proxy.tunnelsPlain = true
    #expect(proxy.tunnels(isSecure: false, isWebSocket: false))
  }
}
