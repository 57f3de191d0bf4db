// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// A maximum for bodies that are gathered in memory.
@Suite struct MemoryLimitTests {
  private let origin: Origin

  init() {
    origin = Origin.inMemory()
  }

  private func url(_ path: String) throws -> URL { try #require(URL(string: origin.baseURL + path)) }

  private func session(_ limit: Int?, _ delegate: (any URLSessionDelegate)? = nil) -> URLSession {
    let configuration = URLSessionConfiguration.inMemory
    configuration.responseBodyLimitInMemory = limit
    return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  private func refusal(_ path: String, _ limit: Int) async throws -> URLError {
    try #require(
      await #expect(throws: URLError.self) { _ = try await session(limit).data(from: try url(path)) })
  }

  @Test func anAnnouncedLengthIsRefusedAtOnce() async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n"
    origin.script("/large", .text(head).then(.hang))
    let error = try await refusal("/large", 1000)
    #expect(error.code == .dataLengthExceedsMaximum && error.loadingFault == .server)
    #expect(error.localizedDescription.contains("1001 bytes, more than the 1000"))
    #expect(error.localizedDescription.contains("responseBodyLimitInMemory"))
  }

  @Test func anUnknownLengthIsCounted() async throws {
    let error = try await refusal("/infinite", 1_000_000)
    #expect(error.code == .dataLengthExceedsMaximum)
    #expect(error.localizedDescription.contains("more bytes than the 1000000"))
  }

  @Test func whatIsDecodedIsCounted() async throws {
    let error = try await refusal("/gzip", 10)
    #expect(error.code == .dataLengthExceedsMaximum)
  }

  @Test(arguments: [1000, nil]) func upToTheLimitAllIsWell(_ limit: Int?) async throws {
    let (data, _) = try await session(limit).data(from: try url("/download/1000"))
    #expect(data.count == 1000)
  }

  @Test func gatheredBodiesAreMeant() async throws {
    let task = session(100, RecordingDelegate()).dataTask(with: try url("/download/1000"))
    task.prefersIncrementalDelivery = false
    task.resume()
    await Eventually.expect("It ends.") { task.state == .completed }
    #expect((task.error as? URLError)?.code == .dataLengthExceedsMaximum)
  }

  /// What is not gathered is not limited.
  @Test func otherBodiesAreNotMeant() async throws {
    let witness = RecordingDelegate()
    let session = session(10, witness)
    session.dataTask(with: try url("/download/1000")).resume()
    await Eventually.expect("It ends.") { witness.record.isComplete }
    #expect(witness.record.error == nil && witness.record.data.count == 1000)
    let (file, _) = try await session.download(from: try url("/download/1000"))
    #expect(try Data(contentsOf: file).count == 1000)
    try FileManager.default.removeItem(at: file)
    let (bytes, _) = try await session.bytes(from: try url("/download/1000"))
    var count = 0
    for try await _ in bytes { count += 1 }
    #expect(count == 1000)
  }

  @Test func aLimitHasARange() async throws {
    let error = await #expect(throws: URLError.self) {
      _ = try await session(-1).data(from: try url("/get"))
    }
    #expect(error?.refusedSetting?.member == "URLSessionConfiguration.responseBodyLimitInMemory")
    #expect(origin.connectionCount == 0)
  }
}
