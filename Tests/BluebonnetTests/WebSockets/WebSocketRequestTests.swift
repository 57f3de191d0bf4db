// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import Testing

@testable import Bluebonnet

/// WebSocket requests against our own origin.
@Suite struct WebSocketRequestTests {
  let origin: Origin
  let session = Session(configuration: .patientInMemory)
  /// A serial one: others keep no order.
  let queue = DispatchQueue(label: "test.events")

  init() throws { origin = Origin.inMemory() }

  private func url(_ path: String) -> String {
    "ws" + origin.baseURL.dropFirst(4) + path
  }

  /// Notes events in words.
  private final class Heard: Sendable {
    let words = Locked<[String]>([])

    func note<Success, Failure>(_ event: WebSocketRequest.Event<Success, Failure>) {
      let text =
        switch event.kind {
        case .connected(let name): "connected \(name ?? "nil")"
        case .receivedMessage(let message): "message \(message)"
        case .serializerFailed: "serializer failed"
        case .disconnected(let code, let reason):
          "disconnected \(code.rawValue) \(reason.map { String(decoding: $0, as: UTF8.self) } ?? "nil")"
        case .completed(let completion):
          "completed \(completion.response?.statusCode ?? 0) \(completion.error.map { "\($0.isExplicitlyCancelledError ? "cancelled" : "failed")" } ?? "nil")"
        }
      words.withLock { $0.append(text) }
    }

    func wait(for count: Int, sourceLocation: SourceLocation = #_sourceLocation) async -> [String] {
      await Eventually.expect("\(count) events", sourceLocation: sourceLocation) {
        self.words.withLock { $0.count } >= count
      }
      return words.withLock { $0 }
    }
  }

  private struct Reply: Decodable, Sendable { let url: String }

  // MARK: Events

  @Test func eventsComeInOrder() async throws {
    let heard = Heard()
    let request = session.webSocketRequest(
      to: url("/websocket?closeDelay=1"), configuration: .protocol("chat")
    )
    .streamDecodableEvents(Reply.self, on: queue) { heard.note($0) }
    let words = await heard.wait(for: 4)
    #expect(words[0] == "connected chat")
    #expect(words[1].hasPrefix("message Reply(url: \"\(origin.baseURL)/websocket"))
    #expect(Array(words[2...]) == ["disconnected 1000 nil", "completed 101 nil"])
    #expect(request.isFinished)
    #expect(request.error == nil)
    #expect(request.response?.statusCode == 101)
    #expect(request.metrics != nil)
  }

  /// The head of one that has opened is as it should be, and what came of it is no matter of its head.
  @Test func validatorsAcceptWhatHasOpened() async throws {
    let heard = Heard()
    session.webSocketRequest(to: url("/websocket?closeDelay=0"))
      .validate().validate(statusCode: [200]).streamMessageEvents(on: queue) { heard.note($0) }
    let words = await heard.wait(for: 4)
    #expect(words.last == "completed 101 nil")
  }

  /// On a concurrent queue of the caller's, too.
  @Test func decodedMessagesComeInOrder() async throws {
    let heard = Heard()
    let session = Session(
      configuration: .patientInMemory, startRequestsImmediately: false,
      serializationQueue: DispatchQueue(label: "test.concurrent", attributes: .concurrent))
    session.webSocketRequest(to: url("/websocket/payloads/300"))
      .streamDecodableEvents(Reply.self, on: queue) { heard.note($0) }
      .resume()
    let words = await heard.wait(for: 303)
    #expect(words.first?.hasPrefix("connected") == true)
    #expect(words.dropFirst().prefix(300).allSatisfy { $0.hasPrefix("message") })
    #expect(words.suffix(2).first?.hasPrefix("disconnected") == true)
    #expect(words.last?.hasPrefix("completed 101") == true)
    withExtendedLifetime(session) {}
  }

