import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// What is proved for a connection counts for whoever uses it.
@Suite struct ConnectionAuthenticationTests {
  let origin: Origin

  init() throws {
    origin = try Origin.start()
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
    let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    #expect(try await load("/ntlm-auth/user/secret?mine", session) == 200)
    #expect(try await load("/ntlm-auth/user/secret?theirs", session) == 401)
    let requests = origin.requests
    #expect(requests.count == 4)
    #expect(requests[1].connection == requests[2].connection)
    #expect(requests[3].connection != requests[2].connection)
  }

  @Test func manyAtOnceEachHaveTheirOwn() async throws {
    let delegate = ChallengeAnswerer(
      URLCredential(user: "user", password: "secret", persistence: .forSession))
    let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
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
    let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
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
    let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
    let loading = Task { try await load("/x", session) }
    await Eventually.expect("the first message is sent") { origin.requests.count == 2 }
    loading.cancel()
    let error = await #expect(throws: URLError.self) { try await loading.value }
    #expect(error?.code == .cancelled)
    session.finishTasksAndInvalidate()
    await Eventually.expect("all connections are closed") { origin.openConnections == 0 }
  }

  @Test func credentialsDoNotFollowARedirectElsewhere() async throws {
    let away = try Origin.start()
    origin.script(
      "/away", .response(status: 307, fields: [("Location", away.baseURL + "/digest-auth/auth/user/secret")]))
    let delegate = ChallengeAnswerer { challenge in
      challenge.protectionSpace.port == Int(origin.port)
        ? (.useCredential, URLCredential(user: "user", password: "secret", persistence: .forSession))
        : (.rejectProtectionSpace, nil)
    }
    let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    #expect(try await load("/digest-auth/auth/user/secret", session) == 200)
    #expect(try await load("/away", session) == 401)
    #expect(origin.requests.last?.value("Authorization") != nil, "all of the server is its space")
    #expect(away.requests.map { $0.value("Authorization") } == [nil])
    #expect(delegate.challenges.map(\.previousFailureCount) == [0, 0])
  }
}
