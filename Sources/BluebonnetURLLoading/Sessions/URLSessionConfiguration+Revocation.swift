import BluebonnetFoundation
import BluebonnetTLS

// Revocation lists that are at hand.
extension URLSessionConfiguration.Settings {
  /// Files with revocation lists (X.509 CRLs): any number in PEM form in each, or one in DER. What they revoke is refused, and
  /// so is what a list is about that is out of date or not signed by the issuer. Certificates of issuers without a list are
  /// not affected, unless ``requiresRevocationLists`` says so; but if an authority divides its list, all parts have to be there,
  /// since one of them alone leaves open what the others say. Lists in the file of ``TrustAnchors/file(path:)`` need not be named
  /// here.
  ///
  /// They hold for every evaluation of a server's chain, an HTTPS proxy's too, and are read with the anchors. A file that cannot be read or holds
  /// no list fails every request over TLS.
  public var revocationListFiles: [String] {
    get { revocationLists.paths }
    set { revocationLists.paths = newValue }
  }

  /// Whether every certificate of a chain, below its anchor, has to be covered by a revocation list that is at hand, as
  /// curl's `--crlfile` wants it. Off by default. HTTPS proxies are not held to it: their authorities are others
  /// (``proxyTrustAnchors``).
  public var requiresRevocationLists: Bool {
    get { revocationLists.mustCoverChain }
    set { revocationLists.mustCoverChain = newValue }
  }
}
