import BluebonnetFoundation

// What Apple's configuration has no member for, or leaves to the operating system.
extension URLSessionConfiguration {
  /// Whose certificates are trusted to vouch for servers.
  public enum TrustAnchors: Sendable, Hashable {
    /// The operating system's (`/etc/ssl/certs`, or what `SSL_CERT_DIR` and `SSL_CERT_FILE` say).
    case system
    /// A file with one or more certificates in PEM form. Revocation lists (X.509 CRLs) among them are used: what
    /// they revoke is refused, and so is what a list is about that is out of date or not signed by the issuer.
    /// Certificates of issuers without a list are not affected.
    case file(path: String)
    /// Exactly these.
    case certificates([SecCertificate])
  }

  /// Whose certificates are trusted to vouch for servers; the operating system's by default.
  public var trustAnchors: TrustAnchors {
    get { state.withLock { $0.trustAnchors } }
    set { state.withLock { $0.trustAnchors = newValue } }
  }

  /// Whether certificates that lead to one's own anchors (`trustAnchors` other than `.system`, or
  /// `SecTrustSetAnchorCertificates`) must follow RFC 5280 to the letter, such as naming the key that signed them.
  /// Off by default, since private authorities are often made by simple scripts. Certificates that lead to the
  /// operating system's anchors always must.
  public var judgesOwnAnchorsStrictly: Bool {
    get { state.withLock { $0.judgesOwnAnchorsStrictly } }
    set { state.withLock { $0.judgesOwnAnchorsStrictly = newValue } }
  }

  /// Connects to this Unix-domain socket instead of the URL's host, which then only names the `Host` field.
  public var unixSocketPath: String? {
    get { state.withLock { $0.unixSocketPath } }
    set { state.withLock { $0.unixSocketPath = newValue } }
  }

  /// Seconds that name lookup and connecting may take together, and then the TLS handshake; `nil` for the
  /// request's time-out.
  public var timeoutIntervalForConnection: TimeInterval? {
    get { state.withLock { $0.timeoutIntervalForConnection } }
    set { state.withLock { $0.timeoutIntervalForConnection = newValue } }
  }

  /// Whether `Content-Encoding` is asked for and undone (gzip, deflate, br). On by default; off, bodies
  /// arrive as they were sent.
  public var decodesResponseContent: Bool {
    get { state.withLock { $0.decodesResponseContent } }
    set { state.withLock { $0.decodesResponseContent = newValue } }
  }

  /// How many redirects a task follows before it fails; 20 by default, as Fetch has it.
  public var redirectLimit: Int {
    get { state.withLock { $0.redirectLimit } }
    set { state.withLock { $0.redirectLimit = newValue } }
  }

  /// Whether requests that state no `Accept` and no `User-Agent` get ours. On by default.
  public var sendsDefaultFields: Bool {
    get { state.withLock { $0.sendsDefaultFields } }
    set { state.withLock { $0.sendsDefaultFields = newValue } }
  }
}
