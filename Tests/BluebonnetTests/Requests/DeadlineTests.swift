import BluebonnetLocks
import BluebonnetOrigin
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
    let scripted = ScriptedSession(onQueues: onQueues) { _, _ in .silence }
    let request = scripted.session.request(Self.url).deadline(after: 0.05)
    expectTimedOut(await request.serializingData().response.error)
    #expect(!request.isCancelled && request.isFinished)
    // On a busy machine the time may be up before there is a task.
    #expect(request.task.map { $0.state == .completed } ?? true)
  }

  @Test func onTheWire() async throws {
    let origin = try Origin.start()
    origin.script("/slow", .silence)
    let session = Session(configuration: .ephemeral)
    let request = session.request(origin.baseURL + "/slow").deadline(after: 0.2)
    let error = await request.serializingData().response.error
    expectTimedOut(error)
    #expect(error?.loadingPhase == .waiting || origin.requests.isEmpty)
    await Eventually.expect("its connection is closed") { origin.openConnections == 0 }
  }

  @Test func aBodyThatDrips() async throws {
    let origin = try Origin.start()
    origin.script(
      "/drip", .response(body: Array(repeating: 0x61, count: 10_000)).dripping(size: 100, every: 20))
    let session = Session(configuration: .ephemeral)
    let request = session.request(origin.baseURL + "/drip").deadline(after: 0.5)
    expectTimedOut(await request.serializingData().response.error)
  }

  /// Attempts and pauses count together, and no retrier is asked about the end.
  @Test func allAttemptsTogether() async {
    let scripted = ScriptedSession(
      interceptor: RetryPolicy(retryLimit: .max, exponentialBackoffScale: 0.01)
    ) { _, _ in .failure(.networkConnectionLost) }
    let request = scripted.session.request(Self.url).deadline(after: 0.3)
    let error = await request.serializingData().response.error
    expectTimedOut(error)
    #expect(request.retryCount >= 1)
    #expect(error?.underlyingError?.localizedDescription.contains("attempts included") == true)
  }

  @Test func aRetrierThatTakesItsTime() async {
    let answers = Recorder<@Sendable (RetryResult) -> Void>()
    let scripted = ScriptedSession(interceptor: Retrier { _, _, _, completion in answers.note(completion) }) {
      _, _ in .failure(.networkConnectionLost)
    }
    let request = scripted.session.request(Self.url).deadline(after: 0.1)
    expectTimedOut(await request.serializingData().response.error)
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
    try #require(try await detached { isServed.wait(for: 2, seconds: 10) }, "nobody waits for the retrier")
    for error in errors.entries {
      if isCancelled { #expect(error?.isExplicitlyCancelledError == true) } else { expectTimedOut(error) }
    }
    // It may answer afterwards, and more than once.
    for answer in answers.entries + answers.entries { answer(.retry) }
    #expect(scripted.engine.started.count == 1 && request.retryCount == 0)
    #expect(errors.entries.count == 2)
  }

  @Test func anAdapterThatTakesItsTime() async {
    let answers = Recorder<@Sendable () -> Void>()
    let adapter = Adapter { request, _, completion in answers.note { completion(.success(request)) } }
    let scripted = ScriptedSession(interceptor: adapter)
    let request = scripted.session.request(Self.url).deadline(after: 0.1)
    expectTimedOut(await request.serializingData().response.error)
    for answer in answers.entries { answer() }
    #expect(scripted.engine.started.allSatisfy { $0.state == .completed || $0.state == .canceling })
  }

  @Test func inTime() async {
    let scripted = ScriptedSession()
    let request = scripted.session.request(Self.url).deadline(after: 600)
    #expect(await request.serializingString().result.success == "body")
    #expect(request.isFinished)
  }

  @Test func aLaterOneCounts() async {
    let scripted = ScriptedSession { _, _ in .silence }
    let request = scripted.session.request(Self.url).deadline(after: 600).deadline(after: 0.05)
    expectTimedOut(await request.serializingData().response.error)
    // Long enough for the second call to come in time on any machine.
    let other = scripted.session.request(Self.url).deadline(after: 3).deadline(after: 600)
    let task = other.serializingData()
    await Eventually.expect("it is under way") { scripted.engine.started.count == 2 }
    try? await Task.sleep(for: .milliseconds(3_200))
    #expect(other.isResumed)
    other.cancel()
    #expect(await task.response.error?.isExplicitlyCancelledError == true)
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
    let origin = try Origin.start()
    let fields = [(name: "ETag", value: "\"1\""), (name: "Accept-Ranges", value: "bytes")]
    let body = Array(repeating: UInt8(ascii: "a"), count: 100_000)
    origin.script("/file", .response(fields: fields, body: body).cut(after: 50_000, then: .hang))
    let session = Session(configuration: .ephemeral)
    let download = session.download(origin.baseURL + "/file")
    let task = download.serializingData()
    await Eventually.expect("some of it has come") { (download.task?.countOfBytesReceived ?? 0) > 10_000 }
    download.deadline(after: 0)
    let response = await task.response
    expectTimedOut(response.error)
    #expect(response.resumeData != nil && download.resumeData == response.resumeData)
  }

  @Test func aDownloadAndAnUpload() async throws {
    let origin = try Origin.start()
    origin.script("/slow", .silence)
    let session = Session(configuration: .ephemeral)
    let download = session.download(origin.baseURL + "/slow").deadline(after: 0.1)
    expectTimedOut(await download.serializingData().response.error)
    let upload = session.upload(Data("x".utf8), to: origin.baseURL + "/slow").deadline(after: 0.1)
    expectTimedOut(await upload.serializingData().response.error)
  }
}
