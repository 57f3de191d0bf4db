// SPDX-License-Identifier: MIT

/// The environment's variables about proxies, as curl reads them.
///
/// `http_proxy` is read in lower case only: a server that runs programs with the request's fields in their environment
/// (CGI) would let the field `Proxy` set it in upper case. `https_proxy`, `all_proxy` and `no_proxy` are looked for in
/// lower case, then in upper case. A variable without a value is none. `ws` goes by `http_proxy`, `wss` by `https_proxy`.
package struct ProxyEnvironment: Sendable {
  /// For plain requests; nil for none.
  package let plain: Result<ProxyServer, InvalidProxy>?
  /// For those over TLS; nil for none.
  package let secure: Result<ProxyServer, InvalidProxy>?
  /// The hosts that go without.
  package let exceptions: NoProxyList

  /// - Parameters:
  ///   - variable: The value of an environment variable.
  ///   - canonicalHost: The one form in which hosts are compared, made of a spelling.
  package init(_ variable: (String) -> String?, canonicalHost: (String) throws -> String) {
    func value(_ names: String...) -> String? {
      for name in names { if let value = variable(name), !value.isEmpty { return value } }
      return nil
    }
    func proxy(_ text: String?) -> Result<ProxyServer, InvalidProxy>? {
      text.map { text in
        Result { () throws(InvalidProxy) in try ProxyServer(text, canonicalHost: canonicalHost) }
      }
    }
    let all = value("all_proxy", "ALL_PROXY")
    plain = proxy(value("http_proxy") ?? all)
    secure = proxy(value("https_proxy", "HTTPS_PROXY") ?? all)
    exceptions = NoProxyList(value("no_proxy", "NO_PROXY") ?? "")
  }

  /// The proxy for a host; nil for none.
  ///
  /// - Parameter host: In its canonical form.
  /// - Throws: If the variable that matters does not name a proxy.
  package func proxy(for host: String, isSecure: Bool) throws(InvalidProxy) -> ProxyServer? {
    guard let found = isSecure ? secure : plain, !exceptions.contains(host) else { return nil }
    return try found.get()
  }
}
