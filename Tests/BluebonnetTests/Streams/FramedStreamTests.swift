// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// Streams that are taken apart at boundaries of their own.
@Suite struct FramedStreamTests {
  private let origin: Origin

  init() {
    origin = Origin.inMemory()
  }

  struct Row: Codable, Sendable, Hashable {
    let n: Int
  }

  private func session(onQueues: Bool = false, interceptor: (any RequestInterceptor)? = nil) -> Session {
    Session(
      configuration: .inMemory, rootQueue: onQueues ? DispatchQueue(label: "test.root") : nil,
      interceptor: interceptor)
  }

  /// What a handler has been told: frames, errors, and the end.
  private func told<Framing: DataStreamFraming>(
    _ request: DataStreamRequest, _ framing: Framing
  ) async -> (frames: [Framing.Frame], errors: [AFError], end: DataStreamRequest.Completion?) {
    var frames: [Framing.Frame] = []
    var errors: [AFError] = []
    var end: DataStreamRequest.Completion?
    for await stream in request.streamTask().streamingFrames(framing) {
      if let frame = stream.value { frames.append(frame) }
      if let error = stream.error { errors.append(error) }
      if let completion = stream.completion { end = completion }
    }
    return (frames, errors, end)
  }

  /// A queue of the caller's may be concurrent. What is made of one stream comes in its order all the same.
  @Test func aConcurrentQueueKeepsTheOrder() async throws {
    let session = Session(
      configuration: .inMemory,
      serializationQueue: DispatchQueue(label: "test.concurrent", attributes: .concurrent))
    let rows = (0..<1000).map(Row.init)
    let text = rows.map { "{\"n\": \($0.n)}\n" }.joined()
    let head = "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n"
    origin.script("/rows", .text(head + text).dripping(size: 13, every: 0))
    let (frames, errors, end) = await told(
      session.streamRequest(origin.baseURL + "/rows"), .jsonLines(of: Row.self))
    #expect(frames == rows && errors.isEmpty && end != nil && end?.error == nil)
    var whole = ""
    let task = session.streamRequest(origin.baseURL + "/rows").streamTask()
    for await part in task.streamingStrings() { whole += part.value ?? "" }
    #expect(whole == text)
  }

