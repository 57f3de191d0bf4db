// SPDX-License-Identifier: MIT
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
    #expect(try await StreamingExamples.longestLine(url) == "longest")
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

  // MARK: Bodies of requests

  private struct Echo: Decodable { let data: String }

  @Test func aBodyOfAnotherServer() async throws {
    let source = try #require(URL(string: script("a\nb\n")))
    let request = try await StreamingExamples.pipe(source, into: origin.baseURL + "/post")
    #expect(try await request.serializingDecodable(Echo.self).value.data == "a\nb\n")
  }

  @Test func forms() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "bluebonnet-\(UUID().uuidString).mp4")
    try Data("film".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let thumbnails = AsyncStream { continuation in
      continuation.yield(Data("small".utf8))
      continuation.finish()
    }
    let form = StreamingExamples.form(file, thumbnails, origin.baseURL + "/post")
    #expect(await form.serializingData().response.error == nil)
    var body = String(decoding: origin.requests.last?.body ?? [], as: UTF8.self)
    for content in ["holiday", "film", "small"] { #expect(body.contains("\r\n\r\n\(content)\r\n--")) }
    let files = AsyncStream { continuation in
      for _ in 0..<2 { continuation.yield(file) }
      continuation.finish()
    }
    let parts = StreamingExamples.parts(files, origin.baseURL + "/post")
    #expect(await parts.serializingData().response.error == nil)
    body = String(decoding: origin.requests.last?.body ?? [], as: UTF8.self)
    #expect(body.components(separatedBy: "\r\n\r\nfilm\r\n--").count == 3)
  }

  @Test func aBodyThatIsSentAgain() async throws {
    origin.script("/put", .response(status: 503), .endpoint)
    let request = StreamingExamples.again(["a", "b"], origin.baseURL + "/put")
    #expect(try await request.serializingDecodable(Echo.self).value.data == "a\nb\n")
    #expect(origin.requests.count == 2)
  }

  @Test func aBodyThatIsCompressed() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "bluebonnet-\(UUID().uuidString)")
    let text = String(repeating: "line\n", count: 1000)
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let request = StreamingExamples.compressed(file, origin.baseURL + "/post")
    #expect(try await request.serializingDecodable(Echo.self).value.data == text)
    #expect(origin.requests.last?.value("Content-Encoding") == "gzip")
  }
}
