import BluebonnetFoundation
import BluebonnetTLS

// Revocation lists that are at hand. Additions of this package.
extension URLSessionConfiguration {
  /// Files with revocation lists (X.509 CRLs): any number in PEM form in each, or one in DER. What they revoke is refused, and
  /// so is what a list is about that is out of date or not signed by the issuer. Certificates of issuers without a list are
  /// not affected, unless ``requiresRevocationLists`` says so. Lists in the file of ``TrustAnchors/file(path:)`` need not be named
  /// here.
  ///
  /// They hold for every evaluation of a server's chain, and are read with the anchors. A file that cannot be read or holds
  /// no list fails every request over TLS.
  public var revocationListFiles: [String] {
    get { state.withLock { $0.revocationLists.paths } }
    set { state.withLock { $0.revocationLists.paths = newValue } }
  }

  /// Whether every certificate of a chain, below its anchor, has to be covered by a revocation list that is at hand, as
  /// curl's `--crlfile` wants it. Off by default.
  public var requiresRevocationLists: Bool {
    get { state.withLock { $0.revocationLists.mustCoverChain } }
    set { state.withLock { $0.revocationLists.mustCoverChain = newValue } }
  }
}
