import BluebonnetEventLoop
import BluebonnetOrigin
import BluebonnetTLS
import BluebonnetTestSupport
import BluebonnetTransport
import Testing

/// Judging a server's certificate may take as long as the request may.
@Suite struct JudgementTests {
  private func judged(dropping: Bool, as verdict: TrustVerdict) async throws -> ExchangeProbe.Record {
    let origin = try Origin.start(security: .tls)
    let pool = ConnectionPool(configuration: .judged)
    defer { pool.loop.withLoop { pool.invalidate() } }
    let probe = ExchangeProbe()
    pool.loop.execute { probe.exchange(with: origin, path: "/get", in: pool).start() }
    await Eventually.expect("the server is to be judged") { probe.record.verdict != nil }
    #expect(origin.requests.isEmpty)
    if dropping {
      origin.dropConnections()
      // Until the loop has noticed, which nobody can see from outside.
      try await Task.sleep(for: .milliseconds(50))
    }
    probe.record.verdict?(verdict)
    await Eventually.expect("it is over") { probe.record.isComplete }
    return probe.record
  }

  @Test func aServerThatIsAcceptedAnswers() async throws {
    let record = try await judged(dropping: false, as: .accept)
    #expect(record.error == nil)
    #expect(record.status == 200)
  }

  @Test func aServerThatHasGoneMeanwhileIsMissedAtOnce() async throws {
    let record = try await judged(dropping: true, as: .accept)
    #expect(record.error != nil)
    #expect(record.status == nil)
  }
}
