// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetOrigin
import BluebonnetProxies
import BluebonnetTLS
import BluebonnetTestSupport
import Testing

@testable import BluebonnetAuthentication
@testable import BluebonnetTransport

/// An HTTP proxy that is asked as nobody.
private func proxy(_ host: String, _ port: UInt16) -> Route.NextHop {
  guard let hop = try? ProxyHop(ProxyServer(.http, host: host, port: port)) else { return .origin }
  return .proxy(hop)
}

@Suite struct RouteTests {
  private static let plain = Route(isSecure: false, host: "name.test", port: 80)

  @Test func everyPartSetsRoutesApart() throws {
    let people = try ["a.test", "b.test"].map { try CertificateAuthority.selfSigned(names: [.dns($0)]) }
    let security = SecurityContext(TLSClientConfiguration())
    let identities = ["a", "b"].map {
      ConnectionIdentity(.origin, .ntlm, .password(user: $0, password: "secret"))
    }
    let routes = [
      Self.plain, Route(isSecure: true, host: "name.test", port: 80),
      Route(isSecure: false, host: "other.test", port: 80),
      Route(isSecure: false, host: "name.test", port: 81),
      Route(isSecure: false, host: "name.test", port: 80, nextHop: .unixSocket(path: "/a")),
      Route(isSecure: false, host: "name.test", port: 80, nextHop: .unixSocket(path: "/b")),
      Route(isSecure: false, host: "name.test", port: 80, nextHop: proxy("proxy.test", 80)),
      Route(isSecure: false, host: "name.test", port: 80, nextHop: proxy("proxy.test", 81)),
      Route(isSecure: false, host: "name.test", port: 80, security: security),
      // Equal settings, but somebody else's.
      Route(
        isSecure: false, host: "name.test", port: 80, security: SecurityContext(TLSClientConfiguration())),
      Self.plain.standing(for: identities[0]), Self.plain.standing(for: identities[1]),
      Self.plain.answering(CertificateAnswer(nil)), Self.plain.answering(CertificateAnswer(people[0])),
      Self.plain.answering(CertificateAnswer(people[1])),
      Self.plain.standing(for: identities[0]).answering(CertificateAnswer(people[0])),
    ]
    #expect(Set(routes).count == routes.count)
    let pool = ConnectionPool(configuration: .init(tls: TLSClientConfiguration()))
    for (index, route) in routes.enumerated() {
      let group = EndpointGroup(route: route, pool: pool)
      #expect(routes.indices.filter { group.isOf(routes[$0]) } == [index])
    }
    #expect(Self.plain == Route(isSecure: false, host: "name.test", port: 80))
    let same = [people[0], people[0]].map { Self.plain.answering(CertificateAnswer($0)) }
    #expect(Set(same).count == 1)
    #expect(same[0].standing(for: identities[0]).ofNobody == Self.plain)
  }

  @Test func connectionsToAProxyAreOfAnyOriginUnlessTheyStandForSomebody() throws {
    func route(_ host: String, isSecure: Bool = false, _ port: UInt16 = 81) -> Route {
      Route(isSecure: isSecure, host: host, port: 80, nextHop: proxy("proxy.test", port))
    }
    let identity = ConnectionIdentity(.origin, .ntlm, .password(user: "u", password: "p"))
    let security = SecurityContext(TLSClientConfiguration())
    let mine = route("a.test")
    #expect(mine.sharesConnections(with: route("b.test")))
    for other in [
      route("b.test", 82), route("b.test", isSecure: true), Self.plain,
      route("b.test").standing(for: identity),
      route("b.test").answering(CertificateAnswer(nil)),
      Route(
        isSecure: false, host: "b.test", port: 80, nextHop: proxy("proxy.test", 81), security: security),
      Route(isSecure: false, host: "b.test", port: 80, nextHop: .unixSocket(path: "/a")),
    ] {
      #expect(!mine.sharesConnections(with: other) && !other.sharesConnections(with: mine))
    }
    // Not even with themselves.
    for route in [Self.plain, mine.standing(for: identity)] {
      #expect(!route.sharesConnections(with: route))
    }
  }

  @Test(
    arguments: [
      (Self.plain, false, ConnectTarget.host("name.test", port: 80)),
      (Self.plain, true, .host("name.test.", port: 80)),
      (Route(isSecure: true, host: "a", port: 1, nextHop: .unixSocket(path: "/s")), true, .unixPath("/s")),
      (
        Route(isSecure: false, host: "a", port: 1, nextHop: proxy("p", 3128)), true,
        .host("p", port: 3128)
      ),
    ])
  func connectsToTheNextHop(route: Route, isRooted: Bool, target: ConnectTarget) {
    #expect(route.connectTarget(isRooted: isRooted) == target)
  }

  private static func proxied(_ host: String, _ port: UInt16, isSecure: Bool = false) -> Route {
    Route(isSecure: isSecure, host: host, port: port, nextHop: proxy("proxy.test", 3128))
  }

