import BluebonnetFoundation
import BluebonnetTLS

// Revocation lists that are at hand, and the way to those that are not. Additions of this package.
extension URLSessionConfiguration {
  /// Files with revocation lists (X.509 CRLs): any number in PEM form in each, or one in DER. What they revoke is refused, and
  /// so is what a list is about that is out of date or not signed by the issuer. Certificates of issuers without a list are
  /// not affected, unless ``requiresRevocationLists`` says so; but if an authority divides its list, all parts have to be there,
  /// since one of them alone leaves open what the others say. Lists in the file of ``TrustAnchors/file(path:)`` need not be named
  /// here.
  ///
  /// They hold for every evaluation of a server's chain, an HTTPS proxy's too, and are read with the anchors. A file that cannot be read or holds
  /// no list fails every request over TLS.
  public var revocationListFiles: [String] {
    get { state.withLock { $0.revocationLists.paths } }
    set { state.withLock { $0.revocationLists.paths = newValue } }
  }

  /// Whether every certificate of a chain, below its anchor, has to be covered by a revocation list that is at hand, as
  /// curl's `--crlfile` wants it. Off by default. HTTPS proxies are not held to it: their authorities are others
  /// (``proxyTrustAnchors``).
  public var requiresRevocationLists: Bool {
    get { state.withLock { $0.revocationLists.mustCoverChain } }
    set { state.withLock { $0.revocationLists.mustCoverChain = newValue } }
  }

  /// The proxies that responders and lists are asked through when an evaluator asks about revocation;
  /// ``ProxySelection/none`` by default, whatever the session's own are. To use the same, set it to ``proxySelection``. Proxies
  /// that require authentication are given ``Proxy/user`` and ``Proxy/password``; no storage and no delegate is asked.
  ///
  /// Those that speak TLS are judged as ``proxySelection`` has it. What a name leads to in the proxy's network is
  /// the proxy's affair: only addresses of private networks themselves and `localhost` are held back. What such a session finds out
  /// it keeps for itself.
  public var revocationProxySelection: ProxySelection {
    get { values.revocationProxySelection }
    set { change { $0.revocationProxySelection = newValue } }
  }
}
