// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// Whole requests on a scripted network; each behaviour on the loop and on queues.
@Suite struct PipelineTests {
  private static let url = "http://host.test/path"

  @Test(arguments: [false, true])
  func aResponseReachesItsHandler(onQueues: Bool) async {
    let scripted = ScriptedSession(onQueues: onQueues) { _, _ in
      .reply(headers: ["Content-Length": "10"], body: ["Hello", "World"])
    }
    let request = scripted.session.request(Self.url)
    #expect(request.isInitialized)
    let response = await request.validate().serializingString().response
    #expect(response.value == "HelloWorld")
    #expect(response.response?.statusCode == 200)
    #expect(response.metrics != nil)
    #expect(request.isFinished)
    #expect(request.downloadProgress.fractionCompleted == 1)
    #expect(request.description == "GET \(Self.url) (200)")
  }

  @Test(arguments: [false, true])
  func nothingHappensBeforeTheFirstHandler(onQueues: Bool) async {
    let made = Recorder<Int>()
    let scripted = ScriptedSession(onQueues: onQueues)
    let request = scripted.session.request(Self.url) { _ in made.note(1) }
    _ = request.validate().cURLDescription(on: .global()) { _ in }
    #expect(request.request == nil && made.entries.isEmpty)
    #expect(request.description == "No request created yet.")
    _ = await request.serializingData().response
    #expect(made.entries.count == 1)
    #expect(request.request != nil)
  }

  @Test func anEagerSessionMakesTheTaskAtOnceButDoesNotStartIt() async {
    let scripted = ScriptedSession(requestSetup: .eager)
    let request = scripted.session.request(Self.url)
    #expect(request.task?.state == .suspended)
    #expect(scripted.engine.started.isEmpty)
    _ = await request.serializingData().response
    #expect(scripted.engine.started.count == 1)
  }

  @Test func aHandlerDoesNotStartARequestThatIsToldToWait() async {
    let scripted = ScriptedSession()
    let request = scripted.session.request(Self.url, shouldAutomaticallyResume: false)
    let task = request.serializingString()
    #expect(request.isInitialized)
    request.resume()
    #expect(await task.result.success == "body")
  }

