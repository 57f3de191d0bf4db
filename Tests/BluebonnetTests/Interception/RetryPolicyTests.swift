// SPDX-License-Identifier: MIT
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct RetryPolicyTests {
  @Test func pausesGrow() {
    let policy = RetryPolicy()
    #expect((0..<4).map(policy.delay(afterRetries:)) == [0.5, 1, 2, 4])
    let slow = RetryPolicy(exponentialBackoffBase: 3, exponentialBackoffScale: 1)
    #expect((0..<3).map(slow.delay(afterRetries:)) == [1, 3, 9])
  }

  @Test func defaults() {
    #expect(RetryPolicy.defaultRetryableURLErrorCodes.count == 18)
    #expect(RetryPolicy.defaultRetryableHTTPStatusCodes == [408, 500, 502, 503, 504])
    #expect(RetryPolicy().retryLimit == 2)
    #expect(ConnectionLostRetryPolicy().retryableURLErrorCodes == [.networkConnectionLost])
    #expect(ConnectionLostRetryPolicy().retryableHTTPStatusCodes.isEmpty)
  }

  /// A request that has had `status` for a response, or none.
  private func request(_ method: HTTPMethod, status: Int?) async -> DataRequest {
    let scripted = ScriptedSession { _, _ in
      status.map { .reply(status: $0, body: ["x"]) } ?? .failure(.timedOut)
    }
    let request = scripted.session.request("http://host.test/", method: method)
    _ = await request.serializingData().response
    return request
  }

  private static let verdicts: [(HTTPMethod, Int?, URLError.Code?, Bool)] = [
    (.get, 503, nil, true),
    (.get, 404, nil, false),
    (.post, 503, nil, false),
    (.get, nil, .timedOut, true),
    (.put, nil, .networkConnectionLost, true),
    (.get, nil, .badURL, false),
    (.post, nil, .timedOut, false),
    (.get, 200, .timedOut, true),
  ]

  @Test(arguments: verdicts)
  func judges(method: HTTPMethod, status: Int?, code: URLError.Code?, expected: Bool) async {
    let request = await request(method, status: status)
    let policy = RetryPolicy()
    let error: any Error = code.map { URLError($0) } ?? AFError.explicitlyCancelled
    #expect(policy.shouldRetry(request: request, dueTo: error) == expected)
    let wrapped = AFError.sessionTaskFailed(error: error)
    #expect(policy.shouldRetry(request: request, dueTo: wrapped) == expected)
  }

  @Test func stopsAtTheLimit() async {
    let scripted = ScriptedSession(
      interceptor: RetryPolicy(retryLimit: 2, exponentialBackoffScale: 0.001)
    ) { _, _ in .reply(status: 503) }
    let request = scripted.session.request("http://host.test/").validate()
    let response = await request.serializingData().response
    #expect(response.error?.responseCode == 503)
    #expect(request.retryCount == 2)
    #expect(scripted.engine.started.count == 3)
  }

  @Test func factoriesHandTheirNumbersOn() {
    func policy(_ interceptor: RetryPolicy) -> RetryPolicy { interceptor }
    let own = policy(
      .retryPolicy(
        retryLimit: 7, exponentialBackoffBase: 3, exponentialBackoffScale: 0.25,
        retryableHTTPMethods: [.post], retryableHTTPStatusCodes: [418], retryableURLErrorCodes: [.badURL]))
    #expect(own.retryLimit == 7 && own.exponentialBackoffBase == 3 && own.exponentialBackoffScale == 0.25)
    #expect(own.retryableHTTPMethods == [.post] && own.retryableHTTPStatusCodes == [418])
    #expect(own.retryableURLErrorCodes == [.badURL])
    let lost: ConnectionLostRetryPolicy = .connectionLostRetryPolicy(
      retryLimit: 7, exponentialBackoffBase: 3, exponentialBackoffScale: 0.25, retryableHTTPMethods: [.post])
    #expect(lost.retryLimit == 7 && lost.exponentialBackoffBase == 3 && lost.exponentialBackoffScale == 0.25)
    #expect(lost.retryableHTTPMethods == [.post])
    let usual: ConnectionLostRetryPolicy = .connectionLostRetryPolicy
    for policy in [lost, usual] {
      #expect(policy.retryableHTTPStatusCodes.isEmpty)
      #expect(policy.retryableURLErrorCodes == [.networkConnectionLost])
    }
    #expect(usual.retryLimit == RetryPolicy.defaultRetryLimit)
    #expect(usual.retryableHTTPMethods == RetryPolicy.defaultRetryableHTTPMethods)
  }

  /// The number of attempts, of which the first ones fail in this way.
  private func attempts(
    _ failure: ScriptedEngine.Answer, _ interceptor: any RequestInterceptor, _ method: HTTPMethod = .get
  ) async -> Int {
    let scripted = ScriptedSession { attempt, _ in attempt < 3 ? failure : .reply(body: ["done"]) }
    let request = scripted.session.request("http://host.test/", method: method, interceptor: interceptor)
    _ = await request.validate().serializingData().response
    return scripted.engine.started.count
  }

  @Test func policiesByTheirFactoriesDecide() async {
    let teapot = ScriptedEngine.Answer.reply(status: 418)
    func policy(limit: UInt) -> RetryPolicy {
      .retryPolicy(retryLimit: limit, exponentialBackoffScale: 0.001, retryableHTTPStatusCodes: [418])
    }
    #expect(await attempts(teapot, policy(limit: 5)) == 3)
    #expect(await attempts(teapot, policy(limit: 1)) == 2)
    #expect(await attempts(teapot, policy(limit: 5), .post) == 1)
    let lost: ConnectionLostRetryPolicy = .connectionLostRetryPolicy(exponentialBackoffScale: 0.001)
    #expect(await attempts(.failure(.networkConnectionLost), lost) == 3)
    #expect(await attempts(.failure(.networkConnectionLost), lost, .post) == 1)
    #expect(await attempts(.failure(.timedOut), lost) == 1)
    #expect(await attempts(.reply(status: 503), lost) == 1)
  }
}
