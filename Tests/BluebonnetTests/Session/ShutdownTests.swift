// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestClock
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// The end of a session in good order.
@Suite struct ShutdownTests {
  private let origin = Origin.inMemory()
  private static let reply = Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody".utf8)

  private func session(
    onQueues: Bool = false, configuration: URLSessionConfiguration = .patientInMemory,
    startRequestsImmediately: Bool = true, requestSetup: Session.RequestSetup = .lazy,
    interceptor: (any RequestInterceptor)? = nil
  ) -> Session {
    Session(
      configuration: configuration, rootQueue: onQueues ? DispatchQueue(label: "test.root") : nil,
      startRequestsImmediately: startRequestsImmediately, requestSetup: requestSetup, interceptor: interceptor
    )
  }

  /// A request that the origin has, and does not answer.
  private func begin(_ session: Session, _ path: String = "/slow") async -> DataRequest {
    let (origin, count) = (origin, origin.requests.count)
    origin.script(path, .silence)
    let request = session.request(origin.baseURL + path).resume()
    await Eventually.expect("it has been sent") { origin.requests.count > count }
    return request
  }

  private func answer() throws {
    for request in origin.requests { _ = origin.interject(Self.reply, on: request.connection) }
  }

  /// The shutdown has begun: no request is taken.
  private func refuses(_ session: Session) async {
    await Eventually.expect("no request is taken") { session.context.active.withLock { $0.isClosed } }
  }

  @Test(arguments: [false, true]) func requestsUnderWayGoOn(onQueues: Bool) async throws {
    let session = session(onQueues: onQueues)
    let task = (await begin(session)).serializingString()
    let isOver = Recorder<Bool>()
    let shutdown = Task {
      await session.shutdown()
      isOver.note(true)
    }
    await refuses(session)
    let late = await session.request(origin.baseURL + "/get").serializingData().response
    #expect(late.error?.isSessionInvalidatedError == true && late.request == nil)
    #expect(isOver.entries.isEmpty && origin.requests.count == 1)
    try answer()
    #expect(await task.result.success == "body")
    await shutdown.value
    #expect(session.session.isInvalidated)
    let statistics = await session.statistics
    #expect(statistics.openConnections == 0 && statistics.requestsUnderWay == 0)
    await Eventually.expect("its connection is closed") { [origin] in origin.openConnections == 0 }
  }

