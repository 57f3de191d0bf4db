import BluebonnetFoundation
import BluebonnetOrigin
import BluebonnetTestSupport
import Testing

@testable import Bluebonnet

/// Runs what the article *Streaming bodies* shows.
@Suite struct StreamingExamplesTests {
  private let origin: Origin
  private let queue = DispatchQueue(label: "test.examples")

  init() throws {
    origin = try Origin.start()
  }

  private func script(_ text: String, type: String = "text/plain") -> String {
    origin.script("/body", .response(fields: [("Content-Type", type)], body: [UInt8](text.utf8)))
    return origin.baseURL + "/body"
  }

  @Test func lines() async throws {
    let url = try #require(URL(string: script("a\n\nlongest\nb")))
    #expect(try await StreamingExamples.lines(url) == ["longest"])
  }

  @Test func parts() async throws {
    #expect(try await StreamingExamples.parts(origin.baseURL + "/download/100000") == 100_000)
    await #expect(throws: AFError.self) {
      _ = try await StreamingExamples.parts(origin.baseURL + "/status/500")
    }
  }

  @Test func rows() async throws {
    #expect(try await StreamingExamples.rows(script("{\"amount\": 1}\nx\n\n{\"amount\": 2}")) == 3)
  }

  @Test func events() async throws {
    try await StreamingExamples.events(script("data: hello\n\ndata: bye\n\n", type: "text/event-stream"))
    #expect(origin.requests.count == 1)
    StreamingExamples.handler(script("data: hello\n\n"), on: queue)
    await Eventually.expect("It is asked.") { origin.requests.count == 2 }
  }

  @Test func inputStream() async throws {
    let url = origin.baseURL + "/download/100000"
    let size = try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "test.reader").async {
        continuation.resume(with: Result { try StreamingExamples.inputStream(url) })
      }
    }
    #expect(size == 100_000)
  }

  private static let text = (1...1000).map { "line \($0)\n" }.joined()

  private static func lines() -> AsyncStream<Data> {
    AsyncStream { continuation in
      continuation.yield(Data(text.utf8))
      continuation.finish()
    }
  }

  @Test func bodiesOfRequests() async throws {
    _ = try await StreamingExamples.upload(origin.baseURL + "/post")
    #expect(origin.requests.last?.body == [UInt8](Self.text.utf8))
    // The redirect asks for the body once more.
    origin.script("/moved", .response(status: 307, fields: [("Location", "/post")]))
    _ = try await StreamingExamples.replaying(origin.baseURL + "/moved", export: Self.lines)
    #expect(origin.requests.suffix(2).map(\.body) == [[UInt8]](repeating: [UInt8](Self.text.utf8), count: 2))
    _ = try await StreamingExamples.compressed(Self.lines(), origin.baseURL + "/post")
    let last = try #require(origin.requests.last)
    #expect(last.value("Content-Encoding") == "gzip" && last.body.count < Self.text.utf8.count)
    StreamingExamples.form(Self.lines(), origin.baseURL + "/post?form")
    await Eventually.expect("The form is there.") {
      origin.requests.last.map { $0.target == "/post?form" && $0.body.count > Self.text.utf8.count } ?? false
    }
  }

  @Test func whatComesBeside() async throws {
    origin.script(
      "/beside",
      .text(
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "2\r\nok\r\n0\r\nContent-MD5: x\r\n\r\n"))
    let (body, checksum) = try await StreamingExamples.beside(origin.baseURL + "/beside", on: queue)
    #expect(body == Data("ok".utf8) && checksum == "x")
  }

  @Test func aMaximum() async throws {
    let session = StreamingExamples.maximum()
    let response = await session.request(origin.baseURL + "/infinite").serializingData().response
    #expect((response.error?.underlyingError as? URLError)?.code == .dataLengthExceedsMaximum)
  }
}
