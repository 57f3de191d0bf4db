// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct RetryTests {
  private static let url = "http://host.test/path"

  @Test(arguments: [false, true])
  func aRetryRunsTheWholePipelineAgain(onQueues: Bool) async {
    let adapted = Recorder<Int>()
    let interceptor = Interceptor(
      adaptHandler: { request, _, completion in
        adapted.note(1)
        completion(.success(request))
      },
      retryHandler: { request, _, _, completion in
        completion(request.retryCount < 2 ? .retry : .doNotRetry)
      })
    let scripted = ScriptedSession(onQueues: onQueues, interceptor: interceptor) { attempt, _ in
      attempt < 3 ? .failure(.networkConnectionLost) : .reply(body: ["done"])
    }
    let request = scripted.session.request(Self.url)
    #expect(await request.serializingString().result.success == "done")
    #expect(request.retryCount == 2)
    #expect(request.tasks.count == 3)
    #expect(request.allMetrics.count == 3)
    #expect(request.requests.count == 6, "An initial and an adapted request per attempt.")
    #expect(adapted.entries.count == 3)
  }

  /// A cancellation while the next attempt begins is the reason that handlers hear.
  @Test func aCancellationAtTheBeginningOfARetry() async throws {
    final class Cancelling: DataRequest, @unchecked Sendable {
      override func reset(after error: AFError?) { cancel() }
    }
    let retrier = Retrier { _, _, _, completion in completion(.retry) }
    let scripted = ScriptedSession(interceptor: retrier) { _, _ in .failure(.networkConnectionLost) }
    let url = URLRequest(url: try #require(URL(string: Self.url)))
    let request = scripted.session.introduce(
      Cancelling(convertible: url, session: scripted.session, shouldAutomaticallyResume: nil), nil)
    #expect(await request.serializingData().response.error?.isExplicitlyCancelledError == true)
    #expect(request.tasks.count == 1)
  }

  /// The trust of an earlier attempt's server may be evaluated for longer than that attempt lasts.
  @Test func aLateWordAboutAnEarlierAttempt() async {
    let late = AFError.serverTrustEvaluationFailed(reason: .noRequiredEvaluator(host: "host.test"))
    let isLate = Locked<Request?>(nil)
    let speak: @Sendable () -> Void = {
      guard let request = isLate.withLock({ $0 }) else { return }
      for earlier in request.tasks.prefix(1) { request.didFailTask(earlier, earlyWithError: late) }
    }
    let interceptor = Interceptor(
      adaptHandler: { request, _, completion in
        speak()
        completion(.success(request))
      },
      retryHandler: { request, _, error, completion in
        isLate.withLock { $0 = request }
        speak()
        #expect((request.error?.underlyingError as? URLError)?.code == .timedOut)
        completion(request.retryCount < 1 ? .retry : .doNotRetry)
      })
    let scripted = ScriptedSession(interceptor: interceptor) { attempt, task in
      if attempt == 2 { speak() }
      return attempt == 2 ? .reply(body: ["done"]) : .failure(.timedOut)
    }
    let request = scripted.session.request(Self.url)
    #expect(await request.serializingString().result.success == "done")
    isLate.withLock { $0 = nil }
    #expect(request.tasks.count == 2)
    for task in request.tasks { request.didFailTask(task, earlyWithError: late) }
    #expect(request.error == nil)
  }

  @Test func aRetriersErrorTakesThePlaceOfTheFailure() async {
    struct Refusal: Error {}
    let retrier = Retrier { _, _, _, completion in completion(.doNotRetryWithError(Refusal())) }
    let scripted = ScriptedSession(interceptor: retrier) { _, _ in .failure(.timedOut) }
    let error = await scripted.session.request(Self.url).serializingData().response.error
    guard case .requestRetryFailed(let retryError, let originalError) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(retryError is Refusal)
    // The retrier was asked twice: about the failure, and about the serializer, which failed with its verdict.
    guard case .requestRetryFailed(let firstError, let cause)? = originalError.asAFError else {
      Issue.record("\(originalError)")
      return
    }
    #expect(firstError is Refusal)
    #expect(cause.asAFError?.isSessionTaskError == true)
  }

  @Test(arguments: [false, true])
  func aFailingSerializerIsRetried(onQueues: Bool) async {
    let scripted = ScriptedSession(
      onQueues: onQueues,
      interceptor: Retrier { request, _, error, completion in
        completion(error.asAFError?.isResponseSerializationError == true ? .retry : .doNotRetry)
      }
    ) { attempt, _ in .reply(body: [attempt == 1 ? "x" : "[7]"]) }
    let request = scripted.session.request(Self.url)
    #expect(await request.serializingDecodable([Int].self).result.success == [7])
    #expect(request.retryCount == 1)
  }

  @Test func aRawHandlerAsksNoRetrier() async {
    let asked = Recorder<Int>()
    let scripted = ScriptedSession(
      interceptor: Retrier { _, _, _, completion in
        asked.note(1)
        completion(.doNotRetry)
      }
    ) { _, _ in .reply(status: 500) }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      scripted.session.request(Self.url).response(queue: .global()) { _ in continuation.resume() }
    }
    #expect(asked.entries.isEmpty, "A status alone is no failure.")
  }

  @Test(arguments: [false, true])
  func cancellingDuringThePauseEndsTheRequest(onQueues: Bool) async {
    let paused = Recorder<Request>()
    let scripted = ScriptedSession(
      onQueues: onQueues,
      interceptor: Retrier { request, _, _, completion in
        completion(.retryWithDelay(3600))
        paused.note(request)
        request.cancel()
      }
    ) { _, _ in .failure(.timedOut) }
    let response = await scripted.session.request(Self.url).serializingData().response
    #expect(response.error != nil)
    #expect(response.response == nil)
    #expect(scripted.engine.started.count == 1)
    #expect(paused.entries.count == 1)
  }

  /// Nobody waits for the end of a pause that nobody needs any more.
  @Test(arguments: [3600, .infinity]) func cancellingDuringThePauseLetsTheRequestGo(pause: Double) async {
    nonisolated(unsafe) weak var request: Request?
    nonisolated(unsafe) weak var session: Session?
    func useUp() async {
      let scripted = ScriptedSession(
        interceptor: Retrier { request, _, _, completion in
          completion(.retryWithDelay(pause))
          request.cancel()
        }
      ) { _, _ in .failure(.timedOut) }
      let made = scripted.session.request(Self.url)
      (request, session) = (made, scripted.session)
      #expect(await made.serializingData().response.error != nil)
    }
    await useUp()
    await Eventually.expect("both are let go") { request == nil && session == nil }
  }

  @Test(arguments: [0, -1, Double.nan]) func noPauseAtAll(pause: Double) async {
    let scripted = ScriptedSession(
      interceptor: Retrier { _, _, _, completion in completion(.retryWithDelay(pause)) }
    ) { attempt, _ in attempt < 3 ? .failure(.timedOut) : .reply(body: ["done"]) }
    let request = scripted.session.request(Self.url).deadline(after: 30)
    #expect(await request.serializingString().result.success == "done")
  }

  @Test func requestsAreInterceptedAfterTheirSession() async throws {
    let order = Recorder<String>()
    func noting(_ name: String) -> Interceptor {
      Interceptor(
        adaptHandler: { request, _, completion in
          order.note("adapt \(name)")
          completion(.success(request))
        },
        retryHandler: { _, _, _, completion in
          order.note("retry \(name)")
          completion(.doNotRetry)
        })
    }
    let scripted = ScriptedSession(interceptor: noting("session")) { _, _ in .failure(.timedOut) }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      scripted.session.request(Self.url, interceptor: noting("request"))
        .interceptor(noting("added"))
        .adapt(using: noting("adapter"))
        .retry(using: noting("retrier"))
        .response(queue: .global()) { _ in continuation.resume() }
    }
    #expect(
      order.entries == [
        "adapt session", "adapt request", "adapt added", "adapt adapter",
        "retry session", "retry request", "retry added", "retry retrier",
      ])
  }

  @Test func anAdapterThatRefusesEndsTheRow() async {
    struct Refusal: Error {}
    let reached = Recorder<Int>()
    let row = Interceptor(adapters: [
      Adapter { _, _, completion in completion(.failure(Refusal())) },
      Adapter { request, _, completion in
        reached.note(1)
        completion(.success(request))
      },
    ])
    let scripted = ScriptedSession(interceptor: row)
    let error = await scripted.session.request(Self.url).serializingData().response.error
    #expect(error?.isRequestAdaptationError == true)
    #expect(error?.underlyingError is Refusal)
    #expect(reached.entries.isEmpty)
  }

  @Test func adaptersKnowTheRequest() async {
    final class Asking: RequestInterceptor {
      let ids = Recorder<UUID>()
      func adapt(
        _ urlRequest: URLRequest, using state: RequestAdapterState,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
      ) {
        ids.note(state.requestID)
        completion(.success(urlRequest))
      }
    }
    let asking = Asking()
    let scripted = ScriptedSession(interceptor: asking)
    let request = scripted.session.request(Self.url)
    _ = await request.serializingData().response
    #expect(asking.ids.entries == [request.id])
  }

  /// The first attempt's stay first, before the adapter and behind the last attempt.
  @Test func theFirstAttemptIsRemembered() async throws {
    let scripted = ScriptedSession(
      interceptor: .interceptor(
        adapter: { request, _, completion in
          var adapted = request
          adapted.setValue("yes", forHTTPHeaderField: "Adapted")
          completion(.success(adapted))
        }, retrier: { request, _, _, completion in completion(request.retryCount < 2 ? .retry : .doNotRetry) }
      )
    ) { _, _ in .failure(.timedOut) }
    let request = scripted.session.request("http://host.test/")
    #expect(request.firstRequest == nil && request.firstTask == nil)
    _ = await request.serializingData().response
    #expect(request.requests.count == 6 && request.tasks.count == 3)
    #expect(request.firstRequest?.value(forHTTPHeaderField: "Adapted") == nil)
    #expect(request.firstRequest == request.requests.first)
    #expect(request.lastRequest?.value(forHTTPHeaderField: "Adapted") == "yes")
    #expect(request.firstTask == scripted.engine.started.first)
    #expect(request.lastTask == scripted.engine.started.last && request.firstTask != request.lastTask)
  }
}
