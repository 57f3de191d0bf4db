// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// What is proved for a connection counts for whoever uses it.
@Suite struct ConnectionAuthenticationTests {
  let origin: Origin

  init() {
    origin = Origin.inMemory()
  }

  private func load(_ path: String, _ session: URLSession) async throws -> Int {
    let (_, response) = try await session.data(from: try #require(URL(string: origin.baseURL + path)))
    return try #require(response as? HTTPURLResponse).statusCode
  }

  @Test func nobodyElseIsServedOverAProvedConnection() async throws {
    let credential = URLCredential(user: "user", password: "secret", persistence: .none)
    let delegate = ChallengeAnswerer { challenge in
      challenge.failureResponse?.url?.query() == "mine"
        ? (.useCredential, credential) : (.rejectProtectionSpace, nil)
    }
    let session = URLSession(configuration: .inMemory, delegate: delegate, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    #expect(try await load("/ntlm-auth/user/secret?mine", session) == 200)
    #expect(try await load("/ntlm-auth/user/secret?theirs", session) == 401)
    let requests = origin.requests
    #expect(requests.count == 4)
    #expect(requests[1].connection == requests[2].connection)
    #expect(requests[3].connection != requests[2].connection)
  }

  /// An answer that is kept keeps no connection: the next request has the only one there may be.
  @Test func aKeptAnswerKeepsNoConnection() async throws {
    let delegate = AnswerKeeper(URLCredential(user: "user", password: "secret", persistence: .none))
    let configuration = URLSessionConfiguration.inMemory
    configuration.httpMaximumConnectionsPerHost = 1
    let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    #expect(try await load("/ntlm-auth/user/secret", session) == 200)
    #expect(delegate.kept.withLock { $0.count } == 1)
    #expect(try await load("/get", session) == 200)
  }

  /// What has been proved is not proved once more, also with content and without a storage.
  @Test(arguments: [true, false], [nil, 200_000]) func aProvedConnectionServesItsOwnAgain(
    stores: Bool, count: Int?
  ) async throws {
    let delegate = ChallengeAnswerer(
      URLCredential(user: "user", password: "secret", persistence: .forSession))
    let configuration = URLSessionConfiguration.inMemory
    if !stores { configuration.urlCredentialStorage = nil }
    let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    var request = URLRequest(url: try #require(URL(string: origin.baseURL + "/ntlm-auth/user/secret")))
    #expect(try await load("/ntlm-auth/user/secret?first", session) == 200)
    request.httpMethod = count == nil ? "GET" : "POST"
    request.httpBody = count.map { Data(repeating: 7, count: $0) }
    for _ in 0..<3 {
      let (_, response) = try await session.data(for: request)
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }
    #expect(delegate.challenges.count == 1)
    let requests = origin.requests
    #expect(requests.map { $0.value("Authorization")?.prefix(5) } == [nil, "NTLM ", "NTLM ", nil, nil, nil])
    #expect(Set(requests.dropFirst(2).map(\.connection)).count == 1)
    #expect(requests.suffix(3).map(\.bodyLength) == Array(repeating: count ?? 0, count: 3))
    // Nobody in particular gets another one.
    let plain = URLRequest(url: try #require(URL(string: origin.baseURL + "/get")))
    var stated = plain
    stated.setValue("Bearer other", forHTTPHeaderField: "Authorization")
    _ = try await session.data(for: stated)
    #expect(origin.requests.last?.connection != requests.last?.connection)
  }

  /// Two of one session: each over its own connection, whatever the other has proved.
  @Test func aProvedConnectionServesNobodyElse() async throws {
    let storage = URLCredentialStorage()
    let delegate = ChallengeAnswerer { challenge in
      let user = challenge.failureResponse?.url?.lastPathComponent == "one" ? "ann" : "bob"
      let password = user == "ann" ? "one" : "two"
      return (
        .useCredential, URLCredential(user: user, password: password, persistence: .none)
      )
    }
    let configuration = URLSessionConfiguration.inMemory
    configuration.urlCredentialStorage = storage
    let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    let place = "127.0.0.1:\(origin.port)"
    for (user, password) in [("ann", "one"), ("bob", "two"), ("ann", "one"), ("bob", "two")] {
      let url = try #require(URL(string: "http://\(user):\(password)@\(place)/ntlm-auth/\(user)/\(password)"))
      let (_, response) = try await session.data(from: url)
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }
    var users: [Int: Set<String>] = [:]
    for request in origin.requests where !request.target.isEmpty {
      let isProof = request.value("Authorization")?.hasPrefix("NTLM TlRMTVNTUAAD") ?? false
      if isProof { users[request.connection, default: []].insert(request.target) }
    }
    #expect(users.values.allSatisfy { $0.count == 1 })
    #expect(users.count == 2)
  }

  /// The server has forgotten: the steps are gone through once more, and nobody is asked.
  @Test func aConnectionThatStandsForNobodyAnyMoreIsProvedAnew() async throws {
    let delegate = ChallengeAnswerer(
      URLCredential(user: "user", password: "secret", persistence: .forSession))
    let session = URLSession(configuration: .inMemory, delegate: delegate, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    #expect(try await load("/ntlm-auth/user/secret", session) == 200)
    origin.handle("/ntlm-auth/user/secret") { [origin] _ in
      origin.handle("/ntlm-auth/user/secret", nil)
      return .text("HTTP/1.1 401 No\r\nWWW-Authenticate: NTLM\r\nContent-Length: 0\r\n\r\n")
    }
    #expect(try await load("/ntlm-auth/user/secret", session) == 200)
    #expect(try await load("/ntlm-auth/user/secret", session) == 200)
    #expect(delegate.challenges.count == 1)
    #expect(
      origin.requests.map { $0.value("Authorization")?.prefix(5) }
        == [nil, "NTLM ", "NTLM ", nil, "NTLM ", "NTLM ", nil])
  }

  /// Who has reset a session is unknown to every server again.
  @Test(arguments: ["/ntlm-auth/user/secret", "/digest-auth/auth/user/secret"])
  func aResetForgetsWhoAsks(path: String) async throws {
    let delegate = ChallengeAnswerer(
      URLCredential(user: "user", password: "secret", persistence: .forSession))
    let configuration = URLSessionConfiguration.inMemory
    configuration.urlCredentialStorage = nil
    let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    #expect(try await load(path, session) == 200)
    await withCheckedContinuation { continuation in session.reset { continuation.resume() } }
    let before = origin.requests
    #expect(try await load(path, session) == 200)
    #expect(delegate.challenges.count == 2)
    let after = origin.requests.dropFirst(before.count)
    #expect(after.first?.value("Authorization") == nil)
    #expect(Set(after.map(\.connection)).isDisjoint(with: before.map(\.connection)))
  }

  /// The server closes it meanwhile.
  @Test func aProvedConnectionMayHaveBeenClosed() async throws {
    let delegate = ChallengeAnswerer(
      URLCredential(user: "user", password: "secret", persistence: .forSession))
    let session = URLSession(configuration: .inMemory, delegate: delegate, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    #expect(try await load("/ntlm-auth/user/secret", session) == 200)
    origin.dropConnections()
    #expect(try await load("/ntlm-auth/user/secret", session) == 200)
    #expect(delegate.challenges.count == 1)
  }

  @Test func manyAtOnceEachHaveTheirOwn() async throws {
    let delegate = ChallengeAnswerer(
      URLCredential(user: "user", password: "secret", persistence: .forSession))
    let session = URLSession(configuration: .inMemory, delegate: delegate, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<30 { group.addTask { try await load("/ntlm-auth/user/secret?\(number)", session) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 200, count: 30))
  }

  /// A server that closes between the steps can never be proved to.
  @Test func aServerThatClosesBetweenTheStepsIsGivenUp() async throws {
    let challenge =
      "TlRMTVNTUAACAAAAAAAAADAAAAAFggAAASNFZ4mrze8AAAAAAAAAAAAAAAAwAAAA"
    for number in 1...9 {
      origin.script(
        "/x", .text("HTTP/1.1 401 No\r\nWWW-Authenticate: NTLM\r\nContent-Length: 0\r\n\r\n"),
        .text(
          "HTTP/1.1 401 No\r\nConnection: close\r\nWWW-Authenticate: NTLM \(challenge)\r\nContent-Length: 0\r\n\r\n"
        ).then(.close))
      if number > 1 { break }
    }
    let delegate = ChallengeAnswerer(
      URLCredential(user: "user", password: "secret", persistence: .forSession))
    let session = URLSession(configuration: .inMemory, delegate: delegate, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    let error = await #expect(throws: URLError.self) { try await load("/x", session) }
    #expect(error?.code == .networkConnectionLost)
    #expect("\(error as Any)".contains("NTLM"))
    #expect(delegate.challenges.count == 1)
  }

  @Test func aCancelledLoadLeavesNothingBehind() async throws {
    origin.script(
      "/x", .text("HTTP/1.1 401 No\r\nWWW-Authenticate: NTLM\r\nContent-Length: 0\r\n\r\n"), .silence)
    let delegate = ChallengeAnswerer(
      URLCredential(user: "user", password: "secret", persistence: .forSession))
    let session = URLSession(configuration: .inMemory, delegate: delegate, delegateQueue: nil)
    let loading = Task { try await load("/x", session) }
    await Eventually.expect("the first message is sent") { origin.requests.count == 2 }
    loading.cancel()
    let error = await #expect(throws: URLError.self) { try await loading.value }
    #expect(error?.code == .cancelled)
    session.finishTasksAndInvalidate()
    await Eventually.expect("all connections are closed") { origin.openConnections == 0 }
  }

  @Test func credentialsDoNotFollowARedirectElsewhere() async throws {
    let away = Origin.inMemory()
    origin.script(
      "/away", .response(status: 307, fields: [("Location", away.baseURL + "/digest-auth/auth/user/secret")]))
    let delegate = ChallengeAnswerer { challenge in
      challenge.protectionSpace.port == Int(origin.port)
        ? (.useCredential, URLCredential(user: "user", password: "secret", persistence: .forSession))
        : (.rejectProtectionSpace, nil)
    }
    let session = URLSession(configuration: .inMemory, delegate: delegate, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    #expect(try await load("/digest-auth/auth/user/secret", session) == 200)
    #expect(try await load("/away", session) == 401)
    #expect(origin.requests.last?.value("Authorization") != nil, "all of the server is its space")
    #expect(away.requests.map { $0.value("Authorization") } == [nil])
    #expect(delegate.challenges.map(\.previousFailureCount) == [0, 0])
  }
}

/// Answers challenges, and keeps the handlers that it has called.
private final class AnswerKeeper: URLSessionTaskDelegate {
  typealias Handler = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  let kept = Locked<[Handler]>([])
  private let credential: URLCredential

  init(_ credential: URLCredential) { self.credential = credential }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping Handler
  ) {
    kept.withLock { $0.append(completionHandler) }
    completionHandler(.useCredential, credential)
  }
}
