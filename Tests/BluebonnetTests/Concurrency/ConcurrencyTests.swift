// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct ConcurrencyTests {
  private static let url = "http://host.test/"

  @Test func aTaskCanBeAwaitedManyTimes() async throws {
    let scripted = ScriptedSession()
    let task = scripted.session.request(Self.url).serializingString()
    async let first = task.value
    async let second = task.value
    #expect(try await first == "body")
    #expect(try await second == "body")
    #expect(try await task.value == "body")
    #expect(scripted.engine.started.count == 1)
  }

  @Test func cancellingTheAwaitingTaskCancelsTheRequest() async {
    let scripted = ScriptedSession { _, _ in .silence }
    let request = scripted.session.request(Self.url)
    let waiting = Task { await request.serializingData().result }
    await Eventually.expect("It has started.") { !request.isInitialized }
    waiting.cancel()
    guard case .failure(let error) = await waiting.value else {
      Issue.record("Nothing was sent.")
      return
    }
    #expect(error.isExplicitlyCancelledError)
    #expect(request.isCancelled)
  }

  @Test func aTaskThatIsCancelledAlreadyCancelsAtOnce() async {
    let scripted = ScriptedSession { _, _ in .silence }
    let request = scripted.session.request(Self.url)
    let waiting = Task {
      while !Task.isCancelled { await Task.yield() }
      _ = request.serializingData()
    }
    waiting.cancel()
    await waiting.value
    #expect(request.isCancelled)
  }

  @Test func cancellationCanBeKeptApart() async {
    let scripted = ScriptedSession { _, _ in .silence }
    let request = scripted.session.request(Self.url)
    let task = request.serializingData(automaticallyCancelling: false)
    let waiting = Task { await task.result }
    waiting.cancel()
    await Task.yield()
    #expect(request.isResumed)
    task.cancel()
    guard case .failure = await waiting.value else {
      Issue.record("Nothing was sent.")
      return
    }
  }

  @Test func reportsEndWithTheRequest() async {
    let scripted = ScriptedSession { _, _ in .reply(status: 202, body: ["a", "bc"]) }
    let request = scripted.session.request(Self.url)
    let requests = request.urlRequests()
    let tasks = request.urlSessionTasks()
    let progress = request.downloadProgress()
    let responses = request.httpResponses()
    let commands = request.cURLDescriptions()
    request.resume()
    var urls: [String] = []
    for await urlRequest in requests { urls.append(urlRequest.url?.absoluteString ?? "") }
    #expect(urls == [Self.url])
    var count = 0
    for await task in tasks where task == request.task { count += 1 }
    #expect(count == 1)
    var counts: [Int64] = []
    for await step in progress { counts.append(step.completedUnitCount) }
    #expect(counts.count == 2 && counts.last == 3)
    var statuses: [Int] = []
    for await response in responses { statuses.append(response.statusCode) }
    #expect(statuses == [202])
    var texts = 0
    for await command in commands where command.hasPrefix("$ curl -v") { texts += 1 }
    #expect(texts == 1)
  }

  @Test(arguments: [false, true])
  func aStreamHandsOutItsPartsInOrder(onQueues: Bool) async {
    let scripted = ScriptedSession(onQueues: onQueues) { _, _ in .reply(body: ["a", "b", "c"]) }
    let request = scripted.session.streamRequest(Self.url)
    var parts: [String] = []
    var completed = 0
    for await stream in request.streamTask().streamingStrings() {
      switch stream.event {
      case .stream(.success(let part)): parts.append(part)
      case .complete(let completion):
        completed += 1
        #expect(completion.error == nil)
        #expect(completion.response?.statusCode == 200)
      }
    }
    #expect(parts == ["a", "b", "c"])
    #expect(completed == 1)
  }

  @Test func leavingAStreamCancelsItsRequest() async {
    let scripted = ScriptedSession { _, _ in .silence }
    let request = scripted.session.streamRequest(Self.url)
    let stream = request.streamTask().streamingData()
    let reading = Task { for await _ in stream {} }
    await Eventually.expect("It has started.") { !request.isInitialized }
    reading.cancel()
    await reading.value
    await Eventually.expect("It is cancelled.") { request.isCancelled }
  }

  @Test func aThrowingHandlerEndsTheStream() async {
    struct Refusal: Error {}
    let scripted = ScriptedSession { _, _ in .reply(body: ["a", "b"]) }
    let error = await withCheckedContinuation { continuation in
      scripted.session.streamRequest(Self.url).responseStream(on: .global()) { stream in
        switch stream.event {
        case .stream: throw Refusal()
        case .complete(let completion): continuation.resume(returning: completion.error)
        }
      }
    }
    #expect(error?.underlyingError is Refusal || error?.isResponseSerializationError == true)
  }
}
