// SPDX-License-Identifier: MIT
import BluebonnetCore
import BluebonnetOrigin
import Synchronization
import Testing

@Suite struct UploadTests {
  private struct Broken: Error {}

  private let origin: Origin
  private let client: HTTPClient

  init() throws {
    origin = try Origin.start()
    client = try HTTPClient()
  }

  private static func pieces(_ count: Int, failing: Bool = false) -> AsyncThrowingStream<[UInt8], any Error> {
    let next = Atomic(0)
    return AsyncThrowingStream {
      let index = next.add(1, ordering: .relaxed).oldValue
      if index < count { return [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 1000) }
      if failing { throw Broken() }
      return nil
    }
  }

  @Test func inChunks() async throws {
    let response = try await client.send(.post(origin.baseURL + "/post", body: .stream(Self.pieces(300))))
    #expect(response.status == 200)
    let request = try #require(origin.requests.last)
    #expect(request.value("Transfer-Encoding") == "chunked")
    #expect(
      request.body == (0..<300).flatMap { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: 1000) })
  }

  @Test func withALength() async throws {
    let body = HTTPClient.Body.stream(Self.pieces(20), length: 20_000)
    #expect(try await client.send(.post(origin.baseURL + "/post", body: body)).status == 200)
    #expect(origin.requests.last?.value("Content-Length") == "20000")
    #expect(origin.requests.last?.body.count == 20_000)
  }

  @Test(arguments: [19_999, 20_001, 19_000, 0])
  func withAWrongLength(_ length: Int) async {
    let body = HTTPClient.Body.stream(Self.pieces(20), length: length)
    let error = await #expect(throws: HTTPClientError.self) {
      try await client.send(.post(origin.baseURL + "/post", body: body))
    }
    #expect(error?.code == .requestBodyFailed)
    #expect(error?.fault == .caller)
    #expect(!origin.requests.contains { $0.isComplete })
  }

  @Test func anErrorOfTheCallers() async {
    let error = await #expect(throws: HTTPClientError.self) {
      try await client.send(.post(origin.baseURL + "/post", body: .stream(Self.pieces(3, failing: true))))
    }
    #expect(error?.code == .requestBodyFailed)
    #expect(error?.cause is Broken)
  }

  @Test func onceOnly() async throws {
    let request = HTTPClient.Request.post(origin.baseURL + "/post", body: .stream(Self.pieces(3)))
    #expect(try await client.send(request).status == 200)
    let error = await #expect(throws: HTTPClientError.self) { try await client.send(request) }
    #expect(error?.code == .requestBodyFailed)
    #expect(error?.reason.contains("isReplayable") == true)
  }

  @Test(arguments: [false, true])
  func afterARedirect(_ isReplayable: Bool) async throws {
    origin.script("/old", .text("HTTP/1.1 307 Elsewhere\r\nLocation: /post\r\nContent-Length: 0\r\n\r\n"))
    let body = HTTPClient.Body.stream(Repeatable(), isReplayable: isReplayable)
    let request = HTTPClient.Request.post(origin.baseURL + "/old", body: body)
    guard isReplayable else {
      let error = await #expect(throws: HTTPClientError.self) { try await client.send(request) }
      #expect(error?.code == .requestBodyNotReplayable)
      #expect(error?.phase == .redirecting)
      return
    }
    #expect(try await client.send(request).status == 200)
    #expect(origin.requests.last?.body == [1, 2, 3])
    #expect(try await client.send(request).status == 200)
  }

  @Test func manyMegabytes() async throws {
    let piece = [UInt8](repeating: 7, count: 1 << 20)
    let body = HTTPClient.Body.stream(AsyncStream(unfolding: { @Sendable in piece }).prefix(40))
    let response = try await client.send(.post(origin.baseURL + "/upload", body: body))
    #expect(response.text.contains("\(40 << 20)"))
  }

  private struct Repeatable: AsyncSequence, Sendable {
    struct AsyncIterator: AsyncIteratorProtocol {
      var next: UInt8 = 1

      mutating func next() async -> [UInt8]? {
        defer { next += 1 }
        return next < 4 ? [next] : nil
      }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
  }
}
