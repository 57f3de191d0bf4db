import BluebonnetEventLoop
import BluebonnetTransport
import BluebonnetFoundation

// What Apple's configuration has no member for, or leaves to the operating system. A number outside the range of its
// setting is refused: every request of such a session fails with a `RefusedSetting` before anything is sent.
extension URLSessionConfiguration {
  /// The authorities trusted to vouch for servers.
  public enum TrustAnchors: Sendable, Hashable {
    /// The operating system's (`/etc/ssl/certs`, or what `SSL_CERT_DIR` and `SSL_CERT_FILE` say). Revocation lists among them are
    /// used; a damaged one, or a bundle that is damaged anywhere, fails every https request.
    case system
    /// A file with one or more certificates in PEM form, or one in DER. Revocation lists (X.509 CRLs) among them are used: what
    /// they revoke is refused, and so is what a list is about that is out of date or not signed by the issuer.
    /// Certificates of issuers without a list are not affected.
    case file(path: String)
    /// A directory with such files. If there are names like `4042bcee.0` in it, as `openssl rehash` makes them, only these
    /// count, and each is read when a chain asks for it; otherwise all that end in `.pem`, `.crt`, `.cer` or `.crl`, of which each
    /// has to be in PEM, or hold a certificate or a list in DER.
    case directory(path: String)
    /// Exactly these certificates, of authorities or of servers themselves, and none of the system's.
    case certificates([SecCertificate])
    /// Each of these is enough: `.several([.system, .file(path: "authority.pem")])` trusts one's own authority beside the
    /// system's. Each keeps its own rules, but what one of their revocation lists revokes is refused by all.
    case several([TrustAnchors])
  }

  /// The authorities trusted to vouch for servers; the operating system's by default.
  ///
  /// Files and directories are read for the first connection that needs them, and again for a connection that is made
  /// after they have changed, with a look every two seconds at most. Connections that are open stay. A file that
  /// cannot be read fails the requests that need a connection, each with the reason, until it can be.
  public var trustAnchors: TrustAnchors {
    get { state.withLock { $0.trustAnchors } }
    set { state.withLock { $0.trustAnchors = newValue } }
  }

  /// Whether certificates that lead to one's own anchors (`trustAnchors` other than `.system`, or
  /// `SecTrustSetAnchorCertificates`) must follow RFC 5280 to the letter, such as naming the key that signed them.
  /// Off by default, since private authorities are often made by simple scripts. Certificates that lead to the
  /// operating system's anchors always must: for an authority of a company's own among them that does not follow it, name its
  /// file besides, as in `.several([.system, .file(path: "/usr/local/share/ca-certificates/company.crt")])`.
  public var evaluatesOwnAnchorsStrictly: Bool {
    get { state.withLock { $0.evaluatesOwnAnchorsStrictly } }
    set { state.withLock { $0.evaluatesOwnAnchorsStrictly = newValue } }
  }

  /// Connects to this Unix-domain socket instead of the URL's host, which then only names the `Host` field.
  public var unixSocketPath: String? {
    get { state.withLock { $0.unixSocketPath } }
    set { state.withLock { $0.unixSocketPath = newValue } }
  }

  /// Seconds that name lookup and connecting may take together, and then the TLS handshake; `nil`, the default, for the
  /// request's time-out, and 0 for without limit. From 0 to 1,000,000,000.
  ///
  /// What takes longer fails with `URLError.timedOut`, which names the phase.
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

  /// Whether the chunks of a chunked response are undone, and the `gzip` and `deflate` that a request has offered with a `TE`
  /// field and `Connection: TE` (RFC 9110 §10.1.4). On by default; off, bodies arrive with the sizes of their chunks and the
  /// trailer section in them (RFC 9112 §7.1), and their `Content-Encoding` is not undone either.
  public var decodesTransferCodings: Bool {
    get { state.withLock { $0.decodesTransferCodings } }
    set { state.withLock { $0.decodesTransferCodings = newValue } }
  }

  /// The version that requests are sent in.
  public enum RequestVersion: Sendable, Hashable {
    /// HTTP/1.1.
    case http11
    /// HTTP/1.0, for servers that answer HTTP/1.1 wrongly (RFC 9110 §2.5). Each request has a connection of its own unless
    /// its `Connection` field says `keep-alive`. A body has to have a length, since there are no chunks; `Expect` is not
    /// sent. A WebSocket is refused.
    case http10
  }

  /// The version that requests are sent in; ``RequestVersion/http11`` by default. Responses are read in either.
  public var requestVersion: RequestVersion {
    get { state.withLock { $0.requestVersion } }
    set { state.withLock { $0.requestVersion = newValue } }
  }

  /// The number of redirects that a task follows; 20 by default, as Fetch has it, from 0. One more fails the load with
  /// `URLError.httpTooManyRedirects`.
  public var redirectLimit: Int {
    get { state.withLock { $0.redirectLimit } }
    set { state.withLock { $0.redirectLimit = newValue } }
  }

