import BluebonnetFoundation

// Which requests go through a proxy, and what proxies are believed. Apple's systems have `connectionProxyDictionary` for
// that, which works here as well.
extension URLSessionConfiguration {
  /// The rule by which requests go through proxies; ``ProxySelection/none`` by default, also where the environment names one.
  ///
  /// Beside a ``connectionProxyDictionary`` that is not nil, anything else is refused: every request of such a session
  /// fails with a ``RefusedSetting``. A session with a ``unixSocketPath`` uses no proxy.
  public var proxySelection: ProxySelection {
    get { values.proxySelection }
    set { change { $0.proxySelection = newValue } }
  }

  /// The authorities trusted to vouch for proxies that speak TLS; the operating system's by default.
  ///
  /// A proxy's certificate is judged by this alone: ``trustAnchors``, evaluators and delegates speak of origins, and an
  /// origin's certificate is judged by them also where it comes through a proxy.
  public var proxyTrustAnchors: TrustAnchors {
    get { values.proxyTrustAnchors }
    set { change { $0.proxyTrustAnchors = newValue } }
  }

  /// Whether the certificate of a proxy that speaks TLS has to hold. On by default; off, any server can pass for the proxy,
  /// and learns its password, http requests, and the names of hosts.
  public var verifiesProxyCertificates: Bool {
    get { values.verifiesProxyCertificates }
    set { change { $0.verifiesProxyCertificates = newValue } }
  }
}
