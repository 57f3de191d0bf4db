// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import BluebonnetLocks
import Testing

/// A connection that one delegate let in is not let in for another.
@Suite struct SharedConnectionTests {
  private final class Evaluator: URLSessionTaskDelegate {
    let accepts: Bool
    let hosts = Locked<[String]>([])

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

  private func load(_ session: URLSession, _ origin: Origin, _ evaluator: Evaluator?) async throws {
    let url = try #require(URL(string: "https://LOCALHOST.:\(origin.port)/get"))
    _ = try await session.data(for: URLRequest(url: url), delegate: evaluator)
  }

  @Test func whatATasksDelegateAcceptedIsEvaluatedAgainForAnother() async throws {
    let origin = try Origin.start(security: .tls)
    let session = URLSession(configuration: .ephemeral)
    let (trusting, strict) = (Evaluator(accepts: true), Evaluator(accepts: false))
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
    let evaluators = (0..<5).map { _ in Evaluator(accepts: true) }
    for evaluator in evaluators + evaluators { try await load(session, origin, evaluator) }
    // Fewer than evaluators: an idle minute on a busy machine may cost one.
    #expect(origin.connectionCount < 5)
    #expect(origin.requests.count == 10)
  }

  /// Whoever evaluates cannot take the next request's connection for one whose evaluator has gone.
  @Test func anEvaluatorThatHasGoneIsNobody() async throws {
    let origin = try Origin.start(security: .tls)
    let session = URLSession(configuration: .ephemeral)
    for round in 0..<50 {
      let evaluator = Evaluator(accepts: round.isMultiple(of: 2))
      if evaluator.accepts {
        try await load(session, origin, evaluator)
      } else {
        await #expect(throws: URLError.self) { try await load(session, origin, evaluator) }
      }
    }
    #expect(origin.requests.count == 25)
  }

  /// However the connections are handed about, nothing is sent for whoever refuses.
  @Test func whoeverRefusesSendsNothingUnderLoad() async throws {
    let origin = try Origin.start(security: .tls)
    let session = URLSession(configuration: .ephemeral)
    let shared = [Evaluator(accepts: true), Evaluator(accepts: false)]
    let wrong = await withTaskGroup(of: Int?.self) { group in
      for number in 0..<300 {
        let accepts = !number.isMultiple(of: 3)
        let evaluator = number.isMultiple(of: 2) ? Evaluator(accepts: accepts) : shared[accepts ? 0 : 1]
        group.addTask {
          let isLoaded = (try? await self.load(session, origin, evaluator)) != nil
          return isLoaded == accepts ? nil : number
        }
      }
      return await group.reduce(into: [Int]()) { if let number = $1 { $0.append(number) } }
    }
    #expect(wrong == [])
    #expect(origin.requests.count == 200)
  }
}
