// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetOrigin
import BluebonnetTLS
import BluebonnetTestClock
import BluebonnetTestSupport
import BluebonnetTransport
import Testing

/// Evaluating a server's certificate may take as long as the request may.
@Suite struct TrustDecisionTests {
  private func evaluated(dropping: Bool, as decision: TrustDecision) async throws -> ExchangeProbe.Record {
    let origin = try Origin.start(security: .tls)
    let clock = EventLoop.stopped()
    defer { clock.stopLater() }
    let pool = ConnectionPool(configuration: .evaluated, loop: clock)
    defer { pool.loop.withLoop { pool.invalidate() } }
    let probe = ExchangeProbe()
    pool.loop.execute { probe.exchange(with: origin, path: "/get", in: pool).start() }
    await Eventually.expect("the server is to be evaluated") { probe.record.decision != nil }
    #expect(origin.requests.isEmpty)
    if dropping {
      origin.dropConnections()
      // The loop notices.
      clock.advance(by: .zero)
    }
    probe.record.decision?(decision)
    await Eventually.expect("it is over") { probe.record.isComplete }
    return probe.record
  }

  @Test func aServerThatIsAcceptedAnswers() async throws {
    let record = try await evaluated(dropping: false, as: .accept)
    #expect(record.error == nil)
    #expect(record.status == 200)
  }

  @Test func aServerThatHasGoneMeanwhileIsMissedAtOnce() async throws {
    let record = try await evaluated(dropping: true, as: .accept)
    #expect(record.error != nil)
    #expect(record.status == nil)
  }

  /// A second answer is not heard, nor is one after the end.
  @Test func theFirstAnswerCounts() async throws {
    let origin = try Origin.start(security: .tls)
    let pool = ConnectionPool(configuration: .evaluated)
    defer { pool.loop.withLoop { pool.invalidate() } }
    let probe = ExchangeProbe()
    pool.loop.execute { probe.exchange(with: origin, path: "/get", in: pool).start() }
    await Eventually.expect("the server is to be evaluated") { probe.record.decision != nil }
    let decision = try #require(probe.record.decision)
    pool.loop.withLoop {
      decision(.accept)
      decision(.reject)
    }
    await Eventually.expect("it is over") { probe.record.isComplete }
    decision(.reject)
    #expect(probe.record.error == nil && probe.record.status == 200)
    #expect(pool.loop.withLoop { pool.openConnectionCount } == 1)
  }

  private final class Evaluator: Sendable {}

  /// An exchange whose evaluator lets the server in, when it is over.
  private func served(by evaluator: Evaluator, from origin: Origin, in pool: ConnectionPool) async
    -> ExchangeProbe
  {
    let probe = ExchangeProbe(evaluator: evaluator)
    pool.loop.execute { probe.exchange(with: origin, path: "/get", in: pool).start() }
    await probe.acceptServer()
    await Eventually.expect("the first is over") { probe.record.isComplete }
    return probe
  }

  /// An exchange whose evaluator has been asked and has not answered.
  private func asked(_ evaluator: Evaluator, from origin: Origin, in pool: ConnectionPool) async
    -> ExchangeProbe
  {
    let probe = ExchangeProbe(evaluator: evaluator)
    pool.loop.execute { probe.exchange(with: origin, path: "/get", in: pool).start() }
    await Eventually.expect("the evaluator is asked") { probe.record.questions == 1 }
    return probe
  }

  /// What happened to the pooled connection while another evaluator thought it over.
  enum Event: CaseIterable { case nothing, end, plantedResponse }

  @Test(arguments: Event.allCases)
  func aPooledConnectionIsLookedAtAgainAfterItsSecondEvaluation(event: Event) async throws {
    let origin = try Origin.start(security: .tls)
    let pool = ConnectionPool(configuration: .evaluated)
    defer { pool.loop.withLoop { pool.invalidate() } }
    let (one, other) = (Evaluator(), Evaluator())
    _ = await served(by: one, from: origin, in: pool)
    // Who let it in is not asked again.
    let same = ExchangeProbe(evaluator: one)
    pool.loop.execute { same.exchange(with: origin, path: "/get", in: pool).start() }
    await Eventually.expect("the second is over") { same.record.isComplete }
    #expect(same.record.questions == 0 && same.record.status == 200)
    let second = await asked(other, from: origin, in: pool)
    #expect(origin.requests.count == 2)
    switch event {
    case .nothing: break
    case .end:
      origin.dropConnections()
      await Eventually.expect("the connection has ended") { origin.openConnections == 0 }
    case .plantedResponse:
      let planted = "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nplanted"
      #expect(origin.interject(Array(planted.utf8), on: 1))
    }
    second.record.decision?(.accept)
    if event != .nothing {
      await Eventually.expect("a new connection is evaluated") { second.record.questions == 2 }
      second.record.decision?(.accept)
    }
    await Eventually.expect("it is over") { second.record.isComplete }
    #expect(second.record.status == 200)
    #expect(String(decoding: second.record.body, as: UTF8.self).contains("/get"))
    #expect(origin.connectionCount == (event == .nothing ? 1 : 2))
  }

  @Test func anEvaluatorThatSpeaksTwiceIsNotHeardForAnother() async throws {
    let origin = try Origin.start(security: .tls)
    let pool = ConnectionPool(configuration: .evaluated)
    defer { pool.loop.withLoop { pool.invalidate() } }
    let (one, other) = (Evaluator(), Evaluator())
    let decision = try #require(await served(by: one, from: origin, in: pool).record.decision)
    let second = await asked(other, from: origin, in: pool)
    decision(.accept)
    pool.loop.withLoop {}
    second.record.decision?(.reject)
    await Eventually.expect("it is over") { second.record.isComplete }
    #expect(second.record.error != nil)
    #expect(origin.requests.count == 1)
  }

  @Test func aConnectionThatTheSecondEvaluatorRefusesCarriesNothing() async throws {
    let origin = try Origin.start(security: .tls)
    let pool = ConnectionPool(configuration: .evaluated)
    defer { pool.loop.withLoop { pool.invalidate() } }
    let (one, other) = (Evaluator(), Evaluator())
    _ = await served(by: one, from: origin, in: pool)
    let second = await asked(other, from: origin, in: pool)
    second.record.decision?(.reject)
    await Eventually.expect("it is over") { second.record.isComplete }
    #expect(second.record.error != nil)
    #expect(origin.requests.count == 1)
    await Eventually.expect("the connection is closed") { origin.openConnections == 0 }
  }
}
