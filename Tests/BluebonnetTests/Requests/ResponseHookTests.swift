// SPDX-License-Identifier: MIT
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// What a request shows on its way, and to whom.
@Suite struct ResponseHookTests {
  private static let url = "http://host.test/"

  private func failingOnce(
    interceptor: (any RequestInterceptor)? = nil
  ) -> ScriptedSession {
    ScriptedSession(
      interceptor: interceptor
        ?? Retrier { request, _, _, completion in completion(request.retryCount < 1 ? .retry : .doNotRetry) }
    ) { attempt, _ in
      attempt == 1 ? .reply(status: 503, body: ["later"]) : .reply(body: ["now"])
    }
  }

  @Test func anAsyncHandlerHoldsTheBodyBack() async {
    let scripted = ScriptedSession()
    let request = scripted.session.request(Self.url)
    let seen = Recorder<Int>()
    let response = await request.onHTTPResponse { response in
      await Task.yield()
      seen.note(response.statusCode)
      seen.note(request.data?.count ?? 0)
    }.serializingString().response
    #expect(seen.entries == [200, 0])
    #expect(response.value == "body")
  }

  @Test func anAsyncHandlerMayEndTheRequest() async {
    let scripted = ScriptedSession()
    let request = scripted.session.request(Self.url)
    let response = await request.onHTTPResponse { _ in
      await Task.yield()
      return .cancel
    }.serializingString().response
    #expect(response.error?.isExplicitlyCancelledError == true)
    #expect(request.data == nil)
  }

  /// Else the verdict would be thrown away as the value of a single expression.
  @Test func aVerdictInOneExpressionCounts() async {
    @Sendable func refuse(_ response: HTTPURLResponse) async -> Request.ResponseDisposition { .cancel }
    let scripted = ScriptedSession()
    let request = scripted.session.request(Self.url).onHTTPResponse { response in await refuse(response) }
    #expect(await request.serializingString().response.error?.isExplicitlyCancelledError == true)
    let stream = scripted.session.streamRequest(Self.url).onHTTPResponse { await refuse($0) }
    for await _ in stream.streamTask().streamingData() {}
    #expect(stream.isCancelled)
  }

  @Test(arguments: [false, true])
  func streamsHaveAsyncHandlersToo(goesOn: Bool) async {
    let scripted = ScriptedSession { _, _ in .reply(body: ["a", "b"]) }
    let request = scripted.session.streamRequest(Self.url).onHTTPResponse { _ in
      await Task.yield()
      return goesOn ? .allow : .cancel
    }
    var parts: [String] = []
    for await stream in request.streamTask().streamingStrings() {
      if let part = stream.value { parts.append(part) }
    }
    #expect(parts == (goesOn ? ["a", "b"] : []))
    #expect(request.isCancelled != goesOn)
  }

  @Test func aStreamsAsyncHandlerMayJustLook() async {
    let scripted = ScriptedSession { _, _ in .reply(status: 201, body: ["a"]) }
    let seen = Recorder<Int>()
    let request = scripted.session.streamRequest(Self.url).onHTTPResponse { response in
      await Task.yield()
      seen.note(response.statusCode)
    }
    for await _ in request.streamTask().streamingData() {}
    #expect(seen.entries == [201])
  }

  @Test func theLastHandlerCountsWhateverItsForm() async {
    let scripted = ScriptedSession()
    let seen = Recorder<String>()
    _ = await scripted.session.request(Self.url)
      .onHTTPResponse(on: .global()) { _ in seen.note("plain") }
      .onHTTPResponse { _ in
        await Task.yield()
        seen.note("async")
      }
      .serializingData().response
    #expect(seen.entries == ["async"])
  }

  @Test func everyAttemptIsShown() async {
    let scripted = failingOnce()
    let seen = Recorder<Int>()
    let request = scripted.session.request(Self.url).validate()
      .onHTTPResponse(on: .global()) { seen.note($0.statusCode) }
    #expect(await request.serializingString().response.value == "now")
    #expect(seen.entries == [503, 200])
  }

  @Test func urlRequestsAreShownAsTheyWillBeSent() async {
    let interceptor = Interceptor(
      adaptHandler: { urlRequest, _, completion in
        var urlRequest = urlRequest
        urlRequest.headers.add(name: "X-Adapted", value: "yes")
        completion(.success(urlRequest))
      },
      retryHandler: { request, _, _, completion in
        completion(request.retryCount < 1 ? .retry : .doNotRetry)
      })
    let scripted = failingOnce(interceptor: interceptor)
    let queue = DispatchQueue(label: "test.hooks")
    let seen = Recorder<String?>()
    let tasks = Recorder<URLSessionTask>()
    let request = scripted.session.request(Self.url).validate()
      .onURLRequestCreation(on: queue) { seen.note($0.headers["X-Adapted"]) }
      .onURLSessionTaskCreation(on: queue) { tasks.note($0) }
    _ = await request.serializingData().response
    await queue.drained()
    #expect(seen.entries == ["yes", "yes"])
    #expect(tasks.entries == request.tasks)
    #expect(request.requests.map { $0.headers["X-Adapted"] } == [nil, "yes", nil, "yes"])

    // Who comes late is shown what there is.
    let late = Recorder<String?>()
    request.onURLRequestCreation(on: queue) { late.note($0.headers["X-Adapted"]) }
    request.onURLSessionTaskCreation(on: queue) { tasks.note($0) }
    await queue.drained()
    #expect(late.entries == ["yes"])
    #expect(tasks.entries.last == request.lastTask && tasks.entries.count == 3)
  }

  @Test func curlCommandsCoverEveryAttempt() async {
    let scripted = failingOnce()
    let request = scripted.session.request(Self.url).validate()
    let commands = request.cURLDescriptions()
    _ = await request.serializingData().response
    var count = 0
    for await command in commands where command.hasPrefix("$ curl -v") { count += 1 }
    #expect(count == 2)
  }

  /// It just looks: the body waits neither for a verdict of it nor for its return.
  @Test(arguments: [false, true]) func aStreamsHeadIsShownOnAQueue(onQueues: Bool) async {
    let scripted = ScriptedSession(onQueues: onQueues) { _, _ in .reply(status: 201, body: ["a", "b"]) }
    let queue = DispatchQueue(label: "test.hooks")
    let seen = Recorder<String>()
    await withCheckedContinuation { continuation in
      scripted.session.streamRequest(Self.url)
        .onHTTPResponse(on: queue) { response in
          dispatchPrecondition(condition: .onQueue(queue))
          seen.note("head \(response.statusCode)")
        }
        .responseStreamString(on: queue) { stream in
          if let part = stream.value { seen.note(part) }
          if stream.completion != nil { continuation.resume() }
        }
    }
    #expect(seen.entries == ["head 201", "a", "b"])
  }
}