  @Test(arguments: [false, true]) func theDeadlineCancelsTheRest(onQueues: Bool) async throws {
    let configuration = URLSessionConfiguration.inMemory
    let clock = configuration.stopClock()
    let session = session(onQueues: onQueues, configuration: configuration)
    let task = (await begin(session)).serializingData()
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 9999\r\nETag: \"1\"\r\n\r\n"
    origin.script(
      "/hanging", ScriptedReply([.bytes(Array(head.utf8) + Array(repeating: 1, count: 1000)), .hang]))
    let download = session.download(origin.baseURL + "/hanging").resume()
    await Eventually.expect("some of it is there") { download.downloadProgress.completedUnitCount == 1000 }
    let shutdown = Task { await session.shutdown(deadline: .seconds(10)) }
    await refuses(session)
    // The timer is started behind the refusal.
    while true {
      clock.advance(by: .seconds(1))
      if download.isCancelled { break }
      await Pause.suspend(microseconds: 1000)
    }
    #expect(await task.response.error?.isExplicitlyCancelledError == true)
    let response = await download.serializingData().response
    #expect(response.error?.isExplicitlyCancelledError == true && response.resumeData != nil)
    await shutdown.value
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min), .nanoseconds(1)])
  func aDeadlineThatHasCome(_ deadline: Duration) async {
    let session = session()
    let task = (await begin(session)).serializingData()
    await session.shutdown(deadline: deadline)
    #expect(await task.response.error?.isExplicitlyCancelledError == true)
  }

  @Test func aDeadlineThatNeverComes() async throws {
    let session = session()
    let task = (await begin(session)).serializingString()
    let shutdown = Task { await session.shutdown(deadline: .seconds(Int64.max)) }
    await refuses(session)
    try answer()
    #expect(await task.result.success == "body")
    await shutdown.value
  }

  @Test func cancellingTheAwaitingTask() async {
    let session = session()
    let task = (await begin(session)).serializingData()
    let shutdown = Task { await session.shutdown() }
    await refuses(session)
    shutdown.cancel()
    await shutdown.value
    #expect(await task.response.error?.isExplicitlyCancelledError == true)
    // A task that is cancelled already does not wait either.
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await session.shutdown()
    }.value
  }

  /// Of many calls at once, the one with a deadline ends the requests for all of them.
  @Test func manyAtOnceAndOnceMore() async {
    let session = session()
    let requests = [await begin(session, "/a"), await begin(session, "/b")]
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask { await session.shutdown(deadline: number == 13 ? .milliseconds(20) : nil) }
      }
    }
    for request in requests { #expect(request.isCancelled && request.response == nil) }
    await session.shutdown()
    await session.shutdown(deadline: .zero)
  }

  @Test func aSessionThatHasDoneNothing() async {
    await session().shutdown()
    await session(onQueues: true).shutdown(deadline: .seconds(1))
  }

  @Test func idleConnectionsAreClosed() async {
    let session = session()
    _ = await session.request(origin.baseURL + "/get").serializingData().response
    #expect(await session.statistics.idleConnections == 1)
    await session.shutdown()
    #expect(await session.statistics.openConnections == 0)
    await Eventually.expect("it is closed") { [origin] in origin.openConnections == 0 }
  }

  /// All kinds of requests, made or resumed too late. Nothing is sent, and no code of the user's is asked.
  @Test(arguments: [Session.RequestSetup.lazy, .eager], [false, true])
  func requestsThatComeTooLate(setup: Session.RequestSetup, onQueues: Bool) async {
    let adapted = Recorder<URLRequest>()
    let session = session(
      onQueues: onQueues, startRequestsImmediately: false, requestSetup: setup,
      interceptor: Adapter { request, _, completion in
        adapted.note(request)
        completion(.success(request))
      })
    let early = setup == .lazy ? session.request(origin.baseURL + "/get") : nil
    await session.shutdown()
    let url = origin.baseURL + "/get"
    let data = session.request(url).resume()
    var errors = [await data.serializingData().response.error]
    if let early { errors.append(await early.resume().serializingData().response.error) }
    errors.append(await session.download(url).resume().serializingData().response.error)
    errors.append(await session.upload(Data("x".utf8), to: url).resume().serializingData().response.error)
    for error in errors { #expect(error?.isSessionInvalidatedError == true) }
    let ends = Recorder<AFError?>()
    let queue = DispatchQueue(label: "test.events")
    session.streamRequest(url).responseStream(on: queue) { stream in
      if case .complete(let completion) = stream.event { ends.note(completion.error) }
    }.resume()
    session.webSocketRequest(to: url).streamMessageEvents(on: queue) { event in
      if case .completed(let completion) = event.kind { ends.note(completion.error) }
    }.resume()
    await Eventually.expect("both are told") { ends.entries.count == 2 }
    for error in ends.entries { #expect(error?.isSessionInvalidatedError == true) }
    #expect(origin.requests.isEmpty && adapted.entries.isEmpty)
    // A handler that comes later still is served.
    #expect(await data.serializingData().response.error?.isSessionInvalidatedError == true)
  }

  @Test(arguments: [false, true]) func aRequestUnderWayMayBeRetried(onQueues: Bool) async {
    let answers = Recorder<@Sendable (RetryResult) -> Void>()
    let scripted = ScriptedSession(
      onQueues: onQueues, interceptor: Retrier { _, _, _, completion in answers.note(completion) }
    ) { attempt, _ in attempt == 1 ? .failure(.networkConnectionLost) : .reply(body: ["in"]) }
    let task = scripted.session.request("http://host.test/").serializingString()
    await Eventually.expect("the retrier is asked") { answers.entries.count == 1 }
    let shutdown = Task { await scripted.session.shutdown() }
    await refuses(scripted.session)
    for answer in answers.entries { answer(.retryWithDelay(0.001)) }
    #expect(await task.result.success == "in")
    await shutdown.value
  }

  /// A retrier that never answers keeps the request, until the deadline.
  @Test func aRetrierThatNeverAnswers() async {
    let answers = Recorder<@Sendable (RetryResult) -> Void>()
    let scripted = ScriptedSession(interceptor: Retrier { _, _, _, completion in answers.note(completion) }) {
      _, _ in .failure(.networkConnectionLost)
    }
    let task = scripted.session.request("http://host.test/").serializingString()
    await Eventually.expect("the retrier is asked") { answers.entries.count == 1 }
    await scripted.session.shutdown(deadline: .milliseconds(1))
    // It had failed before.
    #expect(await task.response.error?.isSessionTaskError == true)
    for answer in answers.entries { answer(.retry) }
    #expect(scripted.engine.started.count == 1)
  }

  /// A request is over as soon as its handlers are on their way.
  @Test(arguments: [false, true]) func handlersOfEarlierRequestsAreWaitedFor(isStream: Bool) async throws {
    let session = session()
    let gate = DispatchSemaphore(value: 0)
    let (begun, returned) = (Recorder<Bool>(), Recorder<Bool>())
    let handle: @Sendable () -> Void = {
      begun.note(true)
      gate.wait()
      returned.note(true)
    }
    let queue = DispatchQueue(label: "test.slow")
    if isStream {
      session.streamRequest(origin.baseURL + "/get").responseStream(on: queue) { stream in
        if stream.completion != nil { handle() }
      }
    } else {
      session.request(origin.baseURL + "/get").response(queue: queue) { _ in handle() }
    }
    await Eventually.expect("the handler runs") { !begun.entries.isEmpty }
    #expect(session.context.active.withLock { $0.count } == 0)
    let first = Task { await session.shutdown(deadline: .zero) }
    await refuses(session)
    let second = Task { await session.shutdown() }
    #expect(returned.entries.isEmpty)
    gate.signal()
    await first.value
    #expect(returned.entries == [true])
    await second.value
    // Nothing is left to wait for.
    await session.shutdown()
  }

  @Test func handlersAreWaitedFor() async throws {
    let session = session()
    let gate = DispatchSemaphore(value: 0)
    let returned = Recorder<Bool>()
    session.request(origin.baseURL + "/get").response(queue: DispatchQueue(label: "test.slow")) { _ in
      gate.wait()
      returned.note(true)
    }
    let shutdown = Task { await session.shutdown(deadline: .zero) }
    await refuses(session)
    let second = Task { await session.shutdown() }
    gate.signal()
    await shutdown.value
    #expect(returned.entries == [true])
    await second.value
  }

  @Test func tasksOfTheURLSession() async throws {
    for isCancelled in [false, true] {
      let session = session()
      let origin = Origin.inMemory()
      origin.script("/slow", .silence)
      let url = try #require(URL(string: origin.baseURL + "/slow"))
      let ends = Recorder<URLError.Code?>()
      let task = session.session.dataTask(with: url) { _, _, error in ends.note((error as? URLError)?.code) }
      task.resume()
      await Eventually.expect("it is sent") { !origin.requests.isEmpty }
      let shutdown = Task { await session.shutdown(deadline: isCancelled ? .milliseconds(1) : nil) }
      await refuses(session)
      if !isCancelled {
        for request in origin.requests { _ = origin.interject(Self.reply, on: request.connection) }
      }
      await shutdown.value
      await Eventually.expect("it has ended") { ends.entries.count == 1 }
      #expect(ends.entries == [isCancelled ? .cancelled : nil])
    }
  }

  /// Called in a handler, by a task of its own.
  @Test func fromAHandler() async {
    let session = session()
    let url = origin.baseURL + "/get"
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      session.request(url).response { _ in
        Task {
          await session.shutdown()
          done.resume()
        }
      }
    }
    #expect(session.session.isInvalidated)
  }

  /// Requests that are begun at the very moment are served or refused, and not forgotten.
  @Test func whileOthersBegin() async {
    for _ in 0..<Repetitions.count {
      let session = session()
      let url = origin.baseURL + "/get"
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask {
            let response = await session.request(url).serializingData().response
            #expect(response.error == nil || response.error?.isSessionInvalidatedError == true)
          }
        }
        group.addTask { await session.shutdown() }
      }
      #expect(session.context.active.withLock { $0.count } == 0)
    }
  }
}
