// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetWireVectors
import Testing

/// Other projects' cases, served as they are: a session comes to the parser's verdict, of which the parser's tests show
/// that in strict mode it is the suite's or departs from it for a reason.
@Suite struct ResponseVectorTests {
  private static func views() throws -> [(name: String, view: ClientView)] {
    try ["consensus-responses", "llhttp", "h11", "picohttpparser", "httparse"]
      .flatMap { try VectorFile(fixture: $0).vectors }.map { ($0.name, $0.clientView) }
  }

  private static func cases() throws -> [ClientCase] {
    try views().compactMap { if case .answer(let vector) = $0.view { vector } else { nil } }
  }

  @Test(arguments: VectorRun.Delivery.allCases)
  func aTolerantSessionAgreesWithTheParser(delivery: VectorRun.Delivery) async throws {
    let cases = try Self.cases()
    let tally = try await VectorRun(cases, delivery, .tolerant).run()
    #expect(tally.wrong == [])
    #expect(tally.count == cases.count)
    #expect(tally.accepted > (delivery == .open ? 57 : 101))
    #expect(tally.refused > (delivery == .open ? 50 : 80))
  }

  @Test(arguments: VectorRun.Delivery.allCases)
  func aSessionAgreesWithTheParser(delivery: VectorRun.Delivery) async throws {
    let cases = try Self.cases()
    let tally = try await VectorRun(cases, delivery).run()
    #expect(tally.wrong == [])
    #expect(cases.count >= 220)
    #expect(tally.count == cases.count)
    // Where the end of the connection ends no response, some have no end.
    #expect(tally.accepted >= (delivery == .open ? 57 : 101))
    #expect(tally.refused >= (delivery == .open ? 78 : 119))
    #expect(delivery == .open || tally.incomplete == 0)
    // The suites' expectations, each for one of the ways to end.
    #expect(tally.judged >= (delivery == .open ? 105 : 83))
    #expect(tally.departed < 20)
  }

  @Test func aDifferenceIsNoticed() async throws {
    let cases = try Self.cases()
    let tally = try await VectorRun(cases, .closed, shiftedBy: 1).run()
    #expect(tally.wrong.count > cases.count * 3 / 4)
  }

  /// What is left out, with the reason: three responses to CONNECT, which cannot be asked for, and requests.
  @Test func nothingIsLeftOutWithoutAReason() throws {
    var unaskable: [String: String] = [:]
    var requests = 0
    for (name, view) in try Self.views() {
      switch view {
      case .answer: break
      case .unaskable(let reason): unaskable[name] = reason
      case .notForClients: requests += 1
      }
    }
    #expect(Set(unaskable.values) == [ClientView.noTunnels])
    #expect(unaskable.keys.allSatisfy { $0.hasPrefix("h11:test:test_protocol_switch:client") })
    #expect(unaskable.count == 3)
    #expect(requests >= 488)
  }

  @Test func aTunnelCannotBeAskedFor() async throws {
    let origin = Origin.inMemory()
    let session = Session(configuration: .inMemory)
    let response = await session.request(origin.baseURL + "/get", method: .connect).anyData().response
    let failure = (response.error?.underlyingError as? URLError)?.transportFailure
    #expect(failure?.cause == .invalidRequest)
    #expect(origin.connectionCount == 0)
  }
}