  @Test(arguments: [1, 2, 7, 1000], [false, true])
  func eventsInPiecesOfAnySize(_ size: Int, onQueues: Bool) async throws {
    let text = ": hello\n\nid: 1\nevent: add\ndata: grüße\ndata: 2\n\nretry: 10\r\n\r\ndata: b\n\ndata: lost"
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: \(text.utf8.count)\r\n\r\n"
    origin.script("/events", .text(head + text).dripping(size: size, every: 0))
    let session = session(onQueues: onQueues)
    let (events, errors, end) = await told(
      session.streamRequest(origin.baseURL + "/events"), .serverSentEvents)
    #expect(
      events == [
        ServerSentEvent(id: "1", type: "add", data: "grüße\n2"),
        ServerSentEvent(id: "1", data: "b", retry: 10),
      ])
    #expect(errors.isEmpty && end?.error == nil && end?.response?.statusCode == 200)
  }

  @Test(arguments: [1, 3, 1000]) func linesOfJSON(_ size: Int) async throws {
    let text = "{\"n\": 1}\n\n{\"n\": 2}\r\nnonsense\n  \n{\"n\": 3}"
    origin.script("/rows", ScriptedReply.response(body: [UInt8](text.utf8)).dripping(size: size, every: 0))
    let session = session()
    let (rows, errors, end) = await told(
      session.streamRequest(origin.baseURL + "/rows"), .jsonLines(of: Row.self))
    #expect(rows == [Row(n: 1), Row(n: 2), Row(n: 3)])
    #expect(errors.count == 1 && errors.first?.isResponseSerializationError == true)
    #expect(end?.error == nil)
  }

  @Test(arguments: [true, false]) func theLastLineMayBeWrong(_ cancels: Bool) async throws {
    origin.script("/rows", .response(body: [UInt8]("{\"n\": 1}\nhalf a li".utf8)))
    let session = session()
    let request = session.streamRequest(origin.baseURL + "/rows", automaticallyCancelOnStreamError: cancels)
    let (rows, errors, end) = await told(request, .jsonLines(of: Row.self))
    #expect(rows == [Row(n: 1)] && errors.count == 1)
    #expect((end?.error?.isExplicitlyCancelledError ?? false) == cancels)
  }

  @Test func anErrorCancelsIfAskedTo() async throws {
    let text = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n{\"n\": 1}\nnonsense\n{\"n\": 2}\n"
    origin.script("/rows", .text(text).then(.hang))
    let session = session()
    let request = session.streamRequest(origin.baseURL + "/rows", automaticallyCancelOnStreamError: true)
    let (_, errors, end) = await told(request, .jsonLines(of: Row.self))
    #expect(errors.count == 1 && end?.error?.isExplicitlyCancelledError == true)
  }

  @Test func aBodyThatBreaksOffHasNoLastLine() async throws {
    let text = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n{\"n\": 1}\n{\"n\": 2}"
    origin.script("/rows", .text(text).then(.abruptClose))
    let session = session()
    let (rows, errors, end) = await told(
      session.streamRequest(origin.baseURL + "/rows"), .jsonLines(of: Row.self))
    #expect(rows == [Row(n: 1)] && errors.isEmpty && end?.error?.isSessionTaskError == true)
  }

  /// Whatever the request was made with: nothing can be made of the rest.
  @Test func aLineBeyondTheLimitEndsTheStream() async throws {
    let session = session()
    let (rows, _, end) = await told(
      session.streamRequest(origin.baseURL + "/infinite"), .jsonLines(of: Row.self, lineLimit: 100_000))
    #expect(rows.isEmpty)
    let error = end?.error?.underlyingError as? StreamFramingError
    #expect(error == .lineTooLong(limit: 100_000))
    let words = "the server sent a line of more than 100000 bytes"
    #expect(error?.localizedDescription == words && error?.description == words)
    // Also for who does not know its type.
    #expect(end?.error?.underlyingError?.localizedDescription == words)
    let events = await told(
      session.streamRequest(origin.baseURL + "/infinite"), ServerSentEventFraming(lineLimit: 10))
    #expect(events.end?.error?.underlyingError as? StreamFramingError == .lineTooLong(limit: 10))
  }

  @Test func whoCancelsAtAFrameGetsNoMore() async throws {
    let text = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"n\": 1}\n{\"n\": 2}\n{\"n\": 3}\n"
    origin.script("/rows", .text(text).then(.hang))
    let session = session()
    let seen = Recorder<Int>()
    let end: AFError? = await withCheckedContinuation { continuation in
      session.streamRequest(origin.baseURL + "/rows")
        .responseStream(framedBy: .jsonLines(of: Row.self), on: DispatchQueue(label: "test.stream")) {
          stream in
          if let row = stream.value {
            seen.note(row.n)
            if row.n == 2 { stream.cancel() }
          }
          if let completion = stream.completion { continuation.resume(returning: completion.error) }
        }
    }
    #expect(seen.entries == [1, 2])
    #expect(end?.isExplicitlyCancelledError == true)
  }

  @Test func aRetryBeginsANewFraming() async throws {
    origin.script(
      "/events", .text("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nid: 9\ndata: ha").then(.abruptClose),
      .response(body: [UInt8]("data: whole\n\n".utf8)))
    let session = session(
      interceptor: Retrier { request, _, _, completion in
        completion(request.retryCount < 1 ? .retry : .doNotRetry)
      })
    let (events, _, end) = await told(session.streamRequest(origin.baseURL + "/events"), .serverSentEvents)
    #expect(events == [ServerSentEvent(data: "whole")] && end?.error == nil)
  }

  /// Of which nothing comes: what the attempt before has left is none of its lines.
  @Test func aRetryMayBeEmpty() async throws {
    origin.script(
      "/rows",
      .text("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"n\": 1}\n{\"n\": ").then(.abruptClose),
      .response(body: []))
    let session = session(
      interceptor: Retrier { request, _, _, completion in
        completion(request.retryCount < 1 ? .retry : .doNotRetry)
      })
    let (rows, errors, end) = await told(
      session.streamRequest(origin.baseURL + "/rows"), .jsonLines(of: Row.self))
    #expect(rows == [Row(n: 1)] && errors.isEmpty && end?.error == nil)
  }

  /// Whatever the network has put into one piece.
  @Test func whatCameBeforeAFaultIsNotLost() throws {
    var framing = ServerSentEventFraming(lineLimit: 10)
    var events: [String] = []
    #expect(throws: AFError.self) {
      try framing.append(Data("data: a\n\ndata: b\n\ndata: too long\n\n".utf8)) { frame in
        if case .success(let event) = frame { events.append(event.data) }
      }
    }
    #expect(events == ["a", "b"])
  }

  /// A reader who stops without cancelling holds nothing back any more.
  @Test func whoStopsReadingLeavesTheBodyAlone() async throws {
    let session = session()
    let request = session.streamRequest(origin.baseURL + "/manyBytes/5000000")
    do {
      var parts = request.streamTask().streamingData(automaticallyCancelling: false).makeAsyncIterator()
      #expect(await parts.next()?.value != nil)
      await Eventually.expect("It is held back.") { request.flow.withLock { $0.isResting } }
    }
    await Eventually.expect("It is over.") { request.isFinished }
    #expect(request.error == nil)
  }

  /// Frames that nobody reads hold the body back.
  @Test func aSlowReaderHoldsTheBodyBack() async throws {
    // Few frames make up what may wait.
    let row = [UInt8]("{\"n\": 12345678, \"more\": \"\(String(repeating: "x", count: 2000))\"}\n".utf8)
    origin.script(
      "/rows", [.bytes(Array("HTTP/1.1 200 OK\r\n\r\n".utf8)), .repeating(row, count: nil)])
    let session = session()
    let request = session.streamRequest(origin.baseURL + "/rows")
    var iterator = request.streamTask().streamingFrames(.jsonLines(of: Row.self)).makeAsyncIterator()
    #expect(await iterator.next()?.value == Row(n: 12_345_678))
    await Eventually.expect("It is held back.") { request.flow.withLock { $0.isResting } }
    let received = request.task?.countOfBytesReceived ?? 0
    #expect(received < 2_000_000)
    for _ in 0..<1000 { #expect(await iterator.next()?.value == Row(n: 12_345_678)) }
    request.cancel()
  }
}
