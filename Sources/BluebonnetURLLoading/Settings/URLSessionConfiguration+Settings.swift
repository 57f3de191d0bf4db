// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetSemantics
import BluebonnetTLS
import BluebonnetTransport
import BluebonnetWebSocket

extension URLSessionConfiguration {
  /// The settings as a value, which a session keeps and its loads read without a lock. Its public members are those that
  /// Apple's configuration does not have, or leaves to the operating system.
  ///
  /// Each of them is a member of the configuration, too:
  ///
  ///     configuration.requestLimit = 8
  ///     configuration.tls.cipherSuites = ["TLS_AES_128_GCM_SHA256"]
  ///
  /// A number outside the range of its setting is refused: every request of such a session fails with a ``RefusedSetting``
  /// before anything is sent.
  public struct Settings: Sendable {
    // MARK: Foundation's

    package var requestCachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
    package var timeoutIntervalForRequest: TimeInterval = 60
    package var timeoutIntervalForResource: TimeInterval = 7 * 24 * 60 * 60
    package var networkServiceType = URLRequest.NetworkServiceType.default
    package var allowsCellularAccess = true
    package var allowsExpensiveNetworkAccess = true
    package var allowsConstrainedNetworkAccess = true
    package var requiresDNSSECValidation = false
    package var waitsForConnectivity = false
    package var isDiscretionary = false
    package var sharedContainerIdentifier: String?
    package var sessionSendsLaunchEvents = false
    // Unsafe: strings and numbers, which are `Any` for Apple's signature only.
    nonisolated(unsafe) package var connectionProxyDictionary: [AnyHashable: Any]?
    package var tlsMinimumSupportedProtocolVersion = tls_protocol_version_t.TLSv12
    package var tlsMaximumSupportedProtocolVersion = tls_protocol_version_t.TLSv13
    package var httpShouldUsePipelining = false
    package var httpShouldSetCookies = true
    /// Nil while none was stated: then the storage's own decides.
    package var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy?
    nonisolated(unsafe) package var httpAdditionalHeaders: [AnyHashable: Any]? {
      didSet { additionalFields = Self.fields(of: httpAdditionalHeaders) }
    }
    /// `httpAdditionalHeaders` in the form in which they are merged.
    package private(set) var additionalFields = HeaderFields()
    package var httpMaximumConnectionsPerHost = 6
    package var httpCookieStorage: HTTPCookieStorage?
    package var urlCredentialStorage: URLCredentialStorage?
    package var urlCache: URLCache?
    package var shouldUseExtendedBackgroundIdleMode = false
    package var protocolClasses: [AnyClass]?
    package var multipathServiceType = MultipathServiceType.none
    /// Made by `background(withIdentifier:)`.
    package var isBackground = false

    // MARK: Servers

    /// The loop on which the session's input, output and timers happen; ``EventLoop/shared`` by default.
    public var eventLoop = EventLoop.shared

    /// Connects to this Unix-domain socket instead of the URL's host, which then only names the `Host` field.
    public var unixSocketPath: String?

    /// Connects to this host and port instead of the URL's, which the `Host` field and the certificate are about all the same;
    /// `nil`, the default, for the URL's. It has no meaning for requests through a proxy.
    public var connectionEndpoint: Endpoint?

    /// The addresses that are connected to, whatever the host's name: it is not looked up. Empty, the default, for a lookup.
    ///
    /// Each is an IPv4 or IPv6 address without brackets; with anything else among them every request fails with a
    /// ``RefusedSetting``. With a proxy they are the proxy's.
    public var connectionAddresses: [String] = []

    /// The addresses of a host to connect to; all by default. A host that has none of these fails the request as one
    /// that cannot be found.
    public var addressFamily = AddressFamily.any

    /// The network interface that all connections go through, by its name such as `eth0`; `nil`, the default, for whichever the
    /// routes name. One that does not exist fails the connections.
    public var networkInterface: String?

    /// The address that connections are made from, one of this machine's; `nil`, the default, for the one that
    /// the routes name. With text that is no address every request fails with a ``RefusedSetting``.
    public var localAddress: String?