  /// Whether the opening handshake of a WebSocket follows redirects. False by default: the task fails with
  /// `URLError.badServerResponse`, as in browsers (WHATWG, WebSockets §2). Even if true, never from `wss` to a server without TLS.
  public var followsWebSocketRedirects: Bool {
    get { state.withLock { $0.followsWebSocketRedirects } }
    set { state.withLock { $0.followsWebSocketRedirects = newValue } }
  }

  /// Whether requests that state no `Accept` and no `User-Agent` get ours. On by default.
  public var sendsDefaultFields: Bool {
    get { state.withLock { $0.sendsDefaultFields } }
    set { state.withLock { $0.sendsDefaultFields = newValue } }
  }

  /// The number of connections of a session open at once, to all hosts together and idle ones included; 256 by default.
  /// ``httpMaximumConnectionsPerHost`` is the limit for each of them.
  ///
  /// At the limit an idle connection is closed for a new one, and where none is idle, requests wait. A session never takes
  /// more than three quarters of the file descriptors that the process may have (`ulimit -n`), and where hardly any are
  /// left all the same, it gives idle connections up and waits for others. So do the files of downloads, for as long as a
  /// request may wait for a connection. From 1 to 1,000,000.
  public var connectionLimit: Int {
    get { state.withLock { $0.connectionLimit } }
    set { state.withLock { $0.connectionLimit = newValue } }
  }

  /// The number of host names that a session looks up at once; `nil`, the default, for a share of the 64 places that all such
  /// sessions of the process have together.
  ///
  /// The system's resolver takes a thread for each and up to half a minute for a name without an answer. Requests for
  /// the same name share a lookup, names in `/etc/hosts` and numeric addresses need none, and a lookup whose requests have
  /// all ended does not count any more. From 1 to 10,000: each takes a thread.
  public var lookupLimit: Int? {
    get { state.withLock { $0.lookupLimit } }
    set { state.withLock { $0.lookupLimit = newValue } }
  }

  /// Seconds that a request may wait while others use what it may have, from 0 to 1,000,000,000; 0 for without limit. It
  /// counts for each of two waits:
  ///
  /// - for its turn, where ``requestLimit`` or ``requestLimitPerHost`` is set; `nil`, the default, is without limit;
  /// - for a connection; `nil`, the default, is the request's time-out.
  ///
  /// A longer wait fails with `URLError.timedOut`, with the `loadingPhase` `LoadingPhase.waitingForTurn` or
  /// `LoadingPhase.waitingForConnection`: nothing of the request has been sent. Suspended tasks do not run out of it.
  public var timeoutIntervalForWaiting: TimeInterval? {
    get { state.withLock { $0.timeoutIntervalForWaiting } }
    set { state.withLock { $0.timeoutIntervalForWaiting = newValue } }
  }
}

// How many requests may be under way.
extension URLSessionConfiguration {
  /// The number of requests of the session under way at once, to all hosts together; `nil`, the default, for any number.
  /// From 1 to 1,000,000.
  ///
  /// Others wait for their turn: the one with the highest `priority` goes first, and among equals the first one. A suspended
  /// task lets others go before it until it is resumed, and a cancelled one leaves at once; ``timeoutIntervalForWaiting``
  /// limits the wait.
  ///
  /// A request is under way from its turn to the end of its response. Redirects and answers to challenges go on in its
  /// place, to another host as soon as that may have one more. Its place is given up while it waits for a network, and once a
  /// WebSocket is open. What the cache answers, a `URLProtocol`, or a `data` or `file` URL, needs no turn.
  public var requestLimit: Int? {
    get { state.withLock { $0.requestLimit } }
    set { state.withLock { $0.requestLimit = newValue } }
  }

  /// The number of requests of the session under way at once to each host, whatever the port; `nil`, the default, for any
  /// number. From 1 to 1,000,000. The rest is as for ``requestLimit``.
  ///
  /// Requests waiting for a busy host hold up none for another host.
  public var requestLimitPerHost: Int? {
    get { state.withLock { $0.requestLimitPerHost } }
    set { state.withLock { $0.requestLimitPerHost = newValue } }
  }
}

