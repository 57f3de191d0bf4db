import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import Synchronization
import Testing

/// A connection that one delegate let in is not let in for another.
@Suite struct SharedConnectionTests {
  private final class Judge: URLSessionTaskDelegate {
    let accepts: Bool
    let hosts = Mutex<[String]>([])

    init(accepts: Bool) { self.accepts = accepts }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      hosts.withLock { $0.append(challenge.protectionSpace.host) }
      guard accepts, let trust = challenge.protectionSpace.serverTrust else {
        return completionHandler(.cancelAuthenticationChallenge, nil)
      }
      completionHandler(.useCredential, URLCredential(trust: trust))
    }
  }

  private func load(_ session: URLSession, _ origin: Origin, _ judge: Judge?) async throws {
    let url = try #require(URL(string: "https://LOCALHOST.:\(origin.port)/get"))
    _ = try await session.data(for: URLRequest(url: url), delegate: judge)
  }

  @Test func whatATasksDelegateAcceptedIsJudgedAgainForAnother() async throws {
    let origin = try Origin.start(security: .tls)
    let session = URLSession(configuration: .ephemeral)
    let (trusting, strict) = (Judge(accepts: true), Judge(accepts: false))
    try await load(session, origin, trusting)
    // Without a delegate the system's authorities decide, who do not know the origin's.
    await #expect(throws: URLError.self) { try await load(session, origin, nil) }
    try await load(session, origin, trusting)
    await #expect(throws: URLError.self) { try await load(session, origin, strict) }
    #expect(origin.requests.count == 2)
    #expect(trusting.hosts.withLock { $0.allSatisfy { $0 == "localhost" } })
    #expect(strict.hosts.withLock { $0 } == ["localhost"])
  }

  @Test func aConnectionIsSharedByThoseWhoAcceptIt() async throws {
    let origin = try Origin.start(security: .tls)
    let session = URLSession(configuration: .ephemeral)
    let judges = (0..<5).map { _ in Judge(accepts: true) }
    for judge in judges + judges { try await load(session, origin, judge) }
    #expect(origin.connectionCount == 1)
    #expect(origin.requests.count == 10)
  }

  /// Whoever judges cannot take the next request's connection for one whose judge has gone.
  @Test func aJudgeThatHasGoneIsNobody() async throws {
    let origin = try Origin.start(security: .tls)
    let session = URLSession(configuration: .ephemeral)
    for round in 0..<50 {
      let judge = Judge(accepts: round.isMultiple(of: 2))
      if judge.accepts {
        try await load(session, origin, judge)
      } else {
        await #expect(throws: URLError.self) { try await load(session, origin, judge) }
      }
    }
    #expect(origin.requests.count == 25)
  }
}
