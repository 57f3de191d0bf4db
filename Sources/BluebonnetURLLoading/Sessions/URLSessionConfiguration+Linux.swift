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

  /// How many connections a session may have open at once, to all hosts together and idle ones included; 256 by default.
  /// ``httpMaximumConnectionsPerHost`` is the limit for each of them.
  ///
  /// At the limit an idle connection is closed for a new one, and where none is idle, requests wait. A session never takes
  /// more than three quarters of the file descriptors that the process may have (`ulimit -n`), and where there are none
  /// left all the same, it gives idle connections up and waits for others. Less than one counts as one.
  public var connectionLimit: Int {
    get { state.withLock { $0.connectionLimit } }
    set { state.withLock { $0.connectionLimit = newValue } }
  }

  /// How many host names a session looks up at once; `nil`, the default, for a share of the 64 places that all such
  /// sessions of the process have together.
  ///
  /// The system's resolver takes a thread for each and up to half a minute for a name that nobody answers for. Requests for
  /// the same name share a lookup, names in `/etc/hosts` and numeric addresses need none, and a lookup whose requests have
  /// all ended does not count any more. Less than one counts as one.
  public var lookupLimit: Int? {
    get { state.withLock { $0.lookupLimit } }
    set { state.withLock { $0.lookupLimit = newValue } }
  }

  /// Seconds that a request may wait for a connection while others use all that it may have; `nil`, the default, for the
  /// request's time-out, and 0 for without limit. Suspended tasks do not run out of it.
  public var timeoutIntervalForWaiting: TimeInterval? {
    get { state.withLock { $0.timeoutIntervalForWaiting } }
    set { state.withLock { $0.timeoutIntervalForWaiting = newValue } }
  }
}
