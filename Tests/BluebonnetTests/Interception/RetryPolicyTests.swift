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
}
