// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// Whole loads from servers that want to know who asks.
@Suite struct AuthenticationLoadingTests {
  let origin: Origin
  private static let user = URLCredential(user: "user", password: "secret", persistence: .forSession)

  init() {
    origin = Origin.inMemory()
  }

  private func session(
    _ delegate: ChallengeAnswerer? = ChallengeAnswerer(user), storage: URLCredentialStorage? = nil,
    _ change: (URLSessionConfiguration) -> Void = { _ in }
  ) -> URLSession {
    let configuration = URLSessionConfiguration.inMemory
    if let storage { configuration.urlCredentialStorage = storage }
    change(configuration)
    return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  private func load(
    _ path: String, _ session: URLSession, method: String = "GET", body: Data? = nil
  ) async throws -> Int {
    var request = URLRequest(url: try #require(URL(string: origin.baseURL + path)))
    request.httpMethod = method
    request.httpBody = body
    let (_, response) = try await session.data(for: request)
    return try #require(response as? HTTPURLResponse).statusCode
  }

  private var fields: [String?] { origin.requests.map { $0.value("Authorization") } }

  /// A nonce that is known costs no further round trip anywhere in its space, also in a session that stores nothing.
  @Test func aNonceServesAllOfItsSpaceWithoutAStorage() async throws {
    let delegate = ChallengeAnswerer(Self.user)
    let session = session(delegate) { $0.urlCredentialStorage = nil }
    defer { session.invalidateAndCancel() }
    for number in 0..<5 {
      #expect(try await load("/digest-auth/auth/user/secret?\(number)", session) == 200)
    }
    let sent = fields
    #expect(sent.count == 6 && sent[0] == nil && delegate.challenges.count == 1)
    for (number, field) in sent.dropFirst().enumerated() {
      #expect(field?.contains("nc=0000000\(number + 1)") == true)
    }
  }

  /// What one task's delegate, or one URL, has said is not said for another task of a session that stores nothing.
  @Test func withoutAStorageNobodySpeaksForOthers() async throws {
    let session = session(nil) { $0.urlCredentialStorage = nil }
    defer { session.invalidateAndCancel() }
    let url = try #require(URL(string: origin.baseURL + "/digest-auth/auth/user/secret"))
    let own = ChallengeAnswerer(Self.user)
    let (_, first) = try await session.data(for: URLRequest(url: url), delegate: own)
    #expect((first as? HTTPURLResponse)?.statusCode == 200)
    #expect(try await load("/digest-auth/auth/user/secret", session) == 401)
    let named = try #require(
      URL(string: "http://user:secret@127.0.0.1:\(origin.port)/digest-auth/auth/user/secret"))
    let (_, second) = try await session.data(from: named)
    #expect((second as? HTTPURLResponse)?.statusCode == 200)
    #expect(try await load("/digest-auth/auth/user/secret", session) == 401)
    #expect(fields.last == .some(nil))
  }

  /// A server that names no realm is found under the host's name, where Apple's systems keep what it asks for.
  @Test(arguments: ["Basic", "Basic realm=\"\"", "Digest nonce=\"n\""]) func withoutARealm(challenge: String)
    async throws
  {
    origin.script(
      "/nameless", .response(status: 401, fields: [("WWW-Authenticate", challenge)]),
      .response(body: "in".utf8))
    let storage = URLCredentialStorage()
    let host = try #require(URL(string: origin.baseURL)?.host())
    storage.set(
      Self.user,
      for: URLProtectionSpace(
        host: host, port: Int(origin.port), protocol: "http", realm: host,
        authenticationMethod: challenge.hasPrefix("Basic")
          ? NSURLAuthenticationMethodHTTPBasic : NSURLAuthenticationMethodHTTPDigest))
    let session = session(nil, storage: storage)
    defer { session.invalidateAndCancel() }
    #expect(try await load("/nameless", session) == 200)
    #expect(fields.count == 2 && fields[1] != nil)
  }

  /// RFC 9110 §9.3.8: its response would show what is kept for others.
  @Test func aTraceBringsNothingThatIsKept() async throws {
    let session = session(storage: URLCredentialStorage()) { $0.httpCookieStorage = HTTPCookieStorage() }
    defer { session.invalidateAndCancel() }
    let host = try #require(URL(string: origin.baseURL)?.host())
    let cookie = try #require(HTTPCookie(properties: [.domain: host, .path: "/", .name: "a", .value: "b"]))
    session.configuration.httpCookieStorage?.setCookie(cookie)
    for method in ["GET", "GET", "TRACE"] {
      _ = try await load("/basic-auth/user/secret", session, method: method)
      let last = try #require(origin.requests.last)
      #expect((last.value("Authorization") == nil) == (method == "TRACE"))
      #expect((last.value("Cookie") == nil) == (method == "TRACE"))
    }
  }

  // MARK: Every scheme

  @Test(
    arguments: [
      "/basic-auth/user/secret", "/digest-auth/auth/user/secret", "/digest-auth/auth-int/user/secret",
      "/digest-auth/none/user/secret", "/digest-auth/auth/user/secret?algorithm=SHA-256",
      "/digest-auth/auth-int/user/secret?algorithm=SHA-512-256-sess",
      "/digest-auth/auth/user/secret?userhash=1",
      "/digest-auth/none/user/secret?algorithm=MD5-sess", "/ntlm-auth/user/secret",
    ], ["GET", "POST", "HEAD"])
  func aCredentialOpensIt(_ path: String, _ method: String) async throws {
    let delegate = ChallengeAnswerer(Self.user)
    let session = session(delegate)
    defer { session.invalidateAndCancel() }
    let body = method == "POST" ? Data("content".utf8) : nil
    #expect(try await load(path, session, method: method, body: body) == 200)
    #expect(delegate.challenges.count == 1)
    #expect(delegate.challenges.first?.previousFailureCount == 0)
    #expect((delegate.challenges.first?.failureResponse as? HTTPURLResponse)?.statusCode == 401)
    #expect(origin.requests.last?.body == (body.map { Array($0) } ?? []))
    // Known from now on.
    let before = origin.requests.count
    #expect(try await load(path, session, method: method, body: body) == 200)
    #expect(origin.requests.count - before == 1)
    #expect(delegate.challenges.count == 1)
  }

  @Test(arguments: ["/basic-auth/user/other", "/digest-auth/auth/user/other", "/ntlm-auth/user/other"])
  func aWrongPasswordIsTriedOnce(_ path: String) async throws {
    let delegate = ChallengeAnswerer(Self.user)
    let storage = URLCredentialStorage()
    let session = session(delegate, storage: storage)
    defer { session.invalidateAndCancel() }
    #expect(try await load(path, session) == 401)
    #expect(delegate.challenges.map(\.previousFailureCount) == [0, 1])
    #expect(storage.allCredentials.isEmpty, "what opens nothing is not kept")
    #expect(origin.requests.count == (path.hasPrefix("/ntlm") ? 3 : 2))
  }

  /// Somebody who never gives up.
  @Test func aDelegateThatAlwaysAnswersIsNotAskedForEver() async throws {
    let delegate = ChallengeAnswerer { _ in (.useCredential, Self.user) }
    let session = session(delegate)
    defer { session.invalidateAndCancel() }
    #expect(try await load("/digest-auth/auth/user/other", session) == 401)
    #expect(delegate.challenges.map(\.previousFailureCount) == Array(0...20))
  }

  // MARK: Which one

  private func script(_ path: String, _ challenges: String..., then status: Int = 200) {
    origin.script(
      path, .response(status: 401, fields: challenges.map { ("WWW-Authenticate", $0) }),
      .response(status: status))
  }

  @Test func theStrongestIsAskedAboutFirstAndThenTheOthers() async throws {
    let delegate = ChallengeAnswerer { challenge in
      challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPBasic
        ? (.useCredential, Self.user) : (.rejectProtectionSpace, nil)
    }
    script(
      "/x", "Basic realm=\"b\", Negotiate",
      "NTLM, Digest realm=\"d\", nonce=\"n\", algorithm=SHA-256, qop=auth")
    let session = session(delegate)
    defer { session.invalidateAndCancel() }
    #expect(try await load("/x", session) == 200)
    #expect(delegate.questions == ["Negotiate 0", "HTTPDigest 0", "NTLM 0", "HTTPBasic 0"])
    #expect(delegate.challenges.map(\.protectionSpace.realm) == [nil, "d", nil, "b"])
    #expect(fields == [nil, "Basic dXNlcjpzZWNyZXQ="])
  }

  /// A password is none of Negotiate's business; the next scheme takes it.
  @Test func aCredentialThatDoesNotFitGoesToTheNextScheme() async throws {
    let delegate = ChallengeAnswerer(Self.user)
    script("/x", "Negotiate, Basic realm=b")
    let session = session(delegate)
    defer { session.invalidateAndCancel() }
    #expect(try await load("/x", session) == 200)
    #expect(delegate.questions == ["Negotiate 0", "HTTPBasic 0"])
    script("/only", "Negotiate")
    let other = self.session()
    defer { other.invalidateAndCancel() }
    let error = await #expect(throws: URLError.self) { try await load("/only", other) }
    #expect(error?.code == .userAuthenticationRequired)
    #expect("\(error as Any)".contains("Kerberos ticket"))
  }

  @Test func onlyWhatTheConfigurationAllowsIsAnswered() async throws {
    let delegate = ChallengeAnswerer(Self.user)
    let session = session(delegate) { $0.authenticationSchemes = [.digest, .ntlm] }
    defer { session.invalidateAndCancel() }
    script("/x", "Basic realm=b")
    #expect(try await load("/x", session) == 401)
    #expect(delegate.challenges.isEmpty && fields == [nil])
    #expect(URLSessionConfiguration.default.authenticationSchemes == .all)
  }

  /// A man in the middle would like to see the password.
  @Test func aServerThatWasProvedToByDigestIsNotToldThePassword() async throws {
    let delegate = ChallengeAnswerer(Self.user)
    let session = session(delegate)
    defer { session.invalidateAndCancel() }
    #expect(try await load("/digest-auth/auth/user/secret?algorithm=SHA-256", session) == 200)
    script("/y", "Basic realm=\"bluebonnet\"")
    #expect(try await load("/y", session) == 401)
    #expect(delegate.questions == ["HTTPDigest 0", "HTTPBasic 1"])
    #expect(fields.allSatisfy { $0?.hasPrefix("Basic") != true })
  }

  @Test func cancellingAChallengeFails() async throws {
    let session = session(ChallengeAnswerer { _ in (.cancelAuthenticationChallenge, nil) })
    defer { session.invalidateAndCancel() }
    let error = await #expect(throws: URLError.self) { try await load("/digest-auth/auth/a/b", session) }
    #expect(error?.code == .userCancelledAuthentication)
    #expect("\(error as Any)".contains("Digest"))
  }

  // MARK: Storages

  private func space(_ method: String?, realm: String? = "bluebonnet") -> URLProtectionSpace {
    URLProtectionSpace(
      host: "127.0.0.1", port: Int(origin.port), protocol: "http", realm: realm, authenticationMethod: method)
  }

  @Test(arguments: [NSURLAuthenticationMethodHTTPDigest, NSURLAuthenticationMethodDefault])
  func withoutADelegateTheStorageAnswers(_ method: String) async throws {
    let storage = URLCredentialStorage()
    storage.setDefaultCredential(Self.user, for: space(method))
    let session = session(nil, storage: storage)
    defer { session.invalidateAndCancel() }
    #expect(try await load("/digest-auth/auth/user/secret", session) == 200)
    #expect(try await load("/digest-auth/auth/user/other", session) == 401)
  }

  @Test func anAnswerThatWasRightIsKeptAsTheCallerWants() async throws {
    for (persistence, isKept) in [
      (URLCredential.Persistence.none, false), (.forSession, true), (.permanent, true),
    ] {
      let storage = URLCredentialStorage()
      let credential = URLCredential(user: "user", password: "secret", persistence: persistence)
      let delegate = ChallengeAnswerer(credential)
      let session = session(delegate, storage: storage)
      defer { session.invalidateAndCancel() }
      for _ in 0..<2 { #expect(try await load("/digest-auth/auth/user/secret", session) == 200) }
      #expect(delegate.challenges.count == (isKept ? 1 : 2))
      #expect((storage.credentials(for: space(NSURLAuthenticationMethodHTTPDigest)) != nil) == isKept)
    }
  }

  @Test func whatIsTakenOutOfTheStorageIsNotSentAnyMore() async throws {
    let storage = URLCredentialStorage()
    let delegate = ChallengeAnswerer(Self.user)
    let session = session(delegate, storage: storage)
    defer { session.invalidateAndCancel() }
    _ = try await load("/basic-auth/user/secret", session)
    _ = try await load("/basic-auth/user/secret", session)
    storage.remove(Self.user, for: space(NSURLAuthenticationMethodHTTPBasic, realm: ""))
    _ = try await load("/basic-auth/user/secret", session)
    #expect(fields.map { $0 != nil } == [false, true, true, false, true])
  }

  @Test(arguments: ["/basic-auth/user/secret", "/digest-auth/auth/user/secret", "/ntlm-auth/user/secret"])
  func userInformationAnswersEveryScheme(_ path: String) async throws {
    let session = session(nil)
    defer { session.invalidateAndCancel() }
    let url = origin.baseURL.replacing("http://", with: "http://user:secret@") + path
    for _ in 0..<2 {
      let (_, response) = try await session.data(from: try #require(URL(string: url)))
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }
    // What stood in a URL is nobody else's.
    #expect(try await load(path, session) == 401)
  }

  @Test func aFieldOfTheCallersGoesFirst() async throws {
    let session = session()
    defer { session.invalidateAndCancel() }
    #expect(try await load("/basic-auth/user/secret", session) == 200)
    var request = URLRequest(url: try #require(URL(string: origin.baseURL + "/basic-auth/user/secret")))
    request.setValue("Bearer own", forHTTPHeaderField: "Authorization")
    _ = try await session.data(for: request)
    #expect(
      origin.requests.suffix(2).map { $0.values("Authorization") } == [
        ["Bearer own"], ["Basic dXNlcjpzZWNyZXQ="],
      ])
  }

  /// Two sessions over one cache: what one caller was shown is not kept for the other.
  @Test(arguments: ["/basic-auth/user/secret", "/digest-auth/auth/user/secret", "/ntlm-auth/user/secret"])
  func whatWasProvedForIsNotShownToOthers(_ path: String) async throws {
    let cache = URLCache(memoryCapacity: 4 << 20, diskCapacity: 0, diskPath: nil)
    let mine = session { $0.urlCache = cache }
    defer { mine.invalidateAndCancel() }
    for _ in 0..<2 { #expect(try await load(path, mine) == 200) }
    let theirs = session(nil) { $0.urlCache = cache }
    defer { theirs.invalidateAndCancel() }
    var wanted = URLRequest(url: try #require(URL(string: origin.baseURL + path)))
    wanted.cachePolicy = .returnCacheDataDontLoad
    await #expect(throws: URLError.self) { try await theirs.data(for: wanted) }
  }

  // MARK: Digest in the long run

  @Test func digestAddsOneRoundTripForTheFirstRequestOnly() async throws {
    let session = session()
    defer { session.invalidateAndCancel() }
    for _ in 0..<20 { #expect(try await load("/digest-auth/auth/user/secret?uses=99", session) == 200) }
    #expect(origin.requests.count == 21)
    #expect(Set(fields.compactMap { $0.flatMap { $0.firstMatch(of: /nc=(\w+)/)?.1 } }).count == 20)
  }

  @Test func aHundredRequestsShareANonce() async throws {
    let session = session()
    defer { session.invalidateAndCancel() }
    #expect(try await load("/digest-auth/auth/user/secret?uses=1000", session) == 200)
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<100 {
        group.addTask { try await load("/digest-auth/auth/user/secret?uses=1000", session) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    // The origin refuses a count that it has seen.
    #expect(statuses == Array(repeating: 200, count: 100))
    #expect(origin.requests.count == 102)
  }

  @Test func staleNoncesAreRenewedWithoutAQuestion() async throws {
    let delegate = ChallengeAnswerer(Self.user)
    let session = session(delegate)
    defer { session.invalidateAndCancel() }
    for _ in 0..<6 { #expect(try await load("/digest-auth/auth/user/secret?uses=2", session) == 200) }
    #expect(delegate.challenges.count == 1)
    // The first is asked for, and the third and the fifth are stale.
    #expect(origin.requests.count == 6 + 3)
  }

  @Test func theNextNonceSavesARoundTrip() async throws {
    let session = session()
    defer { session.invalidateAndCancel() }
    for _ in 0..<6 { #expect(try await load("/digest-auth/auth/user/secret?uses=1", session) == 200) }
    #expect(origin.requests.count == 7)
  }

  @Test func aServerThatDoesNotKnowThePasswordIsNotBelieved() async throws {
    let session = session()
    defer { session.invalidateAndCancel() }
    let error = await #expect(throws: URLError.self) {
      try await load("/digest-auth/auth/user/secret?forged=1", session)
    }
    #expect(error?.code == .badServerResponse)
    #expect("\(error as Any)".contains("rspauth"))
  }
}
