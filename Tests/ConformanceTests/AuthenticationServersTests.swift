// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetTestSupport
import Testing

/// What servers that ask for credentials see of several requests, of connections, and of redirects.
@Suite(.enabled(if: RealServer.apache.isPresent, "Apache does not run"))
struct AuthenticationServersTests {
  private let user = URLCredential(user: "bonnie", password: "blue", persistence: .forSession)

  /// How many requests went out for one.
  private func count(_ response: AFDataResponse<Data>) -> Int? { response.metrics?.transactionMetrics.count }

  @Test(arguments: ["/digest/", "/digest-sha256/", "/basic/"])
  func onlyTheFirstRequestIsAskedForCredentials(path: String) async throws {
    let session = try Session.matrix(through: nil)
    for number in 0..<5 {
      let response = await session.request(try RealServer.lighttpd.url(path)).authenticate(with: user)
        .serializingData().response
      #expect(response.response?.statusCode == 200)
      #expect(count(response) == (number == 0 ? 2 : 1))
    }
  }

  /// RFC 7616 §3.3: a count of its own for each use of a nonce, and never the same twice.
  @Test func eachUseOfANonceIsCounted() async throws {
    let session = try Session.matrix(through: nil)
    let url = try RealServer.lighttpd.url("/digest/")
    var counts: [String] = []
    for _ in 0..<4 {
      let response = await session.request(url).authenticate(with: user).serializingData().response
      let words = try #require(try Echo(response).fields["authorization"]?.first)
      counts.append(try #require(words.split(separator: "nc=").last?.prefix(8)).description)
    }
    #expect(counts == ["00000001", "00000002", "00000003", "00000004"])
  }

  /// Apache's nonces live for two seconds: then it says that the one it was shown is stale, and nobody is asked again.
  @Test func aStaleNonceIsReplaced() async throws {
    let session = try Session.matrix(through: nil)
    let url = try RealServer.apache.url("/digest/")
    for number in 0..<2 {
      if number == 1 { try await Task.sleep(for: .seconds(3.1)) }
      let response = await session.upload(Data("petals".utf8), to: url).authenticate(with: user)
        .serializingData().response
      #expect(response.response?.statusCode == 200)
      #expect(try Echo(response).bytes == 6)
      #expect(count(response) == 2)
    }
  }

  /// squid's nonces are good for five requests here.
  @Test(arguments: [RealServer.echo, .lighttpdTLS])
  func aProxysNonceIsReplacedWhenItIsUsedUp(origin: RealServer) async throws {
    let session = try Session.matrix(through: MatrixProxy(.squidDigest, .digest), as: user)
    for _ in 0..<12 {
      let response = await session.upload(Data("petals".utf8), to: try origin.url("/open/"))
        .serializingData().response
      #expect(response.response?.statusCode == 200)
      #expect(try Echo(response).bytes == 6)
    }
  }

  @Test func ofTwoAlgorithmsTheStrongerIsTaken() async throws {
    let session = try Session.matrix(through: nil)
    let response = await session.request(try RealServer.lighttpd.url("/digest-both/"))
      .authenticate(with: user).serializingData().response
    #expect(try Echo(response).fields["authorization"]?.first?.contains("SHA-256") == true)
  }

  @Test(arguments: ["/basic/", "/digest/", "/digest-sha256/"], [RealServer.lighttpd, .apache, .nginx])
  func namesBeyondASCII(path: String, server: RealServer) async throws {
    let known: [RealServer: [String]] = [.apache: ["/basic/", "/digest/"], .nginx: ["/basic/"]]
    guard known[server]?.contains(path) != false else { return }
    let session = try Session.matrix(through: nil)
    let response = await session.request(try server.url(path))
      .authenticate(username: "glöckchen", password: "blaü€").serializingData().response
    #expect(response.response?.statusCode == 200)
  }

  @Test(arguments: [MatrixProxy(.squidBasic, .basic), MatrixProxy(.squidDigest, .digest)])
  func namesBeyondASCIIAtAProxy(proxy: MatrixProxy) async throws {
    let credential = URLCredential(user: "glöckchen", password: "blaü€", persistence: .forSession)
    for origin in [RealServer.echo, .lighttpdTLS] {
      let session = try Session.matrix(through: proxy, as: credential)
      let response = await session.request(try origin.url("/open/"))
        .serializingData().response
      #expect(response.response?.statusCode == 200)
    }
  }

  // MARK: NTLM's connections

  /// A connection that was opened for somebody is not there for a request of nobody, nor of somebody else.
  @Test(arguments: [RealServer.ntlm, .ntlmTLS])
  func anOpenConnectionIsNobodyElses(server: RealServer) async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 1
    if let authority = RealServer.authority { configuration.trustAnchors = .file(path: authority) }
    let session = Session(configuration: configuration)
    let url = try server.url("/")
    let once = URLCredential(user: "bonnie", password: "blue", persistence: .none)
    let wrong = URLCredential(user: "bonnie", password: "red", persistence: .none)
    for (credential, status) in [(once, 200), (nil, 401), (wrong, 401), (once, 200), (nil, 401)] {
      let request = session.request(url)
      if let credential { request.authenticate(with: credential) }
      #expect(await request.serializingData().response.response?.statusCode == status)
    }
  }

