// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import Testing

@testable import BluebonnetURLLoading

/// Bodies that are read byte by byte, at the reader's pace.
@Suite struct AsyncBytesTests {
  private let origin: Origin
  private let session: URLSession

  init() {
    origin = Origin.inMemory()
    let configuration = URLSessionConfiguration.inMemory
    // On a busy machine, a minute may pass between two steps of a test.
    configuration.timeoutIntervalForRequest = 600
    session = URLSession(configuration: configuration)
  }

  private func url(_ path: String) throws -> URL { try #require(URL(string: origin.baseURL + path)) }

  @Test func everyByteIsReadOnce() async throws {
    let (bytes, response) = try await session.bytes(from: try url("/download/100000"))
    #expect((response as? HTTPURLResponse)?.statusCode == 200 && response.expectedContentLength == 100_000)
    var read: [UInt8] = []
    for try await byte in bytes { read.append(byte) }
    #expect(read == (0..<100_000).map { UInt8($0 % 251) })
    var further = bytes.makeAsyncIterator()
    #expect(try await further.next() == nil)
    #expect(bytes.task.state == .completed && bytes.task.countOfBytesReceived == 100_000)
  }

  @Test func theHeadComesBeforeTheBody() async throws {
    origin.script("/slow", .text("HTTP/1.1 404 No\r\nContent-Length: 5\r\n\r\n").then(.hang))
    let (bytes, response) = try await session.bytes(for: URLRequest(url: try url("/slow")))
    #expect((response as? HTTPURLResponse)?.statusCode == 404)
    #expect(bytes.task.state == .running)
  }

  @Test func emptyBodies() async throws {
    let (bytes, _) = try await session.bytes(from: try url("/status/204"))
    for try await _ in bytes { Issue.record("a byte") }
  }

  @Test func codedBodiesAreDecoded() async throws {
    let (bytes, _) = try await session.bytes(from: try url("/gzip"))
    var read = Data()
    for try await byte in bytes { read.append(byte) }
    #expect(String(decoding: read, as: UTF8.self).contains("/gzip"))
  }

  @Test func aBodyThatBreaksOffFails() async throws {
    origin.script("/cut", .text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc").then(.abruptClose))
    let (bytes, _) = try await session.bytes(from: try url("/cut"))
    var read: [UInt8] = []
    let error = await #expect(throws: URLError.self) { for try await byte in bytes { read.append(byte) } }
    #expect(error?.code == .networkConnectionLost)
    #expect(read == Array("abc".utf8), "What came can be read.")
  }

  @Test func withoutAResponseThereAreNoBytes() async throws {
    origin.script("/reset", .reset)
    let error = await #expect(throws: URLError.self) { _ = try await session.bytes(from: try url("/reset")) }
    #expect(error?.code == .networkConnectionLost)
  }

  /// Within a megabyte, the kernel's buffers apart.
  @Test func aReaderWhoRestsStopsTheBody() async throws {
    let (bytes, _) = try await session.bytes(from: try url("/infinite"))
    await Eventually.expect("It is held back.") { bytes.reader.isHeld }
    let received = bytes.task.countOfBytesReceived
    #expect(received > BodyReader.highWater && received < 1_000_000)
    // And flows again, and rests again.
    var iterator = bytes.makeAsyncIterator()
    var others = 0
    for _ in 0..<(1 << 20) where try await iterator.next() != 1 { others += 1 }
    #expect(others == 0)
    await Eventually.expect("It is held back again.") { bytes.reader.isHeld }
    #expect(bytes.task.countOfBytesReceived - (1 << 20) < 1_000_000)
    bytes.task.cancel()
  }

  @Test func cancellingTheReaderCancelsTheTask() async throws {
    origin.script("/slow", .text("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n").then(.hang))
    let (bytes, _) = try await session.bytes(from: try url("/slow"))
    let reading = Task {
      var iterator = bytes.makeAsyncIterator()
      return try await iterator.next()
    }
    reading.cancel()
    let error = await #expect(throws: URLError.self) { _ = try await reading.value }
    #expect(error?.code == .cancelled)
    await Eventually.expect("It is over.") { bytes.task.state == .completed }
  }

  @Test func cancellingBeforeTheHeadCancelsTheTask() async throws {
    origin.script("/silent", .silence)
    let (session, url) = (session, try url("/silent"))
    let waiting = Task { _ = try await session.bytes(from: url) }
    await Eventually.expect("It is asked.") { origin.requests.count == 1 }
    waiting.cancel()
    let error = await #expect(throws: URLError.self) { try await waiting.value }
    #expect(error?.code == .cancelled)
  }

  @Test func whoeverGivesUpCancelsTheTask() async throws {
    var task: URLSessionDataTask?
    do {
      let (bytes, _) = try await session.bytes(from: try url("/infinite"))
      var iterator = bytes.makeAsyncIterator()
      _ = try await iterator.next()
      task = bytes.task
    }
    await Eventually.expect("It is over.") { [task] in task?.state == .completed }
    #expect((task?.error as? URLError)?.code == .cancelled)
  }

  @Test func linesOfABody() async throws {
    origin.script(
      "/lines",
      ScriptedReply.response(body: [UInt8]("a\nb\r\n\nü\u{2028}last".utf8)).dripping(size: 3, every: 1))
    let (bytes, _) = try await session.bytes(from: try url("/lines"))
    var lines: [String] = []
    for try await line in bytes.lines { lines.append(line) }
    #expect(lines == ["a", "b", "ü", "last"])
  }

  @Test func aLineHasALimit() async throws {
    let (bytes, _) = try await session.bytes(from: try url("/infinite"))
    let error = await #expect(throws: URLError.self) {
      for try await _ in bytes.lines(ofAtMost: 100_000) { Issue.record("a line") }
    }
    #expect(error?.code == .dataLengthExceedsMaximum && error?.loadingFault == .server)
  }

  @Test func whatIsKeptIsReadToo() async throws {
    let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
    let configuration = URLSessionConfiguration.inMemory
    configuration.urlCache = cache
    let session = URLSession(configuration: configuration)
    var request = URLRequest(url: try url("/download/1000"))
    _ = try await session.data(for: request)
    request.cachePolicy = .returnCacheDataDontLoad
    let (bytes, _) = try await session.bytes(for: request)
    var count = 0
    for try await _ in bytes { count += 1 }
    #expect(count == 1000 && origin.requests.count == 1)
  }
}

@Suite struct AsyncLineSequenceTests {
  private struct Bytes: AsyncSequence {
    typealias Element = UInt8
    let bytes: [UInt8]

