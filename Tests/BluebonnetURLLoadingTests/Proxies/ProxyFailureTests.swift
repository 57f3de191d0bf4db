// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import BluebonnetTestAuthority
import BluebonnetTestClock
import BluebonnetTestSupport
import BluebonnetTransport
import Testing

@testable import BluebonnetURLLoading

/// What goes wrong on the way, and whose fault it was.
@Suite struct ProxyFailureTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var kind = Proxy.Kind.http
    var answer: ScriptedProxy.Answer
    var cause: TransportFailure.Cause
    var code = URLError.Code.cannotConnectToHost
    var fault = LoadingFault.proxy
    var isOfProxy = true
    var words = ""
  }

  private static func reply5(_ code: UInt8) -> ScriptedProxy.Answer {
    .sayAndClose([5, code, 0, 1, 0, 0, 0, 0, 0, 0])
  }

  static let rows: [Row] = [
    Row(
      testDescription: "403", answer: .say("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno"),
      cause: .proxyRefused,
      words: "status 403 Forbidden"),
    Row(
      testDescription: "407 without a challenge",
      answer: .say("HTTP/1.1 407 Who\r\nContent-Length: 0\r\n\r\n"),
      cause: .proxyRefused, code: .userAuthenticationRequired, fault: .caller, words: "407"),
    Row(
      testDescription: "407 of a scheme that nobody speaks",
      answer: .say("HTTP/1.1 407 Who\r\nProxy-Authenticate: Strange\r\nContent-Length: 0\r\n\r\n"),
      cause: .proxyRefused,
      code: .userAuthenticationRequired, fault: .caller, words: "407"),
    Row(
      testDescription: "502", answer: .sayAndClose("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"),
      cause: .proxyRefused, fault: .network, words: "status 502"),
    Row(
      testDescription: "302",
      answer: .say("HTTP/1.1 302 Found\r\nLocation: http://a.test/\r\nContent-Length: 0\r\n\r\n"),
      cause: .proxyRefused, words: "status 302"),
    Row(
      testDescription: "over TLS 403", kind: .https,
      answer: .say("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n"),
      cause: .proxyRefused, words: "status 403"),
    Row(
      testDescription: "no HTTP", answer: .sayAndClose("SSH-2.0-OpenSSH\r\n\r\n"), cause: .malformedResponse,
      code: .cannotParseResponse, words: "the proxy's answer breaks the rules"),
    Row(
      testDescription: "an alert of TLS", answer: .sayAndClose([0x15, 3, 1, 0, 2, 2, 70]),
      cause: .malformedResponse, code: .cannotParseResponse, fault: .caller,
      words: "the proxy answered in TLS; its port seems to be for https"),
    Row(
      testDescription: "the first byte of an alert", answer: .sayAndClose([0x15]), cause: .malformedResponse,
      code: .cannotParseResponse, fault: .caller, words: "the proxy answered in TLS"),
    Row(
      testDescription: "no alert, but for its first byte", answer: .sayAndClose([0x15, 0x16]),
      cause: .malformedResponse, code: .cannotParseResponse, words: "the proxy's answer breaks the rules"),
    Row(
      testDescription: "half a head", answer: .sayAndClose("HTTP/1.1 200 O"), cause: .truncated,
      code: .networkConnectionLost, words: "the proxy closed the connection"),
    Row(
      testDescription: "the end", answer: .sayAndClose(""), cause: .noResponse, code: .networkConnectionLost,
      words: "the proxy closed the connection"),
    Row(
      testDescription: "a reset", answer: .reset, cause: .network, code: .networkConnectionLost,
      fault: .network,
      words: "the connection to the proxy"),
    Row(
      testDescription: "endless head",
      answer: .say([UInt8]("HTTP/1.1 200 ".utf8) + [UInt8](repeating: 65, count: 300_000)),
      cause: .malformedResponse, code: .cannotParseResponse),
    // What comes behind a 2xx is the origin's, as far as anybody can tell.
    Row(
      testDescription: "garbage behind 200",
      answer: .sayAndClose("HTTP/1.1 200 OK\r\n\r\nwhat is this, then?"), cause: .tls,
      code: .secureConnectionFailed, fault: .server, isOfProxy: false),
    Row(
      testDescription: "SOCKS 4 says no", kind: .socks4a, answer: .sayAndClose([0, 91, 0, 0, 0, 0, 0, 0]),
      cause: .socks,
      words: "rejected or failed"),
    Row(
      testDescription: "SOCKS 5 has rules", kind: .socks5h, answer: reply5(2), cause: .socks,
      words: "its rules"),
    Row(
      testDescription: "SOCKS 5: the host refuses", kind: .socks5h, answer: reply5(5), cause: .socks,
      fault: .network,
      words: "the host refused"),
    Row(
      testDescription: "no SOCKS", kind: .socks5h, answer: .sayAndClose("HTTP/1.1 400 Bad\r\n\r\n"),
      cause: .socks,
      words: "does not speak SOCKS"),
    Row(
      testDescription: "SOCKS 5: the end", kind: .socks5h, answer: .sayAndClose([5, 0]), cause: .socks,
      words: "closed the connection"),
  ]

  @Test(arguments: rows) func refusals(_ row: Row) async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    stand.double(row.kind).answer { _ in row.answer }
    let session = try stand.session(stand.made(row.kind))
    defer { session.invalidateAndCancel() }
    let url = try stand.url(isSecure: true)
    let failed = try await failure { _ = try await session.data(from: url) }
    #expect(failed.transport.cause == row.cause)
    #expect(failed.error.code == row.code)
    #expect(failed.error.loadingFault == row.fault)
    #expect(failed.transport.isOfProxy == row.isOfProxy)
    let text = failed.error.localizedDescription
    #expect(row.words.isEmpty || text.contains(row.words), "\(text)")
    #expect(stand.secure.connectionCount == 0)
    await Eventually.expect("nothing is left") { stand.double(row.kind).open == 0 }
  }

  /// Asked in the absolute form, it is the proxy, too, that answers.
  @Test func anAlertInsteadOfAResponse() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    stand.proxy.answer { _ in .sayAndClose([0x15, 3, 1, 0, 2, 2, 70]) }
    let session = try stand.session(stand.made(.http))
    defer { session.invalidateAndCancel() }
    let url = try stand.url()
    let failed = try await failure { _ = try await session.data(from: url) }
    #expect(failed.transport.cause == .malformedResponse && failed.transport.isOfProxy)
    #expect(failed.error.loadingFault == .caller)
    #expect(failed.error.localizedDescription.contains("the proxy answered in TLS; its port seems"))
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    "HTTP/1.1 299 \r\nConnection: close\r\n\r\n", "HTTP/1.0 200 OK\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
  ])
  func anyTwoHundredOpensTheTunnel(answer: String) async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    stand.proxy.answer { _ in .connectSaying(answer) }
    let session = try stand.session(stand.made(.http))
    defer { session.invalidateAndCancel() }
    for isSecure in [false, true] {
      var proxy = stand.made(.http)
      proxy.tunnelsPlainRequests = true
      let session = try stand.session(proxy)
      defer { session.invalidateAndCancel() }
      let (_, response) = try await session.data(from: try stand.url(isSecure: isSecure))
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }
  }

  /// What comes of that depends on which side is faster; that it was not the proxy does not.
  @Test func theEndBehindTwoHundredIsTheOrigins() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    stand.proxy.answer { _ in .sayAndClose("HTTP/1.1 200 OK\r\n\r\n") }
    let session = try stand.session(stand.made(.http))
    defer { session.invalidateAndCancel() }
    let url = try stand.url(isSecure: true)
    let failed = try await failure { _ = try await session.data(from: url) }
    #expect(failed.transport.cause == .tls || failed.transport.cause == .network)
    #expect(failed.transport.phase == .securing && !failed.transport.isOfProxy)
  }

  /// In a plain tunnel nobody speaks before he is spoken to.
  @Test func garbageInAPlainTunnelIsNoResponse() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    stand.proxy.answer { _ in
      .sayAndClose("HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
    }
    var proxy = stand.made(.http)
    proxy.tunnelsPlainRequests = true
    let session = try stand.session(proxy)
    defer { session.invalidateAndCancel() }
    let url = try stand.url()
    let failed = try await failure { _ = try await session.data(from: url) }
    #expect(failed.transport.cause == .malformedResponse)
  }

  @Test(arguments: Proxy.Kind.allCases) func nobodyListens(kind: Proxy.Kind) async throws {
    let stand = try ProxyStand()
    let port = try ClosedPort()
    defer { stand.stop() }
    for isSecure in [false, true] {
      let session = try stand.session(Proxy(kind, host: "127.0.0.1", port: Int(port.number)))
      defer { session.invalidateAndCancel() }
      let url = try stand.url(isSecure: isSecure, host: "localhost")
      let failed = try await failure { _ = try await session.data(from: url) }
      #expect(failed.transport.cause == .connectionRefused && failed.transport.isOfProxy)
      #expect(failed.error.code == .cannotConnectToHost && failed.error.loadingFault == .proxy)
      #expect(failed.error.localizedDescription.contains("the proxy"))
    }
    #expect(stand.plain.connectionCount == 0 && stand.secure.connectionCount == 0)
  }

  @Test(arguments: [false, true]) func itsNameLeadsNowhere(isSecure: Bool) async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let session = try stand.session(Proxy(.http, host: "no-such-proxy.invalid", port: 1))
    defer { session.invalidateAndCancel() }
    let url = try stand.url(isSecure: isSecure, host: "localhost")
    let failed = try await failure { _ = try await session.data(from: url) }
    #expect(failed.transport.cause == .unresolvedHost && failed.transport.isOfProxy)
    #expect(failed.error.localizedDescription.contains("the proxy no-such-proxy.invalid"))
  }

  /// A name that this machine has to look up, and cannot: the origin's.
  @Test func theOriginsNameLeadsNowhere() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let session = try stand.session(stand.made(.socks5))
    defer { session.invalidateAndCancel() }
    let failed = try await failure {
      _ = try await session.data(from: try #require(URL(string: "http://no-such-host.invalid/")))
    }
    #expect(failed.transport.cause == .unresolvedHost && !failed.transport.isOfProxy)
    #expect(stand.proxy.connections == 0)
  }

  @Test func socks4HasNoWordsForIPv6() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let session = try stand.session(stand.made(.socks4))
    defer { session.invalidateAndCancel() }
    let failed = try await failure {
      _ = try await session.data(from: try #require(URL(string: "http://[2001:db8::1]/")))
    }
    #expect(failed.transport.cause == .socks && failed.error.loadingFault == .caller)
  }

  /// A proxy that says nothing runs out of the time for connecting.
  @Test(arguments: [Proxy.Kind.http, .https, .socks4a, .socks5h]) func silence(kind: Proxy.Kind) async throws
  {
    let stand = try ProxyStand()
    defer { stand.stop() }
    stand.double(kind).answer { _ in .silence }
    let configuration = try stand.configuration(stand.made(kind))
    configuration.timeoutIntervalForConnection = 10
    let clock = configuration.stopClock()
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    let url = try stand.url(isSecure: true)
    let load = Task { try await session.data(from: url) }
    await Eventually.expect("the proxy is asked") { !stand.double(kind).asked.isEmpty }
    clock.advance(by: .seconds(10))
    let failed = try await failure { _ = try await load.value }
    #expect(failed.error.code == .timedOut && failed.transport.phase == .tunnelling)
    #expect(failed.transport.isOfProxy)
    await Eventually.expect("nothing is left") { stand.double(kind).open == 0 }
  }

  /// A proxy of TLS that does not even shake hands.
  @Test func silenceBeforeTheHandshake() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let deaf = try Origin.start()
    defer { deaf.stop() }
    deaf.reception = .silence
    let configuration = try stand.configuration(Proxy(.https, host: "127.0.0.1", port: Int(deaf.port)))
    configuration.timeoutIntervalForConnection = 10
    let clock = configuration.stopClock()
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    let url = try stand.url()
    let load = Task { try await session.data(from: url) }
    await Eventually.expect("it is reached") { deaf.connectionCount == 1 }
    clock.advance(by: .seconds(10))
    let failed = try await failure { _ = try await load.value }
    #expect(failed.error.code == .timedOut && failed.transport.isOfProxy)
  }

  @Test(arguments: [Proxy.Kind.http, .https, .socks5h], [false, true])
  func cancelledWhileAsking(kind: Proxy.Kind, isSecure: Bool) async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    stand.double(kind).answer { _ in .silence }
    let session = try stand.session(stand.made(kind))
    defer { session.invalidateAndCancel() }
    let delegate = RecordingDelegate()
    let task = session.dataTask(with: try stand.url(isSecure: isSecure))
    task.delegate = delegate
    task.resume()
    await Eventually.expect("the proxy is asked") { !stand.double(kind).asked.isEmpty }
    task.cancel()
    await Eventually.expect("it has ended") { delegate.record.isComplete }
    #expect((delegate.record.error as? URLError)?.code == .cancelled)
    await Eventually.expect("nothing is left") { stand.double(kind).open == 0 }
  }

  @Test func cancelledWhileConnecting() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    for host in ["no-such-proxy.invalid", "127.0.0.1"] {
      let session = try stand.session(Proxy(.http, host: host, port: Int(stand.proxy.port)))
      defer { session.invalidateAndCancel() }
      let delegate = RecordingDelegate()
      let task = session.dataTask(with: try stand.url(isSecure: true))
      task.delegate = delegate
      // On the loop, so that nothing can come of it in between.
      let loop = URLSessionConfiguration.EventLoop.shared.taskExecutor
      await Task(executorPreference: loop) {
        task.resume()
        task.cancel()
      }.value
      await Eventually.expect("it has ended") { delegate.record.isComplete }
      #expect((delegate.record.error as? URLError)?.code == .cancelled)
    }
    await Eventually.expect("nothing is left") { stand.proxy.open == 0 }
  }

  // MARK: - Trust

  /// The origin's certificate is judged for the origin, by whom the session trusts; the proxy's by a setting of its own.
  @Test func certificatesAreJudgedEachByItsOwn() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let url = try stand.url(isSecure: true)
    let trusting = try stand.session(stand.made(.https))
    defer { trusting.invalidateAndCancel() }
    _ = try await trusting.data(from: url)

    let strange = try stand.session(stand.made(.https)) { $0.trustAnchors = .system }
    defer { strange.invalidateAndCancel() }
    let origin = try await failure { _ = try await strange.data(from: url) }
    #expect(origin.transport.cause == .untrustedCertificate && !origin.transport.isOfProxy)
    #expect(origin.error.localizedDescription.contains("the server's certificate"))

    for anchors in [
      URLSessionConfiguration.TrustAnchors.system, .certificates([try stand.certificate(stand.authority)]),
    ] {
      let wary = try stand.session(stand.made(.https)) { $0.proxyTrustAnchors = anchors }
      defer { wary.invalidateAndCancel() }
      for url in [url, try stand.url()] {
        let proxy = try await failure { _ = try await wary.data(from: url) }
        #expect(proxy.transport.cause == .untrustedCertificate && proxy.transport.isOfProxy)
        #expect(proxy.error.localizedDescription.contains("the proxy's certificate"))
      }
    }
    #expect(stand.secureProxy.asked.count == 2, "nobody else was asked anything")

    let careless = try stand.session(stand.made(.https)) {
      $0.proxyTrustAnchors = .system
      $0.verifiesProxyCertificates = false
    }
    defer { careless.invalidateAndCancel() }
    _ = try await careless.data(from: url)
  }

  /// What a list revokes is refused, and what is said of TLS holds; no list has to vouch for a proxy.
  @Test(arguments: [true, false]) func whatIsSaidOfTLSHoldsForProxies(isRevoked: Bool) async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let root = try StatusAuthority()
    let leaf = try root.server()
    let proxy = try ScriptedProxy(OriginIdentity(certificateChain: leaf.pem, privateKey: leaf.keyPEM))
    defer { proxy.stop() }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("proxy-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (list, keys) = (folder.appendingPathComponent("list"), folder.appendingPathComponent("keys"))
    try Data(root.list(revoking: isRevoked ? [4_711] : [])).write(to: list)
    let trusted = try #require(SecCertificate(pem: root.pem))
    for (files, isRequired) in [([list.path], false), ([list.path], true), ([], true)] {
      let session = try stand.session(Proxy(.https, host: "127.0.0.1", port: Int(proxy.port))) {
        $0.proxyTrustAnchors = .certificates([trusted])
        $0.revocationListFiles = files
        $0.requiresRevocationLists = isRequired
        $0.tls.keyLogFile = keys.path
      }
      defer { session.invalidateAndCancel() }
      guard isRevoked, !files.isEmpty else {
        _ = try await session.data(from: stand.url())
        continue
      }
      let failed = try await failure { _ = try await session.data(from: stand.url()) }
      #expect(failed.transport.cause == .untrustedCertificate && failed.transport.isOfProxy)
      #expect(failed.error.localizedDescription.contains("revoked"))
    }
    #expect(try String(contentsOf: keys, encoding: .utf8).contains("CLIENT_TRAFFIC_SECRET_0"))
  }

  /// What no connection could be made with is refused before a proxy is connected to, for http requests, too.
  @Test func whatIsRefusedOfTLSIsForProxies() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let session = try stand.session(stand.made(.https)) { $0.tls.cipherSuites = ["BOGUS"] }
    defer { session.invalidateAndCancel() }
    for isSecure in [false, true] {
      let error = await #expect(throws: URLError.self) {
        try await session.data(from: stand.url(isSecure: isSecure))
      }
      #expect(error?.refusedSetting?.member == "URLSessionConfiguration.tls.cipherSuites")
    }
    #expect(stand.secureProxy.connections == 0)
    // Without a proxy, http has nothing to do with it.
    for change in [
      { $0.connectionProxyDictionary = [:] }, { $0.proxySelection = .environment([:]) },
      { $0.unixSocketPath = "/nowhere" },
    ] as [(inout URLSessionConfiguration.Settings) -> Void] {
      var values = URLSessionConfiguration.Settings()
      values.tls.cipherSuites = ["BOGUS"]
      change(&values)
      #expect(SessionRefusals(values)?.plain == nil)
      #expect(SessionRefusals(values)?.secure != nil)
    }
  }

  /// What is offered by ALPN is said of proxies, too.
  @Test func whatIsOfferedHoldsForProxies() {
    var values = URLSessionConfiguration.Settings()
    values.tls.applicationProtocols = []
    #expect(ConnectionPool.Configuration(values).proxyTLS.applicationProtocols.isEmpty)
  }

  @Test func aProxyOfAnotherNameIsNotTrusted() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let session = try stand.session(Proxy(.https, host: "localhost", port: Int(stand.secureProxy.port)))
    defer { session.invalidateAndCancel() }
    let url = try stand.url(isSecure: true)
    let failed = try await failure { _ = try await session.data(from: url) }
    #expect(failed.transport.cause == .untrustedCertificate && failed.transport.isOfProxy)
  }

  /// Each side speaks the other's language.
  @Test func plainAndTLSMixedUp() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let url = try stand.url(isSecure: true)
    // The origin stands for a proxy that speaks no TLS.
    let tooSecure = try stand.session(Proxy(.https, host: "127.0.0.1", port: Int(stand.plain.port)))
    defer { tooSecure.invalidateAndCancel() }
    let spoken = try await failure { _ = try await tooSecure.data(from: url) }
    #expect(spoken.transport.cause == .tls && spoken.transport.isOfProxy)
    #expect(spoken.error.localizedDescription.contains("TLS with the proxy"))
    let tooPlain = try stand.session(Proxy(.http, host: "127.0.0.1", port: Int(stand.secureProxy.port)))
    defer { tooPlain.invalidateAndCancel() }
    let failed = try await failure { _ = try await tooPlain.data(from: url) }
    #expect(failed.transport.isOfProxy)
  }
}
