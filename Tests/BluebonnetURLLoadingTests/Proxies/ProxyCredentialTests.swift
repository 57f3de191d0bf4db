// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import BluebonnetOrigin

/// Who is shown what: seen from the wire.
@Suite struct ProxyCredentialTests {
  private static let basic = "Basic bWU6c2VjcmV0"

  private func proxy(_ kind: Proxy.Kind, _ stand: ProxyStand) -> Proxy {
    var proxy = stand.made(kind)
    (proxy.user, proxy.password) = ("me", "secret")
    return proxy
  }

  /// A request with everything that is the origin's alone.
  private func secretive(_ url: URL) throws -> URLRequest {
    var parts = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false))
    (parts.user, parts.password) = ("origin", "pass")
    var request = URLRequest(url: try #require(parts.url))
    request.setValue("a=b", forHTTPHeaderField: "Cookie")
    request.setValue("yes", forHTTPHeaderField: "X-Mine")
    request.setValue("me/1", forHTTPHeaderField: "User-Agent")
    return request
  }

  @Test(arguments: [Proxy.Kind.http, .https]) func aTunnelIsAskedForWithNothingOfTheOrigins(kind: Proxy.Kind)
    async throws
  {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let session = try stand.session(proxy(kind, stand))
    defer { session.invalidateAndCancel() }
    _ = try await session.data(for: try secretive(try stand.url(isSecure: true)))
    let place = "\(ProxyStand.name):\(stand.secure.port)"
    let asked = try #require(stand.double(kind).asked.first)
    #expect(
      asked.text == "CONNECT \(place) HTTP/1.1\r\nHost: \(place)\r\nProxy-Authorization: \(Self.basic)\r\n"
        + "User-Agent: me/1\r\n\r\n")
    let request = try #require(stand.secure.requests.first)
    #expect(request.value("Authorization") == "Basic b3JpZ2luOnBhc3M=")
    #expect(request.value("Cookie") == "a=b" && request.value("X-Mine") == "yes")
    #expect(request.value("Proxy-Authorization") == nil)
  }

  @Test func aProxyIsToldWhoIsAskingByTheAbsoluteForm() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    var proxy = proxy(.http, stand)
    proxy.additionalHeaders = ["X-Proxy": "1"]
    let session = try stand.session(proxy)
    defer { session.invalidateAndCancel() }
    _ = try await session.data(for: try secretive(try stand.url()))
    let asked = try #require(stand.proxy.asked.first)
    #expect(asked.value("Proxy-Authorization") == Self.basic && asked.value("X-Proxy") == "1")
    #expect(asked.value("Authorization") == "Basic b3JpZ2luOnBhc3M=")
    #expect(!asked.line.contains("@"))
  }

  /// RFC 9110 §11.7.2: it is for the proxy that asks, and no origin's business where none is on the way, or none that is told.
  @Test(arguments: [nil, Proxy.Kind.socks4a, .socks5h], [false, true]) func noOriginSeesWhatIsForAProxy(
    kind: Proxy.Kind?, ofSession: Bool
  ) async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let change: (URLSessionConfiguration) -> Void = { configuration in
      if ofSession {
        configuration.httpAdditionalHeaders = ["proxy-authorization": "Bearer x", "X-Too": "1"]
      }
      if let kind { configuration.proxySelection = .proxy(stand.made(kind)) }
    }
    let session = try stand.session(nil, change)
    defer { session.invalidateAndCancel() }
    for isSecure in [false, true] {
      var request = URLRequest(
        url: try stand.url(isSecure: isSecure, host: kind == nil ? "localhost" : ProxyStand.name))
      if !ofSession { request.setValue("Bearer x", forHTTPHeaderField: "Proxy-Authorization") }
      request.setValue("yes", forHTTPHeaderField: "X-Mine")
      _ = try await session.data(for: request)
      let seen = try #require((isSecure ? stand.secure : stand.plain).requests.last)
      #expect(seen.value("Proxy-Authorization") == nil && seen.value("X-Mine") == "yes")
      #expect(seen.value("X-Too") == (ofSession ? "1" : nil))
    }
  }

  @Test(arguments: [Proxy.Kind.socks4a, .socks5h]) func socksIsToldWhoIsAsking(kind: Proxy.Kind) async throws
  {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let session = try stand.session(proxy(kind, stand))
    defer { session.invalidateAndCancel() }
    _ = try await session.data(for: try secretive(try stand.url()))
    let asked = try #require(stand.proxy.asked.first)
    #expect(asked.user == "me" && asked.password == (kind == .socks5h ? "secret" : nil))
    #expect(stand.plain.requests.first?.value("Proxy-Authorization") == nil)
  }

  /// A field of the caller's for the proxy goes to the proxy, also where a tunnel leads past it.
  @Test(arguments: [false, true], [false, true]) func aFieldForTheProxyStaysThere(
    isSecure: Bool, ofSession: Bool
  ) async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let session = try stand.session(proxy(.http, stand)) { configuration in
      if ofSession {
        configuration.httpAdditionalHeaders = ["Proxy-Authorization": "Bearer x", "X-Too": "1"]
      }
    }
    defer { session.invalidateAndCancel() }
    var request = URLRequest(url: try stand.url(isSecure: isSecure))
    if !ofSession { request.setValue("Bearer x", forHTTPHeaderField: "Proxy-Authorization") }
    _ = try await session.data(for: request)
    let asked = try #require(stand.proxy.asked.first)
    #expect(asked.value("Proxy-Authorization") == "Bearer x")
    #expect(asked.text.split(separator: "Proxy-Authorization").count == 2)
    guard isSecure else { return }
    let seen = try #require(stand.secure.requests.first)
    #expect(seen.value("Proxy-Authorization") == nil)
    #expect(seen.value("X-Too") == (ofSession ? "1" : nil))
  }

  /// Whom one proxy has let in is not served for another's credentials.
  @Test func connectionsAreNotSharedBetweenCredentials() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let made = proxy(.http, stand)
    let session = try stand.session { configuration in
      configuration.proxySelection = .select { url in
        var proxy = made
        if url.path().hasSuffix("1") { proxy.user = "other" }
        if url.path().hasSuffix("2") { proxy.additionalHeaders = ["X": "1"] }
        return url.path().hasSuffix("3") ? nil : proxy
      }
    }
    defer { session.invalidateAndCancel() }
    for path in ["/bytes/10", "/bytes/11", "/bytes/10", "/bytes/12"] {
      _ = try await session.data(from: try stand.url(path, isSecure: true))
    }
    #expect(stand.proxy.connections == 3)
    _ = try await session.data(from: try stand.url("/bytes/13", isSecure: true, host: "localhost"))
    #expect(stand.proxy.connections == 3 && stand.secure.requests.count == 5)
  }

  /// From a proxy to another, and to none: what was for the first one stays with it.
  @Test func redirectsChangeTheProxy() async throws {
    let stand = try ProxyStand()
    let second = try ScriptedProxy()
    defer {
      stand.stop()
      second.stop()
    }
    let (first, other) = (proxy(.http, stand), Proxy(.http, host: "127.0.0.1", port: Int(second.port)))
    let session = try stand.session { configuration in
      configuration.proxySelection = .select { url in
        switch url.host() {
        case "one.test": first
        case "two.test": other
        default: nil
        }
      }
    }
    defer { session.invalidateAndCancel() }
    let last = try stand.url("/get", host: "localhost")
    func redirect(from host: String, to url: URL) throws -> URL {
      let name = url.absoluteString.utf8
        .map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      return try stand.url("/redirect-to?url=\(name)", host: host)
    }
    let url = try redirect(from: "one.test", to: try redirect(from: "two.test", to: last))
    let (_, response) = try await session.data(from: url)
    #expect((response as? HTTPURLResponse)?.statusCode == 200 && response.url == last)
    #expect(stand.proxy.asked.map { $0.value("Proxy-Authorization") } == [Self.basic])
    #expect(second.asked.map { $0.value("Proxy-Authorization") } == [nil])
    #expect(stand.plain.requests.map { $0.value("Proxy-Authorization") } == [Self.basic, nil, nil])
    #expect(stand.plain.requests.last?.target == "/get")
  }

  // MARK: - Being asked

  /// Asks for `me` and `secret` by Basic.
  private static let wantsBasic: @Sendable (ScriptedProxy.Asked) -> ScriptedProxy.Answer = { asked in
    if asked.value("Proxy-Authorization") == basic { return .connect }
    return .say(
      "HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=\"gate\"\r\nContent-Length: 5\r\n\r\nwho?\n")
  }

  private final class Answering: URLSessionTaskDelegate {
    struct Question: Sendable {
      var space: URLProtectionSpace
      var failures: Int
    }

    let questions = Locked<[Question]>([])
    let answers: Locked<[(URLSession.AuthChallengeDisposition, URLCredential?)]>
    let proxyResponses = Locked<[Int]>([])

    init(_ answers: [(URLSession.AuthChallengeDisposition, URLCredential?)]) {
      self.answers = Locked(answers)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      guard challenge.protectionSpace.authenticationMethod != NSURLAuthenticationMethodServerTrust else {
        return completionHandler(.performDefaultHandling, nil)
      }
      questions.withLock {
        $0.append(Question(space: challenge.protectionSpace, failures: challenge.previousFailureCount))
      }
      let answer = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      completionHandler(answer?.0 ?? .performDefaultHandling, answer?.1)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceiveProxyResponse response: HTTPURLResponse
    ) {
      proxyResponses.withLock { $0.append(response.statusCode) }
    }
  }

  private static let wrong = URLCredential(user: "me", password: "wrong", persistence: .forSession)
  private static let right = URLCredential(user: "me", password: "secret", persistence: .forSession)

  @Test(arguments: [Proxy.Kind.http, .https]) func theDelegateIsAsked(kind: Proxy.Kind) async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    stand.double(kind).answer(Self.wantsBasic)
    let delegate = Answering([(.useCredential, Self.wrong), (.useCredential, Self.right)])
    let session = try stand.session(stand.made(kind), delegate: delegate) {
      $0.httpMaximumConnectionsPerHost = 1
    }
    defer { session.invalidateAndCancel() }
    _ = try await session.data(from: try stand.url(isSecure: true))
    let questions = delegate.questions.withLock { $0 }
    #expect(questions.map(\.failures) == [0, 1])
    let space = try #require(questions.first?.space)
    #expect(space.isProxy() && space.host == "127.0.0.1" && space.port == Int(stand.double(kind).port))
    #expect(space.realm == "gate" && space.authenticationMethod == NSURLAuthenticationMethodHTTPBasic)
    #expect(
      space.proxyType == (kind == .https ? NSURLProtectionSpaceHTTPSProxy : NSURLProtectionSpaceHTTPProxy))
    // Three questions on one connection.
    #expect(stand.double(kind).asked.count == 3 && stand.double(kind).connections == 1)
    #expect(delegate.proxyResponses.withLock { $0 } == [407, 407, 200])
    #expect(stand.secure.requests.count == 1)
    // Another tunnel is asked for with it at once.
    _ = try await session.data(from: try stand.url(isSecure: true, host: "localhost"))
    #expect(stand.double(kind).asked.count == 4 && delegate.questions.withLock { $0.count } == 2)
  }

  /// By the absolute form the request itself is refused, and sent once more, body and all.
  @Test(arguments: [Proxy.Kind.http, .https], [nil, 1, 200_000])
  func theDelegateIsAskedAboutRequests(kind: Proxy.Kind, count: Int?) async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    stand.double(kind).answer(Self.wantsBasic)
    let delegate = Answering([(.useCredential, Self.wrong), (.useCredential, Self.right)])
    let session = try stand.session(stand.made(kind), delegate: delegate)
    defer { session.invalidateAndCancel() }
    var request = URLRequest(url: try stand.url(count == nil ? "/get" : "/post"))
    request.httpMethod = count == nil ? "GET" : "POST"
    request.httpBody = count.map { Data(repeating: 7, count: $0) }
    let (_, response) = try await session.data(for: request)
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    let questions = delegate.questions.withLock { $0 }
    #expect(questions.map(\.failures) == [0, 1] && questions.allSatisfy { $0.space.isProxy() })
    #expect(stand.plain.requests.map(\.bodyLength) == [count ?? 0])
    // Further requests, and tunnels, are let in with it at once.
    let asked = stand.double(kind).asked.count
    _ = try await session.data(from: try stand.url("/get", host: "two.test"))
    _ = try await session.data(from: try stand.url("/get", isSecure: true))
    // The double passes on what comes over a connection that it has been asked over.
    #expect(stand.plain.requests.last?.value("Host") == "two.test:\(stand.plain.port)")
    #expect(stand.plain.requests.last?.value("Proxy-Authorization") == Self.basic)
    #expect(stand.double(kind).asked[asked...].map { $0.value("Proxy-Authorization") } == [Self.basic])
    #expect(delegate.questions.withLock { $0.count } == 2)
  }

  /// From the absolute form to a tunnel: what has been proved on the way is known there.
  @Test func aRedirectGoesOnThroughATunnel() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    stand.proxy.answer(Self.wantsBasic)
    let delegate = Answering([(.useCredential, Self.right)])
    let session = try stand.session(stand.made(.http), delegate: delegate)
    defer { session.invalidateAndCancel() }
    let target = try stand.url(isSecure: true)
    let url = try stand.url("/redirect-to?url=https%3A%2F%2F\(ProxyStand.name)%3A\(stand.secure.port)%2Fget")
    let (_, response) = try await session.data(from: url)
    #expect(response.url == target && (response as? HTTPURLResponse)?.statusCode == 200)
    #expect(stand.proxy.asked.map { $0.value("Proxy-Authorization") } == [nil, Self.basic, Self.basic])
    #expect(stand.secure.requests.map { $0.value("Proxy-Authorization") } == [nil])
  }

  /// Where nobody answers, the refusal is the response, as it is with an origin's.
  @Test func aRefusalOfARequestIsItsResponse() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    stand.proxy.answer(Self.wantsBasic)
    var wrong = stand.made(.http)
    (wrong.user, wrong.password) = ("me", "wrong")
    for proxy in [stand.made(.http), wrong] {
      let session = try stand.session(proxy)
      defer { session.invalidateAndCancel() }
      let (data, response) = try await session.data(from: try stand.url())
      #expect((response as? HTTPURLResponse)?.statusCode == 407 && data == Data("who?\n".utf8))
    }
    #expect(stand.proxy.asked.map { $0.value("Proxy-Authorization") } == [nil, "Basic bWU6d3Jvbmc="])
    #expect(stand.plain.connectionCount == 0)
  }

  // MARK: - For whom an answer is

  /// What a task's own delegate has answered is for that task, and so is a tunnel that is opened with a credential for one load.
  @Test(arguments: [false, true], [URLCredential.Persistence.none, .forSession])
  func oneTasksAnswerIsNoOthers(isSecure: Bool, persistence: URLCredential.Persistence) async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    stand.proxy.answer(Self.wantsBasic)
    let session = try stand.session(stand.made(.http)) { $0.urlCredentialStorage = nil }
    defer { session.invalidateAndCancel() }
    let answer = URLCredential(user: "me", password: "secret", persistence: persistence)
    let own = Answering([(.useCredential, answer)])
    _ = try await session.data(from: try stand.url(isSecure: isSecure), delegate: own)
    #expect(stand.proxy.asked.map { $0.value("Proxy-Authorization") } == [nil, Self.basic])
    // A tunnel of a credential that lasts serves others: they are not asked where they need no other.
    let host = persistence == .none ? ProxyStand.name : "localhost"
    let next = try stand.url(isSecure: isSecure, host: host)
    if isSecure {
      await #expect(throws: URLError.self) { try await session.data(from: next) }
      #expect(stand.proxy.asked.last?.value("Proxy-Authorization") == nil)
    } else {
      // The double asks once on each connection, and passes on what comes then.
      _ = try await session.data(from: next)
      #expect(stand.plain.requests.map { $0.value("Proxy-Authorization") } == [Self.basic, nil])
    }
  }

  /// A proxy without a user is not shown another one's.
  @Test(arguments: [false, true]) func aConfiguredUserIsOfItsOwnProxy(isSecure: Bool) async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    stand.proxy.answer(Self.wantsBasic)
    var mine = proxy(.http, stand)
    mine.sendsBasicAtOnce = false
    let nobodys = stand.made(.http)
    let session = try stand.session { [mine] configuration in
      configuration.proxySelection = .select { $0.query() == "mine" ? mine : nobodys }
    }
    defer { session.invalidateAndCancel() }
    _ = try await session.data(from: try stand.url("/get?mine", isSecure: isSecure))
    #expect(stand.proxy.asked.last?.value("Proxy-Authorization") == Self.basic)
    _ = try? await session.data(from: try stand.url(isSecure: isSecure))
    #expect(stand.proxy.asked.last?.value("Proxy-Authorization") == nil)
  }

  /// Only what a proxy has accepted is stored.
  @Test(arguments: [false, true]) func whatAProxyRefusesIsNotStored(isSecure: Bool) async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    stand.proxy.answer(Self.wantsBasic)
    let storage = URLCredentialStorage()
    for (answer, count) in [(Self.wrong, 0), (Self.right, 1)] {
      let delegate = Answering([(.useCredential, answer)])
      let session = try stand.session(stand.made(.http), delegate: delegate) {
        $0.urlCredentialStorage = storage
      }
      defer { session.invalidateAndCancel() }
      _ = try? await session.data(from: try stand.url(isSecure: isSecure))
      #expect(storage.allCredentials.count == count)
    }
    #expect(storage.allCredentials.values.first?["me"]?.password == "secret")
  }

  /// RFC 9110 §11.7.2: nothing is added to what the caller states, and a 407 is the answer to it.
  @Test(arguments: [false, true]) func aStatedFieldIsTheOnlyOne(isSecure: Bool) async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    stand.proxy.answer(Self.wantsBasic)
    let delegate = Answering([(.useCredential, Self.right), (.useCredential, Self.right)])
    let session = try stand.session(stand.made(.http), delegate: delegate)
    defer { session.invalidateAndCancel() }
    // The session knows the proxy from here on.
    _ = try await session.data(from: try stand.url(isSecure: true))
    var request = URLRequest(
      url: try stand.url(isSecure: isSecure, host: isSecure ? "localhost" : "two.test"))
    request.setValue("Bearer x", forHTTPHeaderField: "Proxy-Authorization")
    let asked = stand.proxy.asked.count
    if isSecure {
      await #expect(throws: URLError.self) { try await session.data(for: request) }
    } else {
      let (_, response) = try await session.data(for: request)
      #expect((response as? HTTPURLResponse)?.statusCode == 407)
    }
    #expect(stand.proxy.asked.count == asked + 1 && delegate.questions.withLock { $0.count } == 1)
    #expect(stand.proxy.asked.last?.value("Proxy-Authorization") == "Bearer x")
    #expect(stand.proxy.asked.last?.text.split(separator: "Proxy-Authorization").count == 2)
  }

  /// A proof of the password, with a nonce of the proxy's: each request has a count of its own, tunnels and requests alike.
  @Test func digestIsAnswered() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    stand.proxy.answer { asked in
      guard let proof = asked.value("Proxy-Authorization"), proof.hasPrefix("Digest "),
        proof.contains("username=\"me\"")
      else {
        return .say(
          "HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=\"gate\"\r\n"
            + "Proxy-Authenticate: Digest realm=\"gate\", nonce=\"abc\", qop=\"auth\", algorithm=SHA-256\r\nContent-Length: 0\r\n\r\n"
        )
      }
      return .connect
    }
    var proxy = proxy(.http, stand)
    proxy.sendsBasicAtOnce = false
    let session = try stand.session(proxy)
    defer { session.invalidateAndCancel() }
    _ = try await session.data(from: try stand.url(isSecure: true))
    _ = try await session.data(from: try stand.url())
    _ = try await session.data(from: try stand.url(isSecure: true, host: "localhost"))
    let proofs = stand.proxy.asked.compactMap { $0.value("Proxy-Authorization") }
    #expect(stand.proxy.asked.count == 4 && proofs.count == 3, "it is asked about once")
    for (number, proof) in proofs.enumerated() {
      #expect(proof.contains("nc=0000000\(number + 1)"), "\(proof)")
    }
    #expect(proofs.first?.contains("uri=\"\(ProxyStand.name):\(stand.secure.port)\"") == true)
    #expect(proofs[1].contains("uri=\"http://\(ProxyStand.name):\(stand.plain.port)/get\""))
    #expect(!proofs.joined().contains("secret"))
    #expect(stand.secure.requests.allSatisfy { $0.value("Proxy-Authorization") == nil })
  }

  /// Asks for `me` and `secret` by NTLM.
  private static func wantNTLM(_ proxy: ScriptedProxy) {
    let acceptors = Locked<[Int: NTLMAcceptor]>([:])
    proxy.answer { asked in
      let step = acceptors.withLock { acceptors in
        var acceptor = acceptors[asked.connection] ?? NTLMAcceptor(user: "me", password: "secret")
        let step = acceptor.receive(
          asked.value("Proxy-Authorization"), number: [1, 2, 3, 4, 5, 6, 7, 8],
          now: Int(Date().timeIntervalSince1970))
        acceptors[asked.connection] = acceptor
        return step
      }
      guard case .refuse(let challenge) = step else { return .connect }
      return .say("HTTP/1.1 407 Who\r\nProxy-Authenticate: \(challenge)\r\nContent-Length: 0\r\n\r\n")
    }
  }

  /// Over a connection to a proxy that has been proved, further requests of the same user's go, and of nobody else's.
  @Test func aConnectionThatIsProvedToAProxyIsUsedAgain() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    Self.wantNTLM(stand.proxy)
    var mine = proxy(.http, stand)
    mine.sendsBasicAtOnce = false
    var theirs = mine
    theirs.password = "guessed"
    let session = try stand.session { [mine, theirs] configuration in
      configuration.proxySelection = .select { $0.query() == "theirs" ? theirs : mine }
    }
    defer { session.invalidateAndCancel() }
    _ = try await session.data(from: try stand.url())
    var request = URLRequest(url: try stand.url("/post"))
    request.httpMethod = "POST"
    request.httpBody = Data(repeating: 7, count: 200_000)
    for _ in 0..<2 {
      let (_, response) = try await session.data(for: request)
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }
    #expect(stand.proxy.connections == 1 && stand.proxy.asked.count == 3)
    let seen = stand.plain.requests
    #expect(seen.map(\.bodyLength) == [0, 200_000, 200_000])
    #expect(seen.dropFirst().allSatisfy { $0.value("Proxy-Authorization") == nil })
    let (_, response) = try await session.data(from: try stand.url("/get?theirs"))
    #expect((response as? HTTPURLResponse)?.statusCode == 407)
    #expect(stand.plain.requests.count == 3)
  }

  /// An origin is no proxy, whatever status it answers with.
  @Test(arguments: [nil, Proxy.Kind.http, .socks5h]) func anOriginIsNotToldWhatIsForAProxy(kind: Proxy.Kind?)
    async throws
  {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let answering = Answering([(.useCredential, Self.right)])
    let session = try stand.session(kind.map { proxy($0, stand) }, delegate: answering)
    defer { session.invalidateAndCancel() }
    stand.secure.script(
      "/x",
      .text("HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=\"gate\"\r\nContent-Length: 0\r\n\r\n"))
    let url = try stand.url("/x", isSecure: true, host: kind == nil ? "localhost" : ProxyStand.name)
    let (_, response) = try await session.data(from: url)
    #expect((response as? HTTPURLResponse)?.statusCode == 407)
    #expect(stand.secure.requests.map { $0.value("Proxy-Authorization") } == [nil])
    #expect(answering.questions.withLock { $0.isEmpty })
  }

  /// NTLM: three legs over one connection, of which the one that opens it carries no content.
  @Test(arguments: [(false, nil), (false, 200_000), (true, nil), (true, 200_000)] as [(Bool, Int?)])
  func ntlmGoesOverOneConnection(isSecure: Bool, count: Int?) async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    Self.wantNTLM(stand.proxy)
    var proxy = proxy(.http, stand)
    proxy.sendsBasicAtOnce = false
    let session = try stand.session(proxy)
    defer { session.invalidateAndCancel() }
    var request = URLRequest(url: try stand.url(count == nil ? "/get" : "/post", isSecure: isSecure))
    request.httpMethod = count == nil ? "GET" : "POST"
    request.httpBody = count.map { Data(repeating: 7, count: $0) }
    let (_, response) = try await session.data(for: request)
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    let asked = stand.proxy.asked
    #expect(asked.map { $0.value("Proxy-Authorization")?.prefix(5) } == [nil, "NTLM ", "NTLM "])
    #expect(asked[1].connection == asked[2].connection)
    // A proxy that refuses before it has all of the content has its connection closed (RFC 9112 §9.6).
    if count == nil || isSecure { #expect(stand.proxy.connections == 1) }
    if count != nil, !isSecure { #expect(stand.proxy.asked[1].value("Content-Length") == "0") }
    let origin = isSecure ? stand.secure : stand.plain
    #expect(origin.requests.map(\.bodyLength) == [count ?? 0])
  }

  /// A proxy that does not want the NTLM that the caller foresaw gets the request with its content all the same.
  @Test func contentHeldBackForAProxyIsSentWhereItDoesNotAsk() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    stand.proxy.answer { _ in .connect }
    var proxy = proxy(.http, stand)
    proxy.sendsBasicAtOnce = false
    proxy.sendsNTLMAtOnce = true
    let session = try stand.session(proxy)
    defer { session.invalidateAndCancel() }
    var request = URLRequest(url: try stand.url("/post"))
    request.httpMethod = "POST"
    request.httpBody = Data(repeating: 7, count: 2_000)
    let (_, response) = try await session.data(for: request)
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    #expect(stand.proxy.asked.map { $0.value("Proxy-Authorization")?.prefix(5) } == ["NTLM ", nil])
    #expect(stand.plain.requests.map(\.bodyLength) == [0, 2_000])
  }

  /// A proxy that hangs up after each refusal is connected to once more.
  @Test(arguments: ["Connection: close\r\n", ""]) func theProxyHangsUpInBetween(field: String) async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    stand.proxy.answer { asked in
      if asked.value("Proxy-Authorization") == Self.basic { return .connect }
      return .sayAndClose(
        "HTTP/1.1 407 Who\r\n\(field)Proxy-Authenticate: Basic realm=\"gate\"\r\nContent-Length: 0\r\n\r\n")
    }
    let session = try stand.session(
      stand.made(.http), delegate: Answering([(.useCredential, Self.right)]))
    defer { session.invalidateAndCancel() }
    _ = try await session.data(from: try stand.url(isSecure: true))
    #expect(stand.proxy.connections == 2 && stand.secure.requests.count == 1)
  }

  @Test func aStoredCredentialIsTriedOnce() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    stand.proxy.answer(Self.wantsBasic)
    for credential in [Self.right, Self.wrong] {
      let session = try stand.session(stand.made(.http)) { configuration in
        let space = URLProtectionSpace(
          proxyHost: "127.0.0.1", port: Int(stand.proxy.port), type: NSURLProtectionSpaceHTTPProxy,
          realm: "gate",
          authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        configuration.urlCredentialStorage?.setDefaultCredential(credential, for: space)
      }
      defer { session.invalidateAndCancel() }
      let url = try stand.url(isSecure: true)
      if credential == Self.right {
        _ = try await session.data(from: url)
      } else {
        let failed = try await failure { _ = try await session.data(from: url) }
        #expect(failed.transport.cause == .proxyRefused && failed.transport.proxyStatus == 407)
      }
    }
    #expect(stand.proxy.asked.count == 4)
  }

  @Test func nobodyAnswers() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    stand.proxy.answer(Self.wantsBasic)
    for disposition in [
      URLSession.AuthChallengeDisposition.performDefaultHandling, .rejectProtectionSpace, .useCredential,
    ] {
      let session = try stand.session(stand.made(.http), delegate: Answering([(disposition, nil)]))
      defer { session.invalidateAndCancel() }
      let url = try stand.url(isSecure: true)
      let failed = try await failure { _ = try await session.data(from: url) }
      #expect(failed.error.code == .userAuthenticationRequired && failed.error.loadingFault == .caller)
      #expect(failed.transport.isOfProxy && failed.transport.proxyStatus == 407)
    }
    let session = try stand.session(
      stand.made(.http), delegate: Answering([(.cancelAuthenticationChallenge, nil)]))
    defer { session.invalidateAndCancel() }
    let url = try stand.url(isSecure: true)
    let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
    #expect(error?.code == .userCancelledAuthentication)
    await Eventually.expect("nothing is left") { stand.proxy.open == 0 }
    #expect(stand.secure.connectionCount == 0)
  }

  /// What went out at once is not sent a second time.
  @Test func wrongCredentialsOfTheConfigurationFail() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    stand.proxy.answer(Self.wantsBasic)
    var proxy = stand.made(.http)
    (proxy.user, proxy.password) = ("me", "wrong")
    let session = try stand.session(proxy)
    defer { session.invalidateAndCancel() }
    let url = try stand.url(isSecure: true)
    let failed = try await failure { _ = try await session.data(from: url) }
    #expect(failed.transport.proxyStatus == 407)
    #expect(stand.proxy.asked.count == 1)
  }

  @Test func withoutBasicAtOnceTheProxyHasToAsk() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    stand.proxy.answer(Self.wantsBasic)
    var proxy = proxy(.http, stand)
    proxy.sendsBasicAtOnce = false
    let session = try stand.session(proxy)
    defer { session.invalidateAndCancel() }
    _ = try await session.data(from: try stand.url(isSecure: true))
    #expect(stand.proxy.asked.map { $0.value("Proxy-Authorization") } == [nil, Self.basic])
    #expect(stand.proxy.connections == 1)
  }

  @Test func socksRefusesTheCredentials() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    var proxy = stand.made(.socks5h)
    (proxy.user, proxy.password) = ("me", "wrong")
    let session = try stand.session(proxy)
    defer { session.invalidateAndCancel() }
    let url = try stand.url()
    let failed = try await failure { _ = try await session.data(from: url) }
    #expect(failed.transport.cause == .socks && failed.error.loadingFault == .caller)
    #expect(stand.plain.connectionCount == 0)
  }
}