    /// The ports that connections are made from, the first that is free; `nil`, the default, for whichever the kernel gives. From
    /// 1 to 65535.
    public var localPorts: ClosedRange<Int>?

    /// Seconds of silence after which the kernel asks the other end of a connection whether it is still there, and between one
    /// question and the next (RFC 9293 §3.8.4); `nil`, the default, for never. From 1 to 32767.
    public var keepAliveInterval: Int?

    /// Only addresses of the Internet are connected to.
    var avoidsPrivateAddresses = false

    // MARK: Proxies

    /// The rule by which requests go through proxies; ``ProxySelection/none`` by default, also where the environment names one.
    ///
    /// Beside a ``connectionProxyDictionary`` that is not nil, anything else is refused: every request of such a session
    /// fails with a ``RefusedSetting``. A session with a ``unixSocketPath`` uses no proxy.
    public var proxySelection = ProxySelection.none

    /// The authorities trusted to vouch for proxies that speak TLS; the operating system's by default.
    ///
    /// A proxy's certificate is judged by this alone: ``trustAnchors``, evaluators and delegates speak of origins, and an
    /// origin's certificate is judged by them also where it comes through a proxy.
    public var proxyTrustAnchors = TrustAnchors.system

    /// Whether the certificate of a proxy that speaks TLS has to hold. On by default; off, any server can pass for the proxy,
    /// and learns its password, http requests, and the names of hosts.
    public var verifiesProxyCertificates = true

    // MARK: TLS

    /// The authorities trusted to vouch for servers; the operating system's by default.
    ///
    /// Files and directories are read for the first connection that needs them, and again for a connection that is made
    /// after they have changed, with a look every two seconds at most. Connections that are open stay. A file that
    /// cannot be read fails the requests that need a connection, each with the reason, until it can be.
    public var trustAnchors = TrustAnchors.system

    /// Whether certificates that lead to one's own anchors (`trustAnchors` other than `.system`, or
    /// `SecTrustSetAnchorCertificates`) must follow RFC 5280 to the letter, such as naming the key that signed them.
    /// Off by default, since private authorities are often made by simple scripts. Certificates that lead to the
    /// operating system's anchors always must: for an authority of a company's own among them that does not follow it, name its
    /// file besides, as in `.several([.system, .file(path: "/usr/local/share/ca-certificates/company.crt")])`.
    public var evaluatesOwnAnchorsStrictly = false

    /// The settings of TLS.
    public var tls = TLSSettings()

    /// The certificates for servers that ask for one, by host; none by default.
    ///
    ///     configuration.clientCredentials["api.example.org"] = try URLCredential(pkcs12: archive, password: "secret")
    ///
    /// A key is a host name or an address, `*.example.org` for the names with exactly one label more, or `*` for every host, wherever
    /// redirects lead; the more exact one goes first.
    /// A delegate, or a credential of the request, may answer something else; these are the challenge's
    /// `proposedCredential`. Refused are a credential without an identity, a key that no host can have, and two credentials for one
    /// host: every https request of such a session fails with a ``RefusedSetting``.
    public var clientCredentials: [String: URLCredential] = [:] {
      didSet { clientCredentialsByHost = ClientCredentials(clientCredentials) }
    }
    /// `clientCredentials` in the form in which hosts are looked up.
    package private(set) var clientCredentialsByHost = ClientCredentials([:])

    /// Files with revocation lists (X.509 CRLs): any number in PEM form in each, or one in DER. What they revoke is refused, and
    /// so is what a list is about that is out of date or not signed by the issuer. Certificates of issuers without a list are
    /// not affected, unless ``requiresRevocationLists`` says so; but if an authority divides its list, all parts have to be there,
    /// since one of them alone leaves open what the others say. Lists in the file of ``TrustAnchors/file(path:)`` need not be named
    /// here.
    ///
    /// They hold for every evaluation of a server's chain, an HTTPS proxy's too, and are read with the anchors. A file that cannot be read or holds
    /// no list fails every request over TLS.
    public var revocationListFiles: [String] = []

