// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct RetryPausesTests {
  private typealias Pauses = RetryPolicy.Pauses

  /// - Parameter elapsed: seconds since the first attempt.
  private func pause(
    _ pauses: Pauses, backoff: Double = 2, retryAfter: Double? = nil, elapsed: Double = 0,
    chance: Double = 0.5
  ) -> Double? {
    pauses.pause(backoff: backoff, retryAfter: retryAfter, elapsed: elapsed, chance: chance)
  }

  @Test func backoffAlone() {
    #expect(pause(Pauses()) == 2)
    #expect(pause(Pauses(hasFullJitter: true)) == 1)
    #expect(pause(Pauses(hasFullJitter: true), chance: 0) == 0)
    #expect(pause(Pauses(hasFullJitter: true), chance: 1) == 2)
  }

  @Test func whatTheServerAsksFor() {
    #expect(pause(Pauses(), retryAfter: 5) == 5)
    #expect(pause(Pauses(), retryAfter: 1) == 2)
    #expect(pause(Pauses(), retryAfter: 60) == 60)
    #expect(pause(Pauses(), retryAfter: 61) == nil)
    #expect(pause(Pauses(), retryAfter: .infinity) == nil)
    #expect(pause(Pauses(retryAfterLimit: 10), retryAfter: 11) == nil)
    #expect(pause(Pauses(retryAfterLimit: nil), retryAfter: 1000) == 2)
    // Nobody comes back earlier than asked.
    #expect(pause(Pauses(hasFullJitter: true), retryAfter: 5) == 6)
  }

  @Test func aDeadline() {
    #expect(pause(Pauses(deadline: 10), elapsed: 7) == 2)
    #expect(pause(Pauses(deadline: 10), elapsed: 8) == nil)
    #expect(pause(Pauses(deadline: 10), elapsed: 50) == nil)
    #expect(pause(Pauses(deadline: 10), retryAfter: 10) == nil)
    #expect(pause(Pauses(deadline: 0), backoff: 0) == nil)
  }

  @Test func defaults() {
    #expect(RetryPolicy().pauses == Pauses())
    #expect(Pauses().retryAfterLimit == 60 && !Pauses().hasFullJitter && Pauses().deadline == nil)
    #expect(ConnectionLostRetryPolicy().pauses == Pauses())
    #expect(RetryPolicy(pauses: Pauses(deadline: 3), retryLimit: 7).retryLimit == 7)
    let short: RetryPolicy = .retryPolicy(pauses: .init(hasFullJitter: true), retryLimit: 1)
    #expect(short.pauses.hasFullJitter && short.retryLimit == 1)
  }

  /// What a policy says about a response with these fields.
  private func verdict(_ fields: [String: String], pauses: Pauses = .init()) async -> RetryResult? {
    let scripted = ScriptedSession { _, _ in .reply(status: 503, headers: fields) }
    let request = scripted.session.request("http://host.test/")
    let response = await request.validate().serializingData().response
    let verdicts = Recorder<RetryResult>()
    RetryPolicy(pauses: pauses).retry(
      request, for: scripted.session, dueTo: response.error ?? AFError.explicitlyCancelled
    ) { verdicts.note($0) }
    return verdicts.entries.first
  }

  @Test func theFieldIsRead() async {
    #expect(await verdict([:])?.delay == 0.5)
    #expect(await verdict(["Retry-After": "7"])?.delay == 7)
    #expect(await verdict(["Retry-After": "nonsense"])?.delay == 0.5)
    #expect(await verdict(["Retry-After": "3600"])?.delay == nil)
    #expect(await verdict(["Retry-After": "7"], pauses: .init(retryAfterLimit: nil))?.delay == 0.5)
    #expect(
      await verdict([
        "Retry-After": "Sun, 06 Nov 1994 08:49:41 GMT", "Date": "Sun, 06 Nov 1994 08:49:37 GMT",
      ])?.delay == 4)
    // Past, by our clock.
    #expect(await verdict(["Retry-After": "Sun, 06 Nov 1994 08:49:41 GMT"])?.delay == 0.5)
  }

  /// Each value that a server may send, at each moment that a caller may name.
  @Test(
    arguments: [
      ("7", nil, 7), ("0", nil, 0), ("-1", nil, nil), ("7.5", nil, nil), ("", nil, nil), ("7, 8", nil, nil),
      ("Sun, 06 Nov 1994 08:49:41 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", 4),
      ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:41 GMT", 0),
      ("Sun, 06 Nov 1994 08:49:99 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", nil),
    ] as [(String, String?, TimeInterval?)])
  func whatAResponseAsksFor(field: String, sent: String?, seconds: TimeInterval?) throws {
    var fields = ["Retry-After": field]
    fields["Date"] = sent
    let url = try #require(URL(string: "http://host.test/"))
    let response = try #require(
      HTTPURLResponse(url: url, statusCode: 503, httpVersion: nil, headerFields: fields))
    for now in [0, -1e300, 1e300, .infinity, -.infinity, .nan] as [TimeInterval] {
      #expect(response.retryAfter(now: Date(timeIntervalSince1970: now)) == seconds)
    }
  }

  @Test func dateByOurClock() throws {
    let url = try #require(URL(string: "http://host.test/"))
    let response = try #require(
      HTTPURLResponse(
        url: url, statusCode: 503, httpVersion: nil,
        headerFields: ["Retry-After": "Thu, 01 Jan 1970 00:01:00 GMT"]))
    #expect(response.retryAfter(now: Date(timeIntervalSince1970: 20.5)) == 40)
    #expect(response.retryAfter(now: Date(timeIntervalSince1970: .infinity)) == 0)
    // Nobody can wait for so long, and nothing overflows.
    #expect(try #require(response.retryAfter(now: Date(timeIntervalSince1970: -1e18))) >= 1e18)
    #expect(response.retryAfter(now: Date(timeIntervalSince1970: -.infinity)) != nil)
  }

  @Test func aServerIsLeftAloneForAsLongAsItAsks() async throws {
    let origin = Origin.inMemory()
    origin.script(
      "/busy", .response(status: 503, fields: [(name: "Retry-After", value: "1")]),
      .response(body: "done".utf8))
    let session = Session(
      configuration: .inMemory, interceptor: RetryPolicy(exponentialBackoffScale: 0.001))
    let text = await session.request(origin.baseURL + "/busy").validate().serializingString().result.success
    #expect(text == "done")
    let arrivals = origin.requests.map(\.arrival)
    #expect(arrivals.count == 2 && arrivals[1] - arrivals[0] >= 1_000_000_000)
  }

  @Test func theDeadlineEndsTheAttempts() async {
    let scripted = ScriptedSession(
      interceptor: RetryPolicy(
        pauses: .init(deadline: 0.3), retryLimit: .max, exponentialBackoffScale: 0.05)
    ) { _, _ in .reply(status: 503) }
    let response = await scripted.session.request("http://host.test/").validate().serializingData().response
    #expect(response.error?.responseCode == 503)
    // 0.05, 0.1 and at most 0.2 seconds of pauses.
    #expect((1...4).contains(scripted.engine.started.count))
  }
}