  @Test(arguments: [false, true])
  func completionsComeTogetherAfterTheLastSerializer(onQueues: Bool) async {
    let order = Recorder<String>()
    let scripted = ScriptedSession(onQueues: onQueues, startRequestsImmediately: false)
    let queue = DispatchQueue(label: "test.completions")
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let request = scripted.session.request(Self.url)
      for number in 1...3 {
        request.response(
          queue: queue, responseSerializer: NotingSerializer(order, "serialize \(number)")
        ) { _ in
          order.note("complete \(number)")
          if number == 3 { continuation.resume() }
        }
      }
      request.resume()
    }
    #expect(
      order.entries == [
        "serialize 1", "serialize 2", "serialize 3", "complete 1", "complete 2", "complete 3",
      ])
  }

  @Test(arguments: [false, true])
  func aLateHandlerIsServedFromWhatIsThere(onQueues: Bool) async {
    let scripted = ScriptedSession(onQueues: onQueues)
    let request = scripted.session.request(Self.url)
    #expect(await request.serializingString().result.success == "body")
    #expect(await request.serializingData().result.success == Data("body".utf8))
    #expect(scripted.engine.started.count == 1)
    #expect(request.isFinished)
  }

  @Test(arguments: [false, true])
  func aCancelledRequestServesItsHandlers(onQueues: Bool) async {
    let scripted = ScriptedSession(onQueues: onQueues) { _, _ in .silence }
    let request = scripted.session.request(Self.url)
    let task = request.serializingData()
    request.cancel()
    let response = await task.response
    #expect(response.error?.isExplicitlyCancelledError == true)
    #expect(request.isCancelled)
    #expect(await request.serializingData().response.error?.isExplicitlyCancelledError == true)
  }

  @Test func aRequestCancelledBeforeItStartsNeverDoes() async {
    let scripted = ScriptedSession()
    let request = scripted.session.request(Self.url).cancel()
    let response = await request.serializingData().response
    #expect(response.error?.isExplicitlyCancelledError == true)
    #expect(scripted.engine.started.isEmpty)
  }

  @Test(arguments: [false, true])
  func transportFailuresAreURLErrorsInside(onQueues: Bool) async {
    let scripted = ScriptedSession(onQueues: onQueues) { _, _ in .failure(.timedOut) }
    let response = await scripted.session.request(Self.url).validate().serializingData().response
    #expect(response.error?.isSessionTaskError == true)
    #expect((response.error?.underlyingError as? URLError)?.code == .timedOut)
  }

  @Test(arguments: [false, true])
  func theFirstValidatorThatObjectsDecides(onQueues: Bool) async {
    let asked = Recorder<Int>()
    let scripted = ScriptedSession(onQueues: onQueues) { _, _ in .reply(status: 404, body: ["x"]) }
    let response = await scripted.session.request(Self.url)
      .validate { _, _, _ in
        asked.note(1)
        return .success(())
      }
      .validate(statusCode: [200])
      .validate { _, _, _ in
        asked.note(2)
        return .success(())
      }
      .serializingData().response
    #expect(response.error?.responseCode == 404)
    #expect(response.data == Data("x".utf8))
    #expect(asked.entries == [1])
  }

  @Test func aBadURLFailsWithoutATask() async {
    let scripted = ScriptedSession()
    let response = await scripted.session.request("").serializingData().response
    #expect(response.error?.isInvalidURLError == true)
    #expect(scripted.engine.started.isEmpty)
  }

  @Test func aBodyInAGetRequestIsRefused() async throws {
    var urlRequest = URLRequest(url: try #require(URL(string: Self.url)))
    urlRequest.httpBody = Data()
    let scripted = ScriptedSession()
    let response = await scripted.session.request(urlRequest).serializingData().response
    guard case .urlRequestValidationFailed = response.error else {
      Issue.record("\(response)")
      return
    }
  }

  @Test func aModifierThatThrowsFailsTheRequest() async {
    struct Refusal: Error {}
    let scripted = ScriptedSession()
    let request = scripted.session.request(Self.url) { _ in throw Refusal() }
    let error = await request.serializingData().response.error
    #expect(error?.isCreateURLRequestError == true)
    #expect(error?.underlyingError is Refusal)
  }

  @Test func theHeadIsShownBeforeTheBody() async {
    let scripted = ScriptedSession { _, _ in .reply(status: 201, body: ["x"]) }
    let request = scripted.session.request(Self.url)
    let shown = Recorder<Int>()
    let response = await request.onHTTPResponse(on: .global()) { response, completionHandler in
      shown.note(response.statusCode)
      shown.note(request.data?.count ?? 0)
      completionHandler(.cancel)
    }.serializingData().response
    #expect(shown.entries == [201, 0])
    #expect(response.error?.isExplicitlyCancelledError == true)
    #expect(request.data == nil)
  }

  @Test func theSessionForgetsFinishedRequests() async {
    let scripted = ScriptedSession { attempt, _ in attempt == 1 ? .silence : .reply() }
    let waiting = scripted.session.request(Self.url).resume()
    _ = await scripted.session.request(Self.url).serializingData(emptyResponseCodes: [200]).response
    // A request is forgotten right after its completions have been dispatched.
    let active = scripted.session.context
    await Eventually.expect("The other one is forgotten.") {
      active.active.withLock { $0.requests } == [waiting]
    }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      scripted.session.cancelAllRequests { continuation.resume() }
    }
    #expect(waiting.isCancelled)
  }

  @Test(arguments: [false, true])
  func requestsOutliveTheirSessionOnlyToSaySo(onQueues: Bool) async {
    var scripted: ScriptedSession? = ScriptedSession(onQueues: onQueues) { _, _ in .silence }
    let request = scripted?.session.request(Self.url)
    let unstarted = scripted?.session.request(Self.url)
    let task = request?.serializingData()
    _ = await scripted?.session.rootQueue.drained()
    _ = await scripted?.session.requestQueue.drained()
    _ = await scripted?.session.rootQueue.drained()
    scripted = nil
    #expect(await task?.response.error?.isSessionDeinitializedError == true)
    #expect(await unstarted?.serializingData().response.error?.isSessionDeinitializedError == true)
  }

  @Test func anInvalidatedSessionEndsItsRequests() async {
    let scripted = ScriptedSession { _, _ in .silence }
    let task = scripted.session.request(Self.url).serializingData()
    scripted.session.delegate.urlSession(
      scripted.session.session, didBecomeInvalidWithError: URLError(.badServerResponse))
    let error = await task.response.error
    #expect(error?.isSessionInvalidatedError == true)
  }

  /// A retrier that always wants another attempt is not asked about a session that has ended.
  @Test func anInvalidatedSessionEndsWhatWaitsForItsRetry() async {
    let asked = Recorder<Int>()
    let retrier = Retrier { request, _, _, completion in
      asked.note(request.retryCount)
      completion(.retryWithDelay(3600))
    }
    let origin = Origin.inMemory()
    let session = Session(configuration: .inMemory)
    let task = session.request(origin.baseURL + "/status/500", interceptor: retrier).validate()
      .serializingData()
    await Eventually.expect("the retrier has been asked") { asked.entries == [0] }
    session.session.finishTasksAndInvalidate()
    #expect(await task.response.error?.isSessionInvalidatedError == true)
    #expect(asked.entries == [0])
  }

  /// Nor is a retrier waited for that thinks about a serializer's failure.
  @Test(arguments: [false, true], [false, true])
  func aSessionThatEndsWaitsForNoRetrier(isReleased: Bool, onQueues: Bool) async {
    let answers = Recorder<(@Sendable (RetryResult) -> Void)?>()
    let retrier = Retrier { _, _, _, completion in answers.note(isReleased ? nil : completion) }
    var scripted: ScriptedSession? = ScriptedSession(onQueues: onQueues, interceptor: retrier)
    let request = scripted?.session.request(Self.url)
    let notes = Recorder<String>()
    let task = request?.serializingDecodable(Int.self)
    let other = request?.serializingResponse(using: NotingSerializer(notes, "other"))
    await Eventually.expect("the retrier is asked") { answers.entries.count == 1 }
    if isReleased { scripted = nil } else { scripted?.session.session.invalidateAndCancel() }
    #expect(await task?.response.error?.isResponseSerializationError == true)
    _ = await other?.response
    #expect(notes.entries == ["other"])
    // It is heard no more.
    for answer in answers.entries { answer?(.retry) }
    #expect(request?.isFinished == true && request?.retryCount == 0)
  }

  /// Whoever has invalidated the `URLSession` may let go of the session, too, which invalidates it.
  @Test(arguments: [false, true]) func theEndOfASessionIsToldOnce(finishing: Bool) async throws {
    let origin = Origin.inMemory()
    let ends = Recorder<String>()
    let monitor = ClosureEventMonitor(queue: DispatchQueue(label: "test.monitor"))
    monitor.sessionDidBecomeInvalidWithError = { _, _ in ends.note("end") }
    var session: Session? = Session(configuration: .inMemory, eventMonitors: [monitor])
    _ = await session?.request(origin.baseURL + "/get").serializingData().response
    let urlSession = try #require(session?.session)
    if finishing { urlSession.finishTasksAndInvalidate() } else { urlSession.invalidateAndCancel() }
    session = nil
    await Eventually.expect("it has ended") { ends.entries.count > 0 && urlSession.delegate == nil }
    urlSession.invalidateAndCancel()
    monitor.queue.sync {}
    #expect(ends.entries.count == 1)
  }
}

private struct NotingSerializer: DataResponseSerializerProtocol {
  let recorder: Recorder<String>
  let entry: String

  init(_ recorder: Recorder<String>, _ entry: String) {
    self.recorder = recorder
    self.entry = entry
  }

  func serialize(
    request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?
  ) throws -> Int {
    recorder.note(entry)
    return data?.count ?? 0
  }
}
