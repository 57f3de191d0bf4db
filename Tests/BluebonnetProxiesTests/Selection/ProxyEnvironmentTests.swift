// SPDX-License-Identifier: MIT
import BluebonnetProxies
import Testing

@Suite("Proxies of the environment")
struct ProxyEnvironmentTests {
  private func environment(_ variables: [String: String]) -> ProxyEnvironment {
    ProxyEnvironment({ variables[$0] }, canonicalHost: { $0.lowercased() })
  }

  @Test(
    "Which variable counts",
    arguments: [
      (["http_proxy": "p:1"], false, "http://p:1"),
      (["http_proxy": "p:1"], true, nil),
      // Not in upper case: a request's field Proxy would set it in a CGI program.
      (["HTTP_PROXY": "p:1"], false, nil),
      (["https_proxy": "p:1"], true, "http://p:1"),
      (["HTTPS_PROXY": "p:1"], true, "http://p:1"),
      (["HTTPS_PROXY": "p:1", "https_proxy": "q:1"], true, "http://q:1"),
      (["https_proxy": "p:1"], false, nil),
      (["all_proxy": "socks5h://p"], false, "socks5h://p:1080"),
      (["ALL_PROXY": "socks5h://p"], true, "socks5h://p:1080"),
      (["all_proxy": "a:1", "http_proxy": "p:1"], false, "http://p:1"),
      (["all_proxy": "a:1", "http_proxy": ""], false, "http://a:1"),
      (["https_proxy": "", "HTTPS_PROXY": "p:1"], true, "http://p:1"),
      (["http_proxy": "p:1", "no_proxy": "host.test"], false, nil),
      (["http_proxy": "p:1", "NO_PROXY": "test"], false, nil),
      (["http_proxy": "p:1", "no_proxy": "other.test", "NO_PROXY": "host.test"], false, "http://p:1"),
      (["http_proxy": "p:1", "no_proxy": "*"], false, nil),
      ([:], false, nil),
    ] as [([String: String], Bool, String?)])
  func variables(_ variables: [String: String], _ isSecure: Bool, _ proxy: String?) throws {
    let found = try environment(variables).proxy(for: "host.test", isSecure: isSecure)
    #expect(found.map { "\($0)" } == proxy)
  }

  @Test("What is no proxy is an error where it matters, and only there")
  func faults() throws {
    let environment = environment(["http_proxy": "ftp://p", "no_proxy": "free.test"])
    #expect(throws: InvalidProxy.self) { try environment.proxy(for: "host.test", isSecure: false) }
    #expect(try environment.proxy(for: "host.test", isSecure: true) == nil)
    #expect(try environment.proxy(for: "free.test", isSecure: false) == nil)
  }
}