// The parsing and decoding of responses.
extension URLSessionConfiguration {
  /// The treatment of a response that breaks the grammar of HTTP/1.1 in its head.
  public enum ResponseParsing: Sendable, Hashable {
    /// Common mistakes of honest servers are repaired: a folded field line becomes one line with a space in it (RFC 9112 §5.2),
    /// a bare LF ends a line (§2.2), whitespace between a field's name and its colon is dropped (§5.1), a control byte in
    /// the reason phrase becomes a space (§4). The connection is not used again, and `responseRepairs` of the
    /// transaction's metrics names the repairs. Faults that make the end of the body doubtful are refused: such a
    /// `Content-Length` or `Transfer-Encoding`, both of them, a bare CR, a NUL, and any fault in chunks and trailers.
    case tolerant
    /// All of that is refused, too, with `URLError.cannotParseResponse`.
    case strict
    /// Whatever can be read is read, for programs that show what a server sends, as `bonnet` does: beyond `.tolerant`, both
    /// `Content-Length` and `Transfer-Encoding` (RFC 9112 §6.3; the latter counts), a bare LF in chunks and trailers,
    /// a bare CR, a NUL and other control bytes in a value, and spaces in a row in the status line. The connection is not
    /// used again, unless all was that each line of the head ends in a bare LF. What the response says may not be what a
    /// proxy on the way has seen: nothing should depend on it.
    case lenient
  }

  /// The treatment of a response that breaks the grammar; `.tolerant` by default.
  public var responseParsing: ResponseParsing {
    get { state.withLock { $0.responseParsing } }
    set { state.withLock { $0.responseParsing = newValue } }
  }

  /// Bytes that the sizes, extensions and line ends of a chunked body may take up in all, beyond 16 for each chunk and two
  /// for each byte of data; 16,384 (16 KiB) by default, as in Go, from 0 to 2,147,483,647. A response beyond that fails
  /// with `URLError.cannotParseResponse`.
  public var chunkOverheadLimit: Int {
    get { state.withLock { $0.chunkOverheadLimit } }
    set { state.withLock { $0.chunkOverheadLimit = newValue } }
  }

  /// The limit on a body's expansion when its content coding is undone.
  ///
  /// A load that goes beyond it fails with `URLError.dataLengthExceedsMaximum`, and the error's text names the limit.
  public struct DecompressionLimit: Sendable, Hashable {
    /// Bytes that may come out at most; `nil` for any number. From 0.
    public var bytes: Int?
    /// Bytes that may come out for each byte that went in, as soon as more than `ratioThreshold` came out; `nil` for any
    /// number. From 1.
    public var ratio: Int?
    /// Bytes up to which `ratio` does not count. From 0.
    public var ratioThreshold: Int

    /// Makes a limit; one without numbers allows anything. A number outside its range is refused when the limit is used:
    /// every request of the session fails with a ``RefusedSetting``.
    ///
    /// - Parameters:
    ///   - bytes: Bytes that may come out at most; `nil`, the default, for any number.
    ///   - ratio: Bytes that may come out for each byte that went in; `nil`, the default, for any number.
    ///   - ratioThreshold: Bytes up to which `ratio` does not count; 0 by default.
    public init(bytes: Int? = nil, ratio: Int? = nil, ratioThreshold: Int = 0) {
      self.bytes = bytes
      self.ratio = ratio
      self.ratioThreshold = ratioThreshold
    }

    /// 100:1 beyond 256 MiB. Text compresses 3:1 to 20:1, logs 150:1 and more, bombs 1000:1 (gzip) to a million to one (br).
    public static let inMemory = DecompressionLimit(ratio: 100, ratioThreshold: 256 << 20)
    /// Allows a body of any size, however small it was before.
    public static let none = DecompressionLimit()
  }

  /// The limit on the expansion of a coded body kept in memory as a whole: by a completion handler, an `async` method, or a
  /// `DataRequest`. ``DecompressionLimit/inMemory`` by default, so that a small response cannot use up the memory.
  public var decompressionLimitInMemory: DecompressionLimit {
    get { state.withLock { $0.decompressionLimitInMemory } }
    set { state.withLock { $0.decompressionLimitInMemory = newValue } }
  }

  /// The limit on the expansion of a coded body that goes into a file, to a stream handler or to a delegate in pieces: memory is
  /// bounded there in any case. ``DecompressionLimit/none`` by default; a limit guards the disk.
  public var decompressionLimitWhenStreaming: DecompressionLimit {
    get { state.withLock { $0.decompressionLimitWhenStreaming } }
    set { state.withLock { $0.decompressionLimitWhenStreaming = newValue } }
  }

  /// Connects in the place of sockets; for mocks.
  package var dial: Dial? {
    get { state.withLock { $0.dial } }
    set { state.withLock { $0.dial = newValue } }
  }

  /// Watches another network namespace than this process's; for tests.
  package var networkWatcher: Values.NetworkWatcher {
    get { state.withLock { $0.networkWatcher } }
    set { state.withLock { $0.networkWatcher = newValue } }
  }

  /// The first pause of a load that waits for a network, in nanoseconds; for tests.
  package var firstConnectivityPause: UInt64 {
    get { state.withLock { $0.firstConnectivityPause } }
    set { state.withLock { $0.firstConnectivityPause = newValue } }
  }

  /// Looks names up instead of the system's resolver; for tests.
  package var resolver: NameResolver.Resolver? {
    get { state.withLock { $0.resolver } }
    set { state.withLock { $0.resolver = newValue } }
  }
}
