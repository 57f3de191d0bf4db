// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// Interim responses and trailers, for those who ask.
@Suite struct BesideTheBodyTests {
  private let origin: Origin

  init() {
    origin = Origin.inMemory()
  }

  private static let hinted =
    "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

  private static func trailed(_ trailers: String) -> ScriptedReply {
    .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\(trailers)\r\n")
  }

  @Test(arguments: [false, true]) func interimResponsesAreShown(onQueues: Bool) async throws {
    origin.script("/hinted", .text(Self.hinted))
    let session = Session(
      configuration: .inMemory, rootQueue: onQueues ? DispatchQueue(label: "test.root") : nil)
    let heads = Recorder<String>()
    let response = await session.request(origin.baseURL + "/hinted")
      .onInterimResponse(on: DispatchQueue(label: "test.interim")) { response in
        heads.note(String(decoding: response.receivedHead ?? Data(), as: UTF8.self))
      }
      .serializingData().response
    #expect(response.value == Data("ok".utf8) && response.response?.statusCode == 200)
    await Eventually.expect("Both have come.") { heads.entries.count == 2 }
    #expect(heads.entries.first == "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
  }

  @Test(arguments: [false, true]) func trailersAreKept(isSubclassed: Bool) async throws {
    final class Own: SessionDelegate, @unchecked Sendable {}
    origin.script("/trailed", Self.trailed("B: 1\r\na: 2\r\nB: 3\r\n"))
    let session = Session(configuration: .inMemory, delegate: isSubclassed ? Own() : SessionDelegate())
    let request = session.request(origin.baseURL + "/trailed")
    let response = await request.serializingData().response
    #expect(response.value == Data("ok".utf8))
    #expect(request.responseTrailers?.map { "\($0.name): \($0.value)" } == ["B: 1, 3", "a: 2"])
    #expect(request.task?.responseTrailers == ["B": "1, 3", "a": "2"])
    #expect(request.task?.responseTrailerFields.map { "\($0.name): \($0.value)" } == ["B: 1, 3", "a: 2"])
    // They are not fields of the response (RFC 9110 §6.5.1).
    #expect(response.response?.headers["B"] == nil)
  }

  @Test func withoutTrailersThereAreNone() async throws {
    origin.script("/trailed", Self.trailed(""), .response(body: [UInt8]("ok".utf8)))
    let session = Session(configuration: .inMemory)
    for _ in 0..<2 {
      let request = session.request(origin.baseURL + "/trailed")
      #expect(await request.serializingData().response.value == Data("ok".utf8))
      #expect(request.responseTrailers == nil && request.task?.responseTrailers == nil)
    }
  }

  /// Those of a redirect are nobody's.
  @Test func trailersOfARedirectAreDropped() async throws {
    origin.script(
      "/from",
      .text("HTTP/1.1 302 F\r\nLocation: /to\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: 1\r\n\r\n"))
    origin.script("/to", .response(body: [UInt8]("ok".utf8)))
    let session = Session(configuration: .inMemory)
    let request = session.request(origin.baseURL + "/from")
    #expect(await request.serializingData().response.value == Data("ok".utf8))
    #expect(request.responseTrailers == nil)
  }
}
