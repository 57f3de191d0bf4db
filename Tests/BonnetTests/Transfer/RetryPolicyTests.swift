// SPDX-License-Identifier: MIT
import Testing

@testable import bonnet

@Suite struct RetryPolicyTests {
  private func options(_ change: (inout RetryOptions) -> Void = { _ in }) -> RetryOptions {
    var options = RetryOptions(count: 3)
    change(&options)
    return options
  }

  @Test func waitsLongerEachTime() {
    var policy = RetryPolicy(options())
    let pauses = (0..<4).map { _ in policy.pause(status: 503, error: nil, retryAfter: nil, elapsed: 0) }
    #expect(pauses == [1, 2, 4, nil])
  }

  @Test(arguments: [408, 429, 500, 502, 503, 504])
  func statuses(status: Int) {
    var policy = RetryPolicy(options())
    #expect(policy.pause(status: status, error: .errorStatus, retryAfter: nil, elapsed: 0) == 1)
  }

  @Test(
    arguments: [
      (200, nil), (404, nil), (404, bonnet.ExitStatus.errorStatus), (nil, .refused), (200, .cutShort),
    ] as [(Int?, bonnet.ExitStatus?)])
  func whatIsNotTriedAgain(status: Int?, error: bonnet.ExitStatus?) {
    var policy = RetryPolicy(options())
    #expect(policy.pause(status: status, error: error, retryAfter: nil, elapsed: 0) == nil)
  }

  @Test func refusals() {
    var policy = RetryPolicy(options { $0.includesRefusals = true })
    #expect(policy.pause(status: nil, error: .refused, retryAfter: nil, elapsed: 0) == 1)
    var all = RetryPolicy(options { $0.includesAll = true })
    #expect(all.pause(status: 200, error: .cutShort, retryAfter: nil, elapsed: 0) == 1)
    #expect(all.pause(status: 404, error: nil, retryAfter: nil, elapsed: 0) == nil)
  }

  @Test func serversMayAskForTime() {
    var policy = RetryPolicy(options { $0.timeLimit = 10 })
    #expect(policy.pause(status: 503, error: nil, retryAfter: 5, elapsed: 1) == 5)
    #expect(policy.pause(status: 503, error: nil, retryAfter: 200, elapsed: 1) == nil)
    #expect(policy.pause(status: 503, error: nil, retryAfter: nil, elapsed: 9) == nil)
  }
}
