// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetWireVectors
import Testing

/// On a connection that is kept, bytes behind one response never answer the next request.
///
/// One after the other, because all clients in the process share one loop, which other tests want answers from.
@Suite(.serialized) struct ResponseSmugglingTests {
  @Test func theGrammarIsLargeAndNotAllOfItIsRefused() {
    #expect(Planting.everyPair.count == FramingSpelling.all.count * FramingSpelling.all.count)
    #expect(Planting.everyPair.count > 4_700)
    #expect(Planting.kept.count > 450)
    for circumstance in Planting.Circumstance.allCases {
      #expect(Planting.everyPair.contains { $0.circumstance == circumstance })
      #expect(Planting.kept.contains { $0.circumstance == circumstance })
    }
  }

  @Test(arguments: [URLSessionConfiguration.ResponseParsing.lenient, .tolerant, .strict])
  func whateverTheFirstResponseIs(parsing: URLSessionConfiguration.ResponseParsing) async throws {
    // All in the mode that sessions have, and a seventh in the others, of which the stress stage plays all, too.
    let isWhole = parsing == .tolerant || Repetitions.busyCount > 0
    let pairs =
      isWhole
      ? Planting.everyPair : Planting.everyPair.enumerated().filter { $0.offset % 7 == 0 }.map(\.element)
    let tally = try await PlantingRun(.together, pairs, on: Origin.start(), parsing: parsing).run()
    #expect(tally.wrong == [])
    #expect(tally.planted == pairs.count)
    #expect(tally.reused == 0)
    #expect(tally.answered * 10 > pairs.count * 3)
    let refused: [URLSessionConfiguration.ResponseParsing: Int] = [.strict: 6, .tolerant: 5, .lenient: 2]
    #expect(tally.refused * 10 > pairs.count * (refused[parsing] ?? 0))
  }

  @Test func bothModesKeepTheSameConnections() {
    #expect(Planting.everyPair.allSatisfy { $0.keepsConnection(.strict) == $0.keepsConnection(.tolerant) })
    #expect(Planting.kept.allSatisfy { $0.keepsConnection(.strict) })
  }

  /// Without the planted response the same connections are used again: it alone is what makes the difference.
  @Test(arguments: PlantingRun.Delivery.allCases)
  func wheneverThePlantedResponseComes(delivery: PlantingRun.Delivery) async throws {
    let path = Self.socketPath()
    let run = PlantingRun(delivery, Planting.kept, on: try Origin.start(on: .unix(path: path))) {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.unixSocketPath = path
      return configuration
    }
    let tally = try await run.run()
    #expect(tally.wrong == [])
    #expect(tally.answered == Planting.kept.count)
    #expect(tally.planted == (delivery == .never ? 0 : Planting.kept.count))
    #expect(tally.reused == (delivery == .never ? Planting.kept.count : 0))
  }

  @Test(arguments: [PlantingRun.Delivery.never, .together, .later])
  func overTLS(delivery: PlantingRun.Delivery) async throws {
    let path = Self.socketPath()
    let origin = try Origin.start(security: .tls, on: .unix(path: path))
    let authority = try #require(origin.authority.flatMap(SecCertificate.init(pem:)))
    let plantings = Planting.kept.filter { $0.circumstance == .ordinary || $0.circumstance == .toHead }
    let run = PlantingRun(delivery, plantings, on: origin) {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.trustAnchors = .certificates([authority])
      configuration.unixSocketPath = path
      return configuration
    }
    let tally = try await run.run()
    #expect(tally.wrong == [])
    #expect(tally.planted == (delivery == .never ? 0 : plantings.count))
    #expect(tally.reused == (delivery == .never ? plantings.count : 0))
  }

  /// What goes into a Unix-domain socket is in the client's at once, so that "before the next request" is certain.
  private static func socketPath() -> String {
    FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString.prefix(8)).sock").path
  }

  /// The planted bytes do arrive, and do harm to whoever takes them for an answer.
  @Test func aCarelessClientIsFooled() async throws {
    let plantings = Planting.kept.filter(\.isLegibleToAnybody)
    #expect(plantings.count > 50)
    let origin = try Origin.start()
    _ = PlantingRun(.together, plantings, on: origin)
    let answers = try await detached {
      try plantings.indices.map { number in
        let socket = try RawSocket(port: origin.port)
        let first = try socket.exchange(plantings[number].method, "/first?\(number)")
        if first.status < 200 { _ = try socket.receiveResponse() }
        return try socket.exchange("GET", "/second?\(number)").text
      }
    }
    #expect(answers == plantings.map { _ in "planted" })
  }
}

extension Planting {
  /// Whether its framing field is in the usual spelling, and the only one.
  fileprivate var isLegibleToAnybody: Bool {
    let usual = ["Content-Length: 5", "Transfer-Encoding: chunked"]
    return usual.contains(variant.first.line) && variant.second.kind == .neither
      || usual.contains(variant.second.line) && variant.first.kind == .neither
  }
}