  @Test func manyMessagesForManyHandlers() async throws {
    let counts = Locked([0, 0, 0])
    let heard = Heard()
    // Else those whose turn comes late hear what is left.
    let session = Session(configuration: .patientInMemory, startRequestsImmediately: false)
    session.webSocketRequest(to: url("/websocket/payloads/300"))
      .streamMessages(on: queue) { _ in counts.withLock { $0[0] += 1 } }
      .streamDecodable(Reply.self, on: queue) { _ in counts.withLock { $0[1] += 1 } }
      .streamMessageEvents(on: DispatchQueue(label: "test")) { event in
        if event.message != nil { counts.withLock { $0[2] += 1 } } else { heard.note(event) }
      }
      .resume()
    let words = await heard.wait(for: 3)
    #expect(words == ["connected nil", "disconnected 1000 nil", "completed 101 nil"])
    await Eventually.expect("all have heard all") { counts.withLock { $0 } == [300, 300, 300] }
    withExtendedLifetime(session) {}
  }

  @Test func parametersGoIntoTheQuery() async throws {
    let heard = Heard()
    session.webSocketRequest(
      to: url("/websocket"), parameters: ["closeCode": "4000", "closeDelay": "1"], headers: ["X-Test": "1"]
    ).streamMessageEvents(on: queue) { event in if event.message == nil { heard.note(event) } }
    #expect(await heard.wait(for: 3)[1] == "disconnected 4000 nil")
    #expect(origin.requests.first?.value("X-Test") == "1")
  }

  // MARK: Sending

  @Test func messagesWaitForTheSocket() async throws {
    let heard = Heard()
    let sent = Locked(0)
    let request = session.webSocketRequest(
      performing: try URLRequest(url: url("/websocket/echo"), method: .get))
    for number in 0..<20 {
      request.send(.string("\(number)"), queue: .global()) { result in
        if case .success = result { sent.withLock { $0 += 1 } }
      }
    }
    request.streamMessageEvents(on: DispatchQueue(label: "test")) { event in
      if case .string(let text)? = event.message {
        heard.words.withLock { $0.append(text) }
        if text == "19" { event.close(sending: .normalClosure, reason: Data("done".utf8)) }
      } else {
        heard.note(event)
      }
    }
    let words = await heard.wait(for: 23)
    #expect(words[0] == "connected nil")
    #expect(Array(words[1..<21]) == (0..<20).map { "\($0)" })
    // The server's answer, which has no reason.
    #expect(Array(words[21...]) == ["disconnected 1000 nil", "completed 101 nil"])
    #expect(sent.withLock { $0 } == 20)
    let late = await withCheckedContinuation { continuation in
      request.send(.string("late"), queue: .global()) { continuation.resume(returning: $0) }
    }
    #expect(throws: (any Error).self) { try late.get() }
  }

  @Test func whatIsNeverSentIsToldSo() async {
    // A server that takes its time: nothing is sent before it agrees.
    let request = session.webSocketRequest(to: url("/delay/10"))
    let outcome = await withCheckedContinuation { continuation in
      request.send(.string("x"), queue: .global()) { continuation.resume(returning: $0) }
      request.streamMessages(on: queue) { _ in }
      request.cancel()
    }
    #expect(throws: (any Error).self) { try outcome.get() }
  }

  /// Nothing else would start the request of somebody who waits for it.
  @Test(.timeLimit(.minutes(5))) func anAwaitedMessageStartsIt() async throws {
    let chat = session.webSocketRequest(to: url("/websocket/echo")).webSocketTask()
    try await chat.send(.string("hello"))
    var heard: [URLSessionWebSocketTask.Message] = []
    for await message in chat.streamingMessages() {
      heard.append(message)
      chat.close(sending: .normalClosure)
    }
    #expect(heard == [.string("hello")])
  }

  @Test(.timeLimit(.minutes(5))) func anAwaitedMessageIsCancelled() async throws {
    let request = session.webSocketRequest(to: url("/websocket/echo"), shouldAutomaticallyResume: false)
    let chat = request.webSocketTask()
    let sending = Task { try await chat.send(.string("hello")) }
    sending.cancel()
    let outcome = await sending.result
    #expect(throws: AFError.self) { try outcome.get() }
    #expect(request.isInitialized)
  }

  /// Nobody starts the request any more, so nobody else would say that the message is not sent.
  @Test(.timeLimit(.minutes(5))) func whatIsLetGoOfIsToldSo() async {
    let outcome = await withCheckedContinuation { continuation in
      session.webSocketRequest(to: url("/websocket/echo"), shouldAutomaticallyResume: false)
        .send(.string("x"), queue: .global()) { continuation.resume(returning: $0) }
    }
    #expect(throws: AFError.self) { try outcome.get() }
  }