  @Test(
    arguments: [
      (Self.plain, "GET /a?b HTTP/1.1", "GET /a?b HTTP/1.1"),
      (
        Route(isSecure: false, host: "a", port: 1, nextHop: .unixSocket(path: "/s")), "GET / HTTP/1.1",
        "GET / HTTP/1.1"
      ),
      (Self.proxied("name.test", 80), "GET /a?b HTTP/1.1", "GET http://name.test/a?b HTTP/1.1"),
      (Self.proxied("name.test", 8080), "M-SEARCH / HTTP/1.1", "M-SEARCH http://name.test:8080/ HTTP/1.1"),
      (Self.proxied("fe80::1%eth0", 81), "GET / HTTP/1.1", "GET http://[fe80::1]:81/ HTTP/1.1"),
      (Self.proxied("name.test", 80), "OPTIONS * HTTP/1.1", "OPTIONS http://name.test HTTP/1.1"),
      (Self.proxied("name.test", 80), "GET http://Name.Test./ HTTP/1.1", "GET http://Name.Test./ HTTP/1.1"),
      // Never shown to a proxy: it would go through a tunnel.
      (Self.proxied("name.test", 443, isSecure: true), "GET / HTTP/1.1", "GET / HTTP/1.1"),
    ])
  func theRouteHasTheTargetsForm(route: Route, line: String, sent: String) {
    let fields = "\r\nHost: name.test\r\n\r\n"
    let head = RequestHeadBytes(Array((line + fields).utf8))
    #expect(String(decoding: head.bytes(for: route), as: UTF8.self) == sent + fields)
  }

  @Test func withoutAProxyNothingIsCopied() {
    let bytes = Array("GET / HTTP/1.1\r\n\r\n".utf8)
    let sent = RequestHeadBytes(bytes).bytes(for: Self.plain)
    #expect(bytes.withUnsafeBytes { $0.baseAddress } == sent.withUnsafeBytes { $0.baseAddress })
  }

  @Test func fieldsAreAddedBehindTheOthers() throws {
    var head = RequestHeadBytes(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    head.add(try EncodedFields([("If-None-Match", "\"x\""), ("A", "b")]))
    #expect(
      String(decoding: head.bytes(for: Self.plain), as: UTF8.self)
        == "GET / HTTP/1.1\r\nHost: a\r\nIf-None-Match: \"x\"\r\nA: b\r\n\r\n")
  }

  /// The origin stands for a proxy: it records what it is sent.
  @Test func aProxyIsAskedByTheAbsoluteForm() async throws {
    let origin = try Origin.start()
    let pool = ConnectionPool(configuration: .init(tls: TLSClientConfiguration()))
    defer { pool.loop.withLoop { pool.invalidate() } }
    for host in ["one.test", "two.test"] {
      let probe = ExchangeProbe()
      var request = ExchangeRequest.plain(to: origin.port, path: "/get")
      request.route = Route(
        isSecure: false, host: host, port: 80, nextHop: proxy("127.0.0.1", origin.port))
      let exchange = pool.loop.withLoop { [request] in RequestDriver(request, in: pool, client: probe) }
      pool.loop.execute { exchange.start() }
      await Eventually.expect("it is complete") { probe.record.isComplete }
      #expect(probe.record.status == 200)
    }
    #expect(origin.requests.map(\.target) == ["http://one.test/get", "http://two.test/get"])
    #expect(origin.connectionCount == 1, "the proxy is asked for both over one")
  }

  /// Whom one trusts is not trusted by another, on the same pool.
  @Test func connectionsAreNotSharedAcrossIdentitiesAndTrust() async throws {
    let origin = try Origin.start(security: .tls)
    let pool = ConnectionPool(configuration: .init(tls: TLSClientConfiguration()))
    defer { pool.loop.withLoop { pool.invalidate() } }
    var trusting = TLSClientConfiguration()
    trusting.verification = .manual
    let contexts = [SecurityContext(trusting), SecurityContext(trusting), nil]
    for (number, context) in contexts.enumerated() {
      for _ in 0..<2 {
        let probe = ExchangeProbe()
        var request = ExchangeRequest.secure(to: origin.port, path: "/get")
        request.route = Route(isSecure: true, host: "localhost", port: origin.port, security: context)
        let exchange = pool.loop.withLoop { [request] in RequestDriver(request, in: pool, client: probe) }
        pool.loop.execute { exchange.start() }
        await Eventually.expect("it is asked or over") {
          probe.record.decision != nil || probe.record.isComplete
        }
        probe.record.decision?(.accept)
        await Eventually.expect("it is complete") { probe.record.isComplete }
        // The origin's certificate is from an authority of its own.
        #expect(probe.record.status == (context == nil ? nil : 200))
      }
      if context != nil { #expect(pool.loop.withLoop { pool.openConnectionCount } == number + 1) }
    }
  }
}
