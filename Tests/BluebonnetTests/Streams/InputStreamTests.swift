// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// Bodies that are read as an input stream, by a thread that waits.
@Suite struct InputStreamTests {
  private let origin: Origin
  private let session = Session(configuration: .inMemory)

  init() {
    origin = Origin.inMemory()
  }

  private func session(onQueues: Bool = false, interceptor: (any RequestInterceptor)? = nil) -> Session {
    Session(
      configuration: .inMemory, rootQueue: onQueues ? DispatchQueue(label: "test.root") : nil,
      interceptor: interceptor)
  }

  private struct Reading: Sendable {
    var bytes: [UInt8] = []
    var last = 0
    var status = Stream.Status.notOpen
    var error: (any Error)?
    /// What had come when the reader stopped.
    var received: Int64 = 0
  }

  /// Reads a stream to its end on a thread of its own, in pieces of `size`.
  private func read(
    _ request: DataStreamRequest, bufferSize: Int = 1024, pieces size: Int = 1000, atMost limit: Int = .max
  ) async -> Reading {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "test.reader").async {
        var reading = Reading()
        guard let stream = request.asInputStream(bufferSize: bufferSize) else {
          Issue.record("There is no stream.")
          return continuation.resume(returning: reading)
        }
        #expect(stream.streamStatus == .notOpen && !stream.hasBytesAvailable)
        stream.open()
        var piece = [UInt8](repeating: 0, count: size)
        while reading.bytes.count < limit {
          reading.last = stream.read(&piece, maxLength: size)
          guard reading.last > 0 else { break }
          reading.bytes += piece[..<reading.last]
        }
        reading.status = stream.streamStatus
        if reading.status == .error { reading.error = stream.streamError }
        reading.received = request.task?.countOfBytesReceived ?? 0
        stream.close()
        #expect(stream.streamStatus == .closed && stream.read(&piece, maxLength: 1) == -1)
        continuation.resume(returning: reading)
      }
    }
  }

  @Test(arguments: [false, true], [1, 1024, 1_000_000]) func nothingIsDropped(onQueues: Bool, bufferSize: Int)
    async throws
  {
    let session = session(onQueues: onQueues)
    let reading = await read(
      session.streamRequest(origin.baseURL + "/download/200000"), bufferSize: bufferSize)
    #expect(reading.bytes == (0..<200_000).map { UInt8($0 % 251) })
    #expect(reading.last == 0 && reading.status == .atEnd)
  }

  @Test func emptyBodiesEndAtOnce() async throws {
    let reading = await read(session.streamRequest(origin.baseURL + "/status/204"))
    #expect(reading.bytes.isEmpty && reading.status == .atEnd)
  }

  @Test func aFailureIsAnErrorOfTheStream() async throws {
    origin.script("/cut", .text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc").then(.abruptClose))
    let reading = await read(session.streamRequest(origin.baseURL + "/cut"))
    #expect(reading.bytes == Array("abc".utf8), "What came can be read.")
    #expect(reading.last == -1 && reading.status == .error)
    #expect((reading.error as? AFError)?.isSessionTaskError == true)
  }

  @Test func aFailedValidationIsAnErrorToo() async throws {
    let reading = await read(session.streamRequest(origin.baseURL + "/status/404").validate())
    #expect((reading.error as? AFError)?.responseCode == 404)
  }

  @Test func aCancelledRequestWakesTheReader() async throws {
    origin.script("/slow", .text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc").then(.hang))
    let request = session.streamRequest(origin.baseURL + "/slow")
    async let reading = read(request)
    await Eventually.expect("Some of it is there.") { request.task?.countOfBytesReceived == 3 }
    request.cancel()
    #expect((await reading.error as? AFError)?.isExplicitlyCancelledError == true)
  }

  /// The reader sets the pace, and closing early cancels.
  @Test func whatIsNotReadWaitsOnTheNetwork() async throws {
    let request = session.streamRequest(origin.baseURL + "/infinite")
    let reading = await read(request, bufferSize: 10_000, atMost: 1_000_000)
    #expect(reading.bytes.count >= 1_000_000 && reading.bytes.allSatisfy { $0 == 1 })
    // No more than the stream's share, and a piece of the size of the loop's buffer for each look at it.
    #expect(reading.received < 2_000_000)
    await Eventually.expect("It is cancelled.") { request.isCancelled }
  }

  @Test func whoeverLetsGoOfTheStreamCancels() async throws {
    let request = session.streamRequest(origin.baseURL + "/infinite")
    #expect(request.asInputStream() != nil)
    await Eventually.expect("It is cancelled.") { request.isCancelled }
  }

  @Test func aRetryFailsAStreamThatHasBeenRead() async throws {
    origin.script(
      "/flaky", .text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc").then(.abruptClose),
      .response(body: [UInt8]("whole".utf8)))
    let session = session(
      interceptor: Retrier { request, _, _, completion in
        completion(request.retryCount < 1 ? .retry : .doNotRetry)
      })
    let reading = await read(session.streamRequest(origin.baseURL + "/flaky"))
    #expect(reading.bytes == Array("abc".utf8))
    #expect(reading.error is RestartedStream)
  }

  @Test func aRetryBeforeTheFirstByteIsNone() async throws {
    origin.script("/flaky", .close, .response(body: [UInt8]("whole".utf8)))
    let session = session(
      interceptor: Retrier { request, _, _, completion in
        completion(request.retryCount < 3 ? .retry : .doNotRetry)
      })
    let reading = await read(session.streamRequest(origin.baseURL + "/flaky"))
    #expect(reading.bytes == Array("whole".utf8) && reading.status == .atEnd)
  }
}
