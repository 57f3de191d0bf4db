// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestClock
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct DeadlineTests {
  private static let url = "http://host.test/"

  private func expectTimedOut(
    _ error: AFError?, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let cause = error?.underlyingError as? URLError
    #expect(cause?.code == .timedOut, sourceLocation: sourceLocation)
    #expect(
      cause?.localizedDescription.contains("(deadline(after:))") == true, "\(String(describing: error))",
      sourceLocation: sourceLocation)
    #expect(error?.isSessionTaskError == true, sourceLocation: sourceLocation)
  }

  @Test(arguments: [false, true]) func aServerThatKeepsSilent(onQueues: Bool) async {
    let configuration = URLSessionConfiguration.inMemory
    let clock = configuration.stopClock()
    let scripted = ScriptedSession(onQueues: onQueues, configuration: configuration) { _, _ in .silence }
    let request = scripted.session.request(Self.url).deadline(after: 10)
    let task = request.serializingData()
    await Eventually.expect("it is under way") { scripted.engine.started.count == 1 }
    clock.advance(by: .seconds(9))
    #expect(!request.isFinished)
    clock.advance(by: .seconds(1))
    expectTimedOut(await task.response.error)
    #expect(!request.isCancelled && request.isFinished)
    #expect(request.task?.state == .completed)
  }

  @Test func beforeThereIsATask() async {
    let configuration = URLSessionConfiguration.inMemory
    let clock = configuration.stopClock()
    let scripted = ScriptedSession(startRequestsImmediately: false, configuration: configuration)
    let request = scripted.session.request(Self.url).deadline(after: 10)
    let task = request.serializingData(automaticallyCancelling: false)
    clock.advance(by: .seconds(10))
    expectTimedOut(await task.response.error)
    #expect(scripted.engine.started.isEmpty)
  }

  @Test func onTheWire() async throws {
    let origin = Origin.inMemory()
    origin.script("/slow", .silence)
    let configuration = URLSessionConfiguration.inMemory
    let clock = configuration.stopClock()
    let session = Session(configuration: configuration)
    let request = session.request(origin.baseURL + "/slow").deadline(after: 10)
    let task = request.serializingData()
    await Eventually.expect("it is asked") { !origin.requests.isEmpty }
    clock.advance(by: .seconds(10))
    let error = await task.response.error
    expectTimedOut(error)
    #expect(error?.loadingPhase == .waiting)
    await Eventually.expect("its connection is closed") { origin.openConnections == 0 }
  }

  @Test func aBodyThatDrips() async throws {
    let origin = Origin.inMemory()
    origin.script(
      "/drip", .response(body: Array(repeating: 0x61, count: 10_000_000)).dripping(size: 100, every: 20))
    let configuration = URLSessionConfiguration.inMemory
    let clock = configuration.stopClock()
    let session = Session(configuration: configuration)
    let request = session.request(origin.baseURL + "/drip").deadline(after: 10)
    let task = request.serializingData()
    await Eventually.expect("some of it has come") { (request.task?.countOfBytesReceived ?? 0) > 0 }
    clock.advance(by: .seconds(10))
    let error = await task.response.error
    expectTimedOut(error)
    #expect(error?.loadingPhase == .receivingBody)
  }

  /// Attempts and pauses count together, and no retrier is asked about the end.
  @Test func allAttemptsTogether() async {
    let configuration = URLSessionConfiguration.inMemory
    let clock = configuration.stopClock()
    let scripted = ScriptedSession(
      interceptor: RetryPolicy(retryLimit: .max, exponentialBackoffScale: 0.01), configuration: configuration
    ) { _, _ in .failure(.networkConnectionLost) }
    let request = scripted.session.request(Self.url).deadline(after: 10)
    let task = request.serializingData()
    await Eventually.expect("it is tried again") { request.retryCount > 0 }
    clock.advance(by: .seconds(10))
    let error = await task.response.error
    expectTimedOut(error)
    #expect(error?.underlyingError?.localizedDescription.contains("attempts included") == true)
  }

  @Test func aRetrierThatTakesItsTime() async {
    let configuration = URLSessionConfiguration.inMemory
    let clock = configuration.stopClock()
    let answers = Recorder<@Sendable (RetryResult) -> Void>()
    let scripted = ScriptedSession(
      interceptor: Retrier { _, _, _, completion in answers.note(completion) }, configuration: configuration
    ) { _, _ in .failure(.networkConnectionLost) }
    let request = scripted.session.request(Self.url).deadline(after: 10)
    let task = request.serializingData()
    await Eventually.expect("the retrier is asked") { answers.entries.count == 1 }
    clock.advance(by: .seconds(10))
    expectTimedOut(await task.response.error)
    // It may answer afterwards.
    for answer in answers.entries { answer(.retry) }
    #expect(scripted.engine.started.count == 1 && request.retryCount == 0)
  }

  /// A serializer's failure is looked at by the retrier, too.
  @Test(arguments: [false, true]) func aRetrierThatThinksAboutASerializer(isCancelled: Bool) async throws {
    let answers = Recorder<@Sendable (RetryResult) -> Void>()
    let scripted = ScriptedSession(interceptor: Retrier { _, _, _, completion in answers.note(completion) }) {
      _, _ in .reply(body: ["no number"])
    }
    let request = scripted.session.request(Self.url)
    let isServed = Signal()
    let errors = Recorder<AFError?>()
    for _ in 0..<2 {
      request.responseDecodable(of: Int.self, queue: .global()) { response in
        errors.note(response.error)
        isServed.raise()
      }
    }
    await Eventually.expect("the retrier is asked") { answers.entries.count == 1 }
    if isCancelled { request.cancel() } else { request.deadline(after: 0) }
    try #require(try await detached { isServed.wait(for: 2) }, "nobody waits for the retrier")
    for error in errors.entries {
      if isCancelled { #expect(error?.isExplicitlyCancelledError == true) } else { expectTimedOut(error) }
    }
    // It may answer afterwards, and more than once.
    for answer in answers.entries + answers.entries { answer(.retry) }
    #expect(scripted.engine.started.count == 1 && request.retryCount == 0)
    #expect(errors.entries.count == 2)
  }

  @Test func anAdapterThatTakesItsTime() async {
    let configuration = URLSessionConfiguration.inMemory
    let clock = configuration.stopClock()
    let answers = Recorder<@Sendable () -> Void>()
    let adapter = Adapter { request, _, completion in answers.note { completion(.success(request)) } }
    let scripted = ScriptedSession(interceptor: adapter, configuration: configuration)
    let task = scripted.session.request(Self.url).deadline(after: 10).serializingData()
    await Eventually.expect("the adapter is asked") { answers.entries.count == 1 }
    clock.advance(by: .seconds(10))
    expectTimedOut(await task.response.error)
    for answer in answers.entries { answer() }
    #expect(scripted.engine.started.allSatisfy { $0.state == .completed || $0.state == .canceling })
  }

  @Test func inTime() async {
    let scripted = ScriptedSession()
    let request = scripted.session.request(Self.url).deadline(after: 600)
    #expect(await request.serializingString().result.success == "body")
    #expect(request.isFinished)
  }

  @Test(arguments: [600, 3.0]) func aLaterOneCounts(earlier: Double) async {
    let configuration = URLSessionConfiguration.inMemory
    let clock = configuration.stopClock()
    let scripted = ScriptedSession(configuration: configuration) { _, _ in .silence }
    let request = scripted.session.request(Self.url).deadline(after: earlier).deadline(after: 50)
    let task = request.serializingData()
    await Eventually.expect("it is under way") { scripted.engine.started.count == 1 }
    clock.advance(by: .seconds(49))
    #expect(request.isResumed)
    clock.advance(by: .seconds(1))
    expectTimedOut(await task.response.error)
  }

  @Test(arguments: [0, -1, Double.nan]) func atOnce(seconds: Double) async {
    let scripted = ScriptedSession { _, _ in .silence }
    let response = await scripted.session.request(Self.url).deadline(after: seconds).serializingData()
      .response
    expectTimedOut(response.error)
  }

  @Test(arguments: [Double.infinity, 1e300]) func never(seconds: Double) async {
    let scripted = ScriptedSession()
    let request = scripted.session.request(Self.url).deadline(after: seconds)
    #expect(await request.serializingString().result.success == "body")
  }

  @Test func cancellationComesFirst() async {
    let scripted = ScriptedSession { _, _ in .silence }
    let request = scripted.session.request(Self.url).deadline(after: 600)
    let task = request.serializingData()
    request.cancel()
    #expect(await task.response.error?.isExplicitlyCancelledError == true)
  }

  /// What has come of a download can be gone on with, as after any other loss.
  @Test func aDownloadIsGoneOnWith() async throws {
    let origin = Origin.inMemory()
    let fields = [(name: "ETag", value: "\"1\""), (name: "Accept-Ranges", value: "bytes")]
    let body = Array(repeating: UInt8(ascii: "a"), count: 100_000)
    origin.script("/file", .response(fields: fields, body: body).cut(after: 50_000, then: .hang))
    let session = Session(configuration: .inMemory)
    let download = session.download(origin.baseURL + "/file")
    let task = download.serializingData()
    await Eventually.expect("some of it has come") { (download.task?.countOfBytesReceived ?? 0) > 10_000 }
    download.deadline(after: 0)
    let response = await task.response
    expectTimedOut(response.error)
    #expect(response.resumeData != nil && download.resumeData == response.resumeData)
  }

  @Test(arguments: [false, true]) func aDownloadAndAnUpload(isUpload: Bool) async throws {
    let origin = Origin.inMemory()
    origin.script("/slow", .silence)
    let configuration = URLSessionConfiguration.inMemory
    let clock = configuration.stopClock()
    let session = Session(configuration: configuration)
    let url = origin.baseURL + "/slow"
    let error = Task {
      if isUpload {
        await session.upload(Data("x".utf8), to: url).deadline(after: 10).serializingData().response.error
      } else {
        await session.download(url).deadline(after: 10).serializingData().response.error
      }
    }
    await Eventually.expect("it is asked") { !origin.requests.isEmpty }
    clock.advance(by: .seconds(10))
    expectTimedOut(await error.value)
  }
}