    struct AsyncIterator: AsyncIteratorProtocol {
      var rest: ArraySlice<UInt8>
      mutating func next() async throws -> UInt8? { rest.popFirst() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: bytes[...]) }
  }

  /// As on Apple's systems.
  @Test(
    arguments: [
      ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("\n\na\n\nb\n", ["a", "b"]),
      ("a\rb\r\nc\n\rd", ["a", "b", "c", "d"]), ("a\u{B}b\u{C}c", ["a", "b", "c"]), ("a\u{85}b", ["a", "b"]),
      ("a\u{2028}b\u{2029}c", ["a", "b", "c"]), ("ü\u{C2}x", ["üÂx"]), ("a\u{2030}b", ["a\u{2030}b"]),
      ("€\n£", ["€", "£"]), ("a\r", ["a"]), ("\r\r\n", []),
    ] as [(String, [String])])
  func lines(_ text: String, _ expected: [String]) async throws {
    var found: [String] = []
    for try await line in Bytes(bytes: Array(text.utf8)).lines { found.append(line) }
    #expect(found == expected)
  }

  /// A line that has ended with a CR does not wait for what follows.
  @Test(.timeLimit(.minutes(5))) func aLineIsThereWithItsEnd() async throws {
    let (bytes, feed) = AsyncStream<UInt8>.makeStream()
    for byte in "a\r".utf8 { feed.yield(byte) }
    var lines = bytes.lines.makeAsyncIterator()
    #expect(try await lines.next() == "a")
    for byte in "\nb\r\n\r".utf8 { feed.yield(byte) }
    #expect(try await lines.next() == "b")
    feed.finish()
    #expect(try await lines.next() == nil)
  }

  @Test(arguments: [[0xC2], [0xE2], [0xE2, 0x80], [0xE2, 0x80, 0x41], [0xC2, 0x0A, 0x41]] as [[UInt8]])
  func whatEndsInTheMiddleOfACharacter(_ bytes: [UInt8]) async throws {
    var found: [String] = []
    for try await line in Bytes(bytes: bytes).lines { found.append(line) }
    let whole = String(decoding: bytes, as: UTF8.self)
    #expect(found == whole.split(separator: "\n").map(String.init))
  }
}
