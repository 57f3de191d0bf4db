// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTLS
import BluebonnetTestClock
import BluebonnetTestSupport
import BluebonnetURLLoading
import BluebonnetLocks
import Testing

/// The challenge about a server's certificate, and the delegate's answers.
@Suite struct TrustChallengeTests {
  typealias Completion = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

  /// Answers challenges as it is told, and keeps them.
  // Unchecked: all members are constants or locked; NSObject cannot say so itself.
  private final class Evaluator: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let answer: @Sendable (URLAuthenticationChallenge, @escaping Completion) -> Void
    let asked = Locked(0)

    init(_ answer: @escaping @Sendable (URLAuthenticationChallenge, @escaping Completion) -> Void) {
      self.answer = answer
    }

    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping Completion
    ) {
      asked.withLock { $0 += 1 }
      answer(challenge, completionHandler)
    }
  }

  private func load(
    _ origin: Origin, _ evaluator: Evaluator, configuration: URLSessionConfiguration = .ephemeral
  ) async throws -> Result<Int, URLError> {
    configuration.timeoutIntervalForRequest = 600
    let session = URLSession(configuration: configuration, delegate: evaluator, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    let url = try #require(URL(string: origin.baseURL + "/get"))
    do {
      return .success(try await session.data(from: url).0.count)
    } catch let error as URLError {
      return .failure(error)
    }
  }

  @Test func theChallengesOwnTrustIsAccepted() async throws {
    let origin = try Origin.start(security: .tls)
    let result = try await load(
      origin,
      Evaluator { challenge, completion in
        completion(.useCredential, challenge.protectionSpace.serverTrust.map(URLCredential.init(trust:)))
      })
    #expect(throws: Never.self) { try result.get() }
    #expect(origin.requests.count == 1)
  }

  @Test func anotherTrustProvesNothing() async throws {
    let origin = try Origin.start(security: .tls)
    // Of the very same certificates, even.
    let certificate = try #require(SecCertificate(pem: origin.certificateChain ?? ""))
    let evaluator = Evaluator { _, completion in
      var other: SecTrust?
      SecTrustCreateWithCertificates([certificate], SecPolicyCreateSSL(true, "localhost"), &other)
      completion(.useCredential, other.map(URLCredential.init(trust:)))
    }
    let result = try await load(origin, evaluator)
    let error = #expect(throws: URLError.self) { try result.get() }
    #expect(error?.code == .serverCertificateHasUnknownRoot)
    #expect(evaluator.asked.withLock { $0 } == 1)
    #expect(origin.requests.isEmpty)
  }

  @Test func aPasswordProvesNothing() async throws {
    let origin = try Origin.start(security: .tls)
    let result = try await load(
      origin,
      Evaluator { _, completion in
        completion(.useCredential, URLCredential(user: "a", password: "b", persistence: .none))
      })
    #expect(throws: URLError.self) { try result.get() }
    #expect(origin.requests.isEmpty)
  }

  /// A delegate that thinks for longer than the request may take.
  @Test(.timeLimit(.minutes(5))) func aRequestsTimeOutCoversTheWaitForAnEvaluator() async throws {
    let origin = try Origin.start(security: .tls)
    let kept = Locked<Completion?>(nil)
    let evaluator = Evaluator { _, completion in kept.withLock { $0 = completion } }
    let configuration = URLSessionConfiguration.ephemeral
    let clock = configuration.stopClock()
    let loading = Task { try await load(origin, evaluator, configuration: configuration) }
    await Eventually.expect("it is asked") { kept.withLock { $0 } != nil }
    clock.advance(by: .seconds(600))
    let result = try await loading.value
    let error = #expect(throws: URLError.self) { try result.get() }
    #expect(error?.code == .timedOut)
    #expect(error?.transportFailure?.phase == .evaluatingTrust)
    // Too late, and of no effect.
    kept.withLock { $0 }?(.cancelAuthenticationChallenge, nil)
    #expect(origin.requests.isEmpty)
  }
}