  @Test func manyAtOnceOpenTheirConnections() async throws {
    let session = try Session.matrix(through: nil)
    let url = try RealServer.ntlm.url("/")
    try await withThrowingTaskGroup(of: AFDataResponse<Data>.self) { group in
      for _ in 0..<24 {
        group.addTask { [user] in
          await session.request(url).authenticate(with: user).serializingData().response
        }
      }
      for try await response in group { #expect(response.response?.statusCode == 200) }
    }
  }

  /// Who is kept for the session has a connection again that was opened for them, and nobody else has.
  @Test func anOpenConnectionIsItsOwnAgain() async throws {
    let session = try Session.matrix(through: nil)
    let url = try RealServer.ntlm.url("/")
    let kept = URLCredential(user: "bonnie", password: "blue", persistence: .forSession)
    let wrong = URLCredential(user: "bonnie", password: "red", persistence: .forSession)
    var counts: [Int] = []
    for (credential, status) in [(kept, 200), (wrong, 401), (kept, 200), (wrong, 401), (kept, 200)] {
      let response = await session.request(url).authenticate(with: credential).serializingData().response
      #expect(response.response?.statusCode == status)
      if status == 200 { counts.append(count(response) ?? 0) }
    }
    #expect(counts.dropFirst() == [1, 1], "\(counts)")
  }

  /// The third message belongs to the connection that got the second. Once it has been let in, requests need none of them.
  @Test func requestsBehindTheFirstBeginAtOnce() async throws {
    let session = try Session.matrix(through: nil)
    var counts: [Int] = []
    for _ in 0..<4 {
      let response = await session.request(try RealServer.ntlm.url("/")).authenticate(with: user)
        .serializingData().response
      #expect(response.response?.statusCode == 200)
      counts.append(count(response) ?? 0)
    }
    #expect((2...3).contains(counts[0]) && counts.dropFirst().allSatisfy { $0 == 1 }, "\(counts)")
  }

  // MARK: Who must not hear them

  @Test(
    arguments: ["/leaving/", "/leaving-basic/"], [MatrixRoute.direct, .directTLS, .proxy, .connect, .socks])
  func aRedirectTakesNoCredentialsAlong(path: String, route: MatrixRoute) async throws {
    let session = try Session.matrix(through: route.proxy)
    let server = route.isSecure ? RealServer.apacheTLS : .apache
    let response = await session.upload(Data("petals".utf8), to: try server.url(path))
      .authenticate(with: user).serializingData().response
    #expect(response.response?.statusCode == 200)
    let echo = try Echo(response)
    #expect(echo.scheme == nil && echo.fields["proxy-authorization"] == nil)
    #expect(echo.bytes == 6)
  }

  /// Not to another port of the same host, though its realm has the same name.
  @Test func whatOpensOneServerIsNotShownToAnother() async throws {
    let session = try Session.matrix(through: nil)
    let opened = await session.request(try RealServer.nginx.url("/basic/")).authenticate(with: user)
      .serializingData().response
    #expect(opened.response?.statusCode == 200)
    for server in [RealServer.echo, .apache] {
      let response = await session.request(try server.url("/open/")).serializingData().response
      #expect(try Echo(response).scheme == nil)
    }
    let refused = await session.request(try RealServer.apache.url("/basic/")).serializingData().response
    #expect(refused.response?.statusCode == 401)
  }

  /// Nor to a part of the same server that is not below the one that asked (RFC 7617 §2.2). Digest's space is all of the server
  /// (RFC 7616 §3.3).
  @Test func basicIsShownOnlyBelowWhereItWasAskedFor() async throws {
    let session = try Session.matrix(through: nil)
    _ = await session.request(try RealServer.lighttpd.url("/basic/")).authenticate(with: user)
      .serializingData().response
    let response = await session.request(try RealServer.lighttpd.url("/open/")).serializingData().response
    #expect(try Echo(response).scheme == nil)
  }

  /// A tunnel is asked for with the proxy's credentials, and only that.
  @Test func theProxyAndTheOriginHearTheirOwn() async throws {
    let wrong = URLCredential(user: "stranger", password: "red", persistence: .forSession)
    for (route, status) in [(RealServer.lighttpd, 401), (.lighttpdTLS, 401)] {
      let session = try Session.matrix(through: MatrixProxy(.squidBasic, .basic), as: user)
      let response = await session.request(try route.url("/basic/")).serializingData().response
      #expect(response.response?.statusCode == status, "the origin has to ask for its own")
      let opened = await session.request(try route.url("/basic/")).authenticate(with: user).serializingData()
        .response
      #expect(try Echo(opened).fields["proxy-authorization"] == nil)
      let stranger = try Session.matrix(through: MatrixProxy(.squidBasic, .basic), as: wrong)
      let refused = await stranger.request(try route.url("/basic/")).authenticate(with: user)
        .serializingData().response
      #expect(refused.response.map { $0.statusCode == 407 } ?? (refused.error != nil))
    }
  }
}