  // MARK: Pings

  @Test func pings() async throws {
    let request = session.webSocketRequest(to: url("/websocket/ping/2"))
    let early = await withCheckedContinuation { continuation in
      request.sendPing(respondingOn: .global()) { continuation.resume(returning: $0) }
    }
    guard case .unsent = early else {
      Issue.record("\(early)")
      return
    }
    let heard = Heard()
    let latency = Locked<TimeInterval?>(nil)
    request.streamMessageEvents(on: queue) { event in
      heard.note(event)
      guard case .connected = event.kind else { return }
      for _ in 0..<2 {
        event.sendPing(respondingOn: .global()) { response in
          if case .pong(let pong) = response { latency.withLock { $0 = pong.latency } }
        }
      }
    }
    let words = await heard.wait(for: 3)
    #expect(words == ["connected nil", "disconnected 1000 nil", "completed 101 nil"])
    // Pongs are told on another queue than the end.
    await Eventually.expect("a pong is told") { latency.withLock { $0 != nil } }
    #expect(try #require(latency.withLock { $0 }) >= 0)
  }

  /// The server closes after the third.
  @Test func pingsByThemselves() async throws {
    let heard = Heard()
    session.webSocketRequest(to: url("/websocket/ping/3"), configuration: .pingInterval(0.01))
      .streamMessageEvents(on: queue) { heard.note($0) }
    #expect(await heard.wait(for: 3) == ["connected nil", "disconnected 1000 nil", "completed 101 nil"])
  }

  // MARK: Ending

  @Test func cancelling() async {
    let heard = Heard()
    let request = session.webSocketRequest(to: url("/websocket/echo"))
    request.streamMessageEvents(on: queue) { event in
      heard.note(event)
      if case .connected = event.kind { event.cancel() }
    }
    let words = await heard.wait(for: 2)
    #expect(words == ["connected nil", "completed 101 cancelled"])
    #expect(request.isCancelled)
  }

  @Test func closingBeforeItIsOpen() async {
    let heard = Heard()
    session.webSocketRequest(to: url("/websocket/echo"), shouldAutomaticallyResume: false)
      .streamMessageEvents(on: queue) { heard.note($0) }
      .close(sending: .normalClosure)
    let words = await heard.wait(for: 1)
    #expect(words == ["completed 0 nil"])
  }

  @Test func aRefusalIsAFailure() async {
    let heard = Heard()
    let request = session.webSocketRequest(to: url("/status/404"))
      .streamMessageEvents(on: queue) { heard.note($0) }
    #expect(await heard.wait(for: 1) == ["completed 404 failed"])
    #expect((request.error?.underlyingError as? URLError)?.code == .badServerResponse)
  }

  /// A retrier has it opened anew.
  @Test func aLostSocketIsRetried() async throws {
    origin.script("/flaky", .close)
    let heard = Heard()
    session.webSocketRequest(
      to: url("/flaky"), interceptor: RetryPolicy(retryLimit: 1, exponentialBackoffScale: 0.001)
    ).streamMessageEvents(on: queue) { heard.note($0) }
    #expect(await heard.wait(for: 1) == ["completed 0 failed"])
    #expect(origin.requests.count >= 2)
  }