    /// Whether every certificate of a chain, below its anchor, has to be covered by a revocation list that is at hand, as
    /// curl's `--crlfile` wants it. Off by default. HTTPS proxies are not held to it: their authorities are others
    /// (``proxyTrustAnchors``).
    public var requiresRevocationLists = false

    /// The proxies that responders and lists are asked through when an evaluator asks about revocation;
    /// ``ProxySelection/none`` by default, whatever the session's own are. To use the same, set it to ``proxySelection``. Proxies
    /// that require authentication are given ``Proxy/user`` and ``Proxy/password``; no storage and no delegate is asked.
    ///
    /// Those that speak TLS are judged as ``proxySelection`` has it. What a name leads to in the proxy's network is
    /// the proxy's affair: only addresses of private networks themselves and `localhost` are held back. What such a session finds out
    /// it keeps for itself.
    public var revocationProxySelection = ProxySelection.none

    // MARK: Authentication

    /// Set by ``authenticationSchemes``.
    package var allowedSchemes = BluebonnetAuthentication.AuthenticationSchemes.all

    /// Names and passwords by host; `nil`, the default, for none. Linux only.
    ///
    /// They are sent without being asked for (as Basic, RFC 7617), and answer challenges by Digest and NTLM. Without `.basic`
    /// among ``authenticationSchemes``, they wait to be asked for.
    ///
    /// What a request or `httpAdditionalHeaders` state in `Authorization` goes before, and so does a password in the URL; a
    /// name in the URL selects the entry. Once a redirect has led to another origin, nothing of it is used any more, whether
    /// that has an entry or not: its server has not been chosen by the caller.
    public var netrc: Netrc?

    // MARK: Requests

    /// The version that requests are sent in; ``RequestVersion/http11`` by default. Responses are read in either.
    public var requestVersion = RequestVersion.http11

    /// Whether requests that state no `Accept` and no `User-Agent` get ours, and a POST with content and no `Content-Type` goes
    /// out as `application/x-www-form-urlencoded`. On by default.
    public var sendsDefaultFields = true

    /// The number of redirects that a task follows; 20 by default, as Fetch has it, from 0. One more fails the load with
    /// `URLError.httpTooManyRedirects`.
    public var redirectLimit = RedirectPolicy.usualLimit

    /// Whether one request under way answers all that ask the same; false by default. An addition of this package.
    ///
    /// Where it is true, a GET that the cache has no answer to, and that is equal in address and fields to one that is under way, waits
    /// for that one and is served what it has brought: also where nothing says how long it is fresh, but not where the
    /// response must not be stored, says `no-cache` or `must-revalidate`, or is too large for the cache. Then, and when the first one
    /// fails, is suspended, is read slowly or is sent elsewhere, those that waited ask for themselves. Without a `urlCache` it has no
    /// effect.
    public var collapsesRequests = false

    // MARK: Limits on connections and turns

    /// The number of connections of a session open at once, to all hosts together and idle ones included; 256 by default.
    /// ``httpMaximumConnectionsPerHost`` is the limit for each of them.
    ///
    /// At the limit an idle connection is closed for a new one, and where none is idle, requests wait. A session never takes
    /// more than three quarters of the file descriptors that the process may have (`ulimit -n`), and where hardly any are
    /// left all the same, it gives idle connections up and waits for others. So do the files of downloads, for as long as a
    /// request may wait for a connection. From 1 to 1,000,000.
    public var connectionLimit = 256

    /// Seconds that one address of a host may keep silent before the next is tried beside it (RFC 8305 §5, *Connection
    /// Attempt Delay*); 0.25 by default, from 0.01 to 2, as §8 has it. An address that refuses is followed at once.
    public var connectionAttemptDelay: TimeInterval = 0.25

    /// Seconds that name lookup and connecting may take together, and then the TLS handshake; `nil`, the default, for the
    /// request's time-out, and 0 for without limit. From 0 to 1,000,000,000.
    ///
    /// What takes longer fails with `URLError.timedOut`, which names the phase.
    public var timeoutIntervalForConnection: TimeInterval?

