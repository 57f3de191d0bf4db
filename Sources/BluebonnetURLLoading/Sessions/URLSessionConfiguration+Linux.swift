import BluebonnetEventLoop
import BluebonnetFoundation

// What Apple's configuration has no member for, or leaves to the operating system.
extension URLSessionConfiguration {
  /// Whose certificates are trusted to vouch for servers.
  public enum TrustAnchors: Sendable, Hashable {
    /// The operating system's (`/etc/ssl/certs`, or what `SSL_CERT_DIR` and `SSL_CERT_FILE` say).
    case system
    /// A file with one or more certificates in PEM form.
    case file(path: String)
    /// Exactly these.
    case certificates([SecCertificate])
  }

  /// Whose certificates are trusted to vouch for servers; the operating system's by default.
  public var trustAnchors: TrustAnchors {
    get { state.withLock { $0.trustAnchors } }
    set { state.withLock { $0.trustAnchors = newValue } }
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

  /// Looks names up instead of the system's resolver; for tests.
  package var resolver: NameLookup.Resolver? {
    get { state.withLock { $0.resolver } }
    set { state.withLock { $0.resolver = newValue } }
  }
}
