// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import Testing

@testable import Bluebonnet

/// Event streams that are connected to again.
@Suite struct EventSourceTests {
  private let origin: Origin
  private let session = Session(configuration: .inMemory)

  init() {
    origin = Origin.inMemory()
  }

  private static func stream(
    _ text: String, status: Int = 200, type: String = "text/event-stream; charset=utf-8"
  ) -> ScriptedReply {
    .response(status: status, fields: [("Content-Type", type)], body: [UInt8](text.utf8))
  }

  private func source(
    _ reconnection: EventSource.Reconnection = .init(attemptLimit: 2, delay: 0)
  ) throws -> EventSource {
    session.eventSource(
      try URLRequest(url: origin.baseURL + "/events", method: .get), reconnecting: reconnection)
  }

  private func read(_ source: EventSource) async -> (data: [String], error: AFError?) {
    var data: [String] = []
    do {
      for try await event in source { data.append(event.data) }
      return (data, nil)
    } catch {
      return (data, error as? AFError)
    }
  }

  @Test func itGoesOnWhereItWas() async throws {
    origin.script(
      "/events", Self.stream("retry: 1\nid: 1\ndata: a\n\nid: 2\ndata: b\n\ndata: lost"),
      Self.stream("id: 3\n\ndata: c\n\n"),
      .text("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 99\r\n\r\ndata: d\n\n")
        .then(.abruptClose),
      Self.stream("data: e\n\n"), Self.stream("", status: 204))
    let (data, error) = await read(try source())
    #expect(data == ["a", "b", "c", "d", "e"] && error == nil)
    #expect(origin.requests.map { $0.value("Last-Event-ID") } == [nil, "2", "3", "3", "3"])
    #expect(origin.requests.allSatisfy { $0.values("Accept") == ["text/event-stream"] })
    #expect(origin.requests.allSatisfy { $0.values("Cache-Control") == ["no-store"] })
  }

  @Test func attemptsWithoutAnEventAreCounted() async throws {
    origin.script("/events", Self.stream("data: a\n\n"), Self.stream(": nothing\n\n"))
    let (data, error) = await read(try source())
    #expect(data == ["a"] && error == nil)
    #expect(origin.requests.count == 3)
  }

  @Test func theLastAttemptsErrorIsTheEnd() async throws {
    origin.script("/events", Self.stream("data: a\n\n"), .reset)
    let (data, error) = await read(try source())
    #expect(data == ["a"] && error?.isSessionTaskError == true)
  }

  @Test func neverMeansOnce() async throws {
    origin.script("/events", Self.stream("data: a\n\n"))
    let (data, error) = await read(try source(.never))
    #expect(data == ["a"] && error == nil && origin.requests.count == 1)
  }

  @Test(arguments: [(404, "text/event-stream"), (500, "text/event-stream"), (200, "text/html"), (200, "")])
  func whatIsNoEventStreamIsRefused(_ status: Int, _ type: String) async throws {
    origin.script("/events", Self.stream("data: a\n\n", status: status, type: type))
    let (data, error) = await read(try source())
    #expect(data.isEmpty && error?.isResponseValidationError == true)
    #expect(origin.requests.count == 1)
  }

  @Test func noContentIsTheEnd() async throws {
    origin.script("/events", .response(status: 204))
    let (data, error) = await read(try source())
    #expect(data.isEmpty && error == nil && origin.requests.count == 1)
  }

  /// An id that cannot stand in a field is kept, and not sent.
  @Test func whatCannotBeSentIsNotSent() async throws {
    origin.script("/events", Self.stream("id: a\u{1}b\ndata: a\n\n"), .response(status: 204))
    let (data, error) = await read(try source())
    #expect(data == ["a"] && error == nil)
    #expect(origin.requests.map { $0.value("Last-Event-ID") } == [nil, nil])
  }

  @Test func theServersTimeHasALimit() async throws {
    origin.script("/events", Self.stream("retry: 99999999999999999999\ndata: a\n\n"), .response(status: 204))
    let (data, error) = await read(try source(.init(attemptLimit: 1, delay: 0, delayLimit: 0.01)))
    #expect(data == ["a"] && error == nil && origin.requests.count == 2)
  }

  @Test func cancellingTheReaderEndsIt() async throws {
    origin.script(
      "/events", .text("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: a\n\n").then(.hang))
    let source = try source()
    let reading = Task { await read(source) }
    await Eventually.expect("It is connected.") { origin.requests.count == 1 }
    reading.cancel()
    #expect(await reading.value.error?.isExplicitlyCancelledError == true)
    await Eventually.expect("The connection is gone.") { origin.openConnections == 0 }
  }

  /// The error is the same whatever the source was about to do.
  @Test func cancellingThePauseEndsIt() async throws {
    origin.script("/events", Self.stream("data: a\n\n"))
    let source = try source(.init(attemptLimit: 1, delay: 3600, delayLimit: 3600))
    let reading = Task { await read(source) }
    await Eventually.expect("It is answered.") { origin.requests.count == 1 }
    reading.cancel()
    #expect(await reading.value.error?.isExplicitlyCancelledError == true)
  }

  /// Nobody but the source could start its requests.
  @Test(.timeLimit(.minutes(5))) func aSessionThatStartsNothingByItself() async throws {
    origin.script("/events", Self.stream("data: a\n\n"))
    let session = Session(configuration: .inMemory, startRequestsImmediately: false)
    let source = session.eventSource(
      try URLRequest(url: origin.baseURL + "/events", method: .get), reconnecting: .never)
    let (data, error) = await read(source)
    #expect(data == ["a"] && error == nil)
  }

  /// No time makes the clock trap.
  @Test(
    arguments: [
      (.nan, 60, nil, 3), (100, .nan, nil, 60), (.infinity, 2, nil, 2), (-1, 1, nil, 0),
      (0, .infinity, 1500, 1.5), (.infinity, .infinity, nil, 1e9), (1e300, 1e300, nil, 1e9),
      (0, 60, 0, 0.1), (0, 60, 99, 0.1), (0, 0.01, 0, 0.01),
    ] as [(TimeInterval, TimeInterval, Int?, TimeInterval)])
  func pausesAreFinite(_ delay: TimeInterval, _ limit: TimeInterval, _ wanted: Int?, _ pause: TimeInterval) {
    #expect(
      EventSource.Reconnection(delay: delay, delayLimit: limit).pause(wanted: wanted) == .seconds(pause))
  }
}