  @Test func whatCannotBeDecoded() async {
    for cancels in [false, true] {
      let heard = Heard()
      let request = session.webSocketRequest(
        to: url("/websocket/payloads/2"),
        configuration: .init(automaticallyCancelOnStreamError: cancels)
      ).streamSerializer(.json(decoding: Int.self), on: queue) { heard.note($0) }
      if cancels {
        await Eventually.expect("it is over") { heard.words.withLock { $0.last == "completed 101 failed" } }
        #expect(request.error?.isResponseSerializationError == true)
      } else {
        #expect(
          await heard.wait(for: 5) == [
            "connected nil", "serializer failed", "serializer failed", "disconnected 1000 nil",
            "completed 101 nil",
          ])
      }
    }
  }

  // MARK: Sequences

  @Test func sequences() async throws {
    let task = session.webSocketRequest(to: url("/websocket/echo")).webSocketTask()
    let messages = task.streamingMessages()
    for text in ["one", "two", "three"] { try await task.send(.string(text)) }
    var heard: [URLSessionWebSocketTask.Message] = []
    for await message in messages {
      heard.append(message)
      if heard.count == 3 { task.close(sending: .normalClosure) }
    }
    #expect(heard == [.string("one"), .string("two"), .string("three")])
    let decoded = session.webSocketRequest(to: url("/websocket/payloads/3")).webSocketTask()
    var replies = 0
    for await _ in decoded.streamingDecodable(Reply.self) { replies += 1 }
    #expect(replies == 3)
  }

  /// What a reader leaves unread waits on the network.
  @Test func aSlowReaderHoldsTheServerBack() async throws {
    let request = session.webSocketRequest(
      to: url("/websocket/payloads/1000"), headers: ["X-Long": String(repeating: "x", count: 6000)])
    var messages = request.webSocketTask().streamingMessages().makeAsyncIterator()
    #expect(await messages.next() != nil)
    // Time for all of it, were it read.
    let other = session.webSocketRequest(to: url("/websocket/echo")).webSocketTask()
    var echoes = other.streamingMessages().makeAsyncIterator()
    for _ in 0..<20 {
      try await other.send(.data(Data(count: 500_000)))
      #expect(await echoes.next() == .data(Data(count: 500_000)))
    }
    let received = try #require(request.task?.countOfBytesReceived)
    #expect(received < 1_000_000)
    var count = 1
    while await messages.next() != nil { count += 1 }
    #expect(count == 1000)
    #expect(request.isFinished && request.error == nil)
    other.cancel()
  }

  /// Who stops reading without cancelling leaves nothing in the way of the next one.
  @Test func anotherReaderGoesOn() async throws {
    let request = session.webSocketRequest(
      to: url("/websocket/payloads/1000"), headers: ["X-Long": String(repeating: "x", count: 6000)])
    let task = request.webSocketTask()
    do {
      var messages = task.streamingMessages(automaticallyCancelling: false).makeAsyncIterator()
      #expect(await messages.next() != nil)
      await Eventually.expect("it rests") { request.task?.countOfBytesReceived ?? 0 > 500_000 }
    }
    await Eventually.expect("it is over") { request.isFinished }
    #expect(request.error == nil)
  }

  @Test func nobodyReadsAnyMore() async {
    let request = session.webSocketRequest(to: url("/websocket/payloads/1000"))
    let events = request.webSocketTask().streamingMessageEvents()
    for await event in events where event.message != nil { break }
    await Eventually.expect("it is cancelled") { request.isCancelled || request.isFinished }
  }

  /// With a delegate of the user's between the task and the request.
  @Test func throughASessionDelegate() async {
    final class Delegate: SessionDelegate, @unchecked Sendable {}
    let session = Session(configuration: .patientInMemory, delegate: Delegate())
    let heard = Heard()
    session.webSocketRequest(to: url("/websocket/payloads/1")).streamMessageEvents(on: queue) { event in
      if event.message == nil { heard.note(event) }
    }
    let words = await heard.wait(for: 3)
    #expect(words == ["connected nil", "disconnected 1000 nil", "completed 101 nil"])
  }

  /// Values, and what could be made of no value, between the opening and the end.
  @Test func decodedEvents() async throws {
    let task = session.webSocketRequest(to: url("/websocket/echo")).webSocketTask()
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    struct Greeting: Decodable, Sendable { let firstWord: String }
    let events = task.streamingDecodableEvents(Greeting.self, using: decoder)
    for text in [#"{"first_word": "hello"}"#, "nothing", #"{"first_word": "bye"}"#] {
      try await task.send(.string(text))
    }
    var words: [String] = []
    for await event in events {
      switch event.kind {
      case .connected: words.append("connected")
      case .receivedMessage(let greeting):
        words.append(greeting.firstWord)
        if greeting.firstWord == "bye" { task.close(sending: .normalClosure) }
      case .serializerFailed: words.append("failed")
      case .disconnected(let code, _): words.append("\(code.rawValue)")
      case .completed(let completion): words.append(completion.error == nil ? "completed" : "broken")
      }
    }
    #expect(words == ["connected", "hello", "failed", "bye", "1000", "completed"])
  }
}