    /// Seconds that an unused connection is kept for further requests; 60 by default, from 0 to 1,000,000,000,
    /// with 0 closing it at once. Servers commonly keep theirs for 5 to 75 seconds.
    public var timeoutIntervalForIdleConnections: TimeInterval = 60

    /// The number of host names that a session looks up at once; `nil`, the default, for a share of the 64 places that all such
    /// sessions of the process have together.
    ///
    /// The system's resolver takes a thread for each and up to half a minute for a name without an answer. Requests for
    /// the same name share a lookup, names in `/etc/hosts` and numeric addresses need none, and a lookup whose requests have
    /// all ended does not count any more. From 1 to 10,000: each takes a thread.
    public var lookupLimit: Int?

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
    public var requestLimit: Int?

    /// The number of requests of the session under way at once to each host, whatever the port; `nil`, the default, for any
    /// number. From 1 to 1,000,000. The rest is as for ``requestLimit``.
    ///
    /// Requests waiting for a busy host hold up none for another host.
    public var requestLimitPerHost: Int?

    /// Seconds that a request may wait while others use what it may have, from 0 to 1,000,000,000; 0 for without limit. It
    /// counts for each of two waits:
    ///
    /// - for its turn, where ``requestLimit`` or ``requestLimitPerHost`` is set; `nil`, the default, is without limit;
    /// - for a connection; `nil`, the default, is the request's time-out.
    ///
    /// A longer wait fails with `URLError.timedOut`, with the `loadingPhase` `LoadingPhase.waitingForTurn` or
    /// `LoadingPhase.waitingForConnection`: nothing of the request has been sent. Suspended tasks do not run out of it.
    public var timeoutIntervalForWaiting: TimeInterval?

    /// Seconds that a server may leave `Expect: 100-continue` without an answer before the body goes out all the same
    /// (RFC 9110 §10.1.1); 1 by default, as with curl, from 0 to 1,000,000,000. The request's time-out holds besides.
    public var timeoutIntervalForContinue: TimeInterval = 1

    // MARK: Responses

    /// The treatment of a response that breaks the grammar; `.tolerant` by default.
    public var responseParsing = ResponseParsing.tolerant

    /// Bytes that a response's head may have: its status line and all its fields, line ends included; 131,072 (128 KiB) by
    /// default, from 1 to 2,147,483,647. Each interim response has as many for itself.
    ///
    /// A response beyond that fails with `URLError.cannotParseResponse`. Node's client stops at 16 KiB, curl at 300 KiB, Go's
    /// at 1 MiB.
    public var responseHeadLimit = ParserLimits.default.headBytes

    /// Bytes that one line of a response's head may have, without its end; 65,536 (64 KiB) by default, from 1 to
    /// 2,147,483,647. ``responseHeadLimit`` holds besides.
    ///
    /// A response beyond that fails with `URLError.cannotParseResponse`.
    public var responseLineLimit = ParserLimits.default.lineBytes

    /// Field lines that a response's head may have; 512 by default, from 0 to 1,000,000. As many may follow a chunked body
    /// as trailers.
    ///
    /// A response beyond that fails with `URLError.cannotParseResponse`.
    public var responseFieldLimit = ParserLimits.default.fieldCount

    /// Interim (1xx) responses that may come before the final one; 32 by default, from 0 to 1,000,000.
    ///
    /// One more fails the load with `URLError.cannotParseResponse`. Go's client stops at 5.
    public var interimResponseLimit = ParserLimits.default.interimResponses

    /// Bytes that the sizes, extensions and line ends of a chunked body may take up in all, beyond 16 for each chunk and two
    /// for each byte of data; 16,384 (16 KiB) by default, as in Go, from 0 to 2,147,483,647. A response beyond that fails
    /// with `URLError.cannotParseResponse`.
    public var chunkOverheadLimit = ParserLimits.default.chunkOverheadBytes

    /// The most bytes of a body that is gathered in memory, as it is handed over: for data and upload requests, tasks with
    /// completion handlers and `data(for:)`; `nil`, the default, for no limit, from 0 otherwise. Downloads and streams
    /// are not limited.
    ///
    /// A body beyond that fails the load with `URLError.dataLengthExceedsMaximum`: before any of it is read, if its length
    /// is announced, else as soon as there is too much. ``decompressionLimitInMemory`` holds besides.
    public var responseBodyLimitInMemory: Int?

    /// Whether `Content-Encoding` is asked for and undone (gzip, deflate, br). On by default; off, bodies
    /// arrive as they were sent. A request with a `Range` asks for none: a part of a coded body cannot be decoded.
    public var decodesResponseContent = true

    /// Whether the chunks of a chunked response are undone, and the `gzip` and `deflate` that a request has offered with a `TE`
    /// field and `Connection: TE` (RFC 9110 §10.1.4). On by default; off, bodies arrive with the sizes of their chunks and the
    /// trailer section in them (RFC 9112 §7.1), their `Content-Encoding` is not undone either, and the session uses no cache.
    public var decodesTransferCodings = true

    /// The limit on the expansion of a coded body kept in memory as a whole: by a completion handler, an `async` method, or a
    /// `DataRequest`. ``DecompressionLimit/inMemory`` by default, so that a small response cannot use up the memory.
    public var decompressionLimitInMemory = DecompressionLimit.inMemory

    /// The limit on the expansion of a coded body that goes into a file, to a stream handler or to a delegate in pieces: memory is
    /// bounded there in any case. ``DecompressionLimit/none`` by default; a limit guards the disk.
    public var decompressionLimitWhenStreaming = DecompressionLimit.none

    // MARK: WebSockets

    /// The compression of WebSocket messages (permessage-deflate, RFC 7692), if the server agrees; with the default
    /// parameters by default, and `nil` for not at all.
    ///
    /// A connection takes some 300 KiB for it, from its first compressed message on. Where messages hold secrets beside what
    /// strangers may choose, their length tells something of the secrets: turn it off there.
    public var webSocketCompression: WebSocketCompression? = WebSocketCompression()

    /// Whether the opening handshake of a WebSocket follows redirects. False by default: the task fails with
    /// `URLError.badServerResponse`, as in browsers (WHATWG, WebSockets §2). Even if true, never from `wss` to a server without TLS.
    public var followsWebSocketRedirects = false

    // MARK: The package's own tests and mocks

    /// Looks names up instead of the system's resolver.
    package var resolver: NameResolver.Resolver?

    /// Connects in the place of sockets.
    package var dial: Dial?

    /// Watches another network namespace than this process's.
    package var networkWatcher: NetworkWatcher = { loop, onChange throws(SystemError) in
      try NetworkWatch(loop: loop, onChange: onChange)
    }

    /// Makes something that tells of changes of the machine's networks.
    package typealias NetworkWatcher =
      @Sendable (BluebonnetEventLoop.EventLoop, @escaping NetworkWatch.OnChange) throws(SystemError) ->
      NetworkWatch

    /// The first pause of a load that waits for a network, in nanoseconds.
    package var firstConnectivityPause: UInt64 = 250_000_000

    static var shared: Settings {
      var values = Settings()
      values.httpCookieStorage = .shared
      values.urlCredentialStorage = .shared
      values.urlCache = .shared
      return values
    }

    static var inMemory: Settings {
      var values = Settings()
      values.httpCookieStorage = HTTPCookieStorage()
      values.urlCredentialStorage = URLCredentialStorage()
      values.urlCache = URLCache(memoryCapacity: 512 * 1024, diskCapacity: 0, diskPath: nil)
      return values
    }

    private static func fields(of headers: [AnyHashable: Any]?) -> HeaderFields {
      var named: [String: String] = [:]
      for (key, value) in headers ?? [:] {
        if let name = key.base as? String { named[name] = value as? String ?? "\(value)" }
      }
      return HeaderFields(named)
    }
  }
}
