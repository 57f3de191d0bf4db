// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
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

  /// A stream that is let go of has no reader left, and never had one: nothing holds the body back for it.
  @Test func aStreamThatIsNeverReadHoldsNothing() async {
    let origin = Origin.inMemory()
    origin.script("/long", .response(body: Array(repeating: 65, count: 3_000_000)))
    let session = Session(configuration: .patientInMemory)
    let request = session.streamRequest(origin.baseURL + "/long")
    _ = request.streamTask().streamingData(automaticallyCancelling: false)
    await Eventually.expect("it is over") { request.isFinished }
    #expect(request.error == nil)
  }

  @Test func lettingGoOfAStreamCancelsItsRequest() async {
    let scripted = ScriptedSession { _, _ in .silence }
    let request = scripted.session.streamRequest(Self.url)
    _ = request.streamTask().streamingData()
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

  // MARK: Serializers

  /// The length of a body, as data or as a file's; -1 for none. No more than the protocols ask for.
  private struct Measuring: DataResponseSerializerProtocol, DownloadResponseSerializerProtocol {
    func serialize(
      request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?
    ) throws -> Int {
      if let error { throw error }
      return data?.count ?? -1
    }
  }

  /// Where a file is, and nothing in memory.
  private struct Locating: DownloadResponseSerializerProtocol {
    func serializeDownload(
      request: URLRequest?, response: HTTPURLResponse?, fileURL: URL?, error: (any Error)?
    ) throws -> String {
      if let error { throw error }
      return fileURL?.lastPathComponent ?? "none"
    }
  }

  @Test func serializersOfTheCallers() async throws {
    let origin = Origin.inMemory()
    origin.script("/text", .response(body: [0x67, 0x72, 0xFC, 0xDF, 0x65]))
    let session = Session(configuration: .patientInMemory)
    let url = origin.baseURL + "/text"
    let latin = StringResponseSerializer(encoding: .isoLatin1)
    #expect(try await session.request(url).serializingResponse(using: latin).value == "grüße")
    #expect(try await session.request(url).serializingResponse(using: .data).value.count == 5)
    #expect(try await session.request(url).serializingResponse(using: Measuring()).value == 5)
    let missing = session.request(origin.baseURL + "/missing").validate()
    let failed = await missing.serializingResponse(using: Measuring()).result
    #expect(failed.failure?.responseCode == 404)

    var files: [URL] = []
    defer { for file in files { try? FileManager.default.removeItem(at: file) } }
    let text = await session.download(url).serializingDownload(using: latin).response
    let measured = await session.download(url).serializingDownload(using: Measuring()).response
    let located = await session.download(url).serializingDownload(using: Locating()).response
    let read = await session.download(url).serializingString(encoding: .isoLatin1).response
    files = [text.fileURL, measured.fileURL, located.fileURL, read.fileURL].compactMap { $0 }
    #expect(files.count == 4)
    #expect(text.value == "grüße" && measured.value == 5 && read.value == "grüße")
    #expect(located.value == located.fileURL?.lastPathComponent)
    let lost = await session.download(origin.baseURL + "/missing").validate().serializingString().response
    #expect(lost.error?.responseCode == 404)
    files += [lost.fileURL].compactMap { $0 }
  }

  @Test func aDownloadedStringMayBeEmpty() async throws {
    let origin = Origin.inMemory()
    origin.script("/empty", .response(body: []))
    let session = Session(configuration: .patientInMemory)
    let refused = await session.download(origin.baseURL + "/empty").serializingString().response
    #expect(refused.error?.isResponseSerializationError == true)
    let allowed = await session.download(origin.baseURL + "/empty")
      .serializingString(emptyResponseCodes: [200]).response
    #expect(allowed.value?.isEmpty == true)
    for file in [refused.fileURL, allowed.fileURL].compactMap({ $0 }) {
      try? FileManager.default.removeItem(at: file)
    }
  }

  /// Each part is a document of its own, and one that is none is no reason to stop.
  @Test(arguments: [false, true]) func aStreamOfValues(onQueues: Bool) async {
    let scripted = ScriptedSession(onQueues: onQueues) { _, _ in
      .reply(body: [#"{"name":"Ada"}"#, "{", #"{"name":"Bob"}"#])
    }
    var told: [String] = []
    let request = scripted.session.streamRequest(Self.url)
    for await stream in request.streamTask().streamingDecodables(Person.self) {
      if let person = stream.value { told.append(person.name) }
      if let error = stream.error { told.append("\(error.isResponseSerializationError)") }
      if let completion = stream.completion { told.append("end \(completion.error == nil)") }
    }
    #expect(told == ["Ada", "true", "Bob", "end true"])
    let cancelling = scripted.session.streamRequest(Self.url, automaticallyCancelOnStreamError: true)
    var end: DataStreamRequest.Completion?
    var names: [String] = []
    let people: DataStreamTask.Stream<Person, AFError> = cancelling.streamTask().streamingDecodables()
    for await stream in people {
      if let person = stream.value { names.append(person.name) }
      end = stream.completion
    }
    // What had arrived before the error is not taken back.
    #expect(names.first == "Ada", "\(names)")
    #expect(end?.error?.isExplicitlyCancelledError == true)
  }

  // MARK: Reports

  @Test func anUploadReportsItsProgress() async throws {
    let origin = Origin.inMemory()
    let session = Session(configuration: .patientInMemory)
    let request = session.upload(Data(count: 300_000), to: origin.baseURL + "/upload")
    let steps = request.uploadProgress()
    async let body = request.serializingString().value
    var counts: [Int64] = []
    for await step in steps {
      #expect(step.totalUnitCount == 300_000)
      counts.append(step.completedUnitCount)
    }
    #expect(try await body.contains("300000"))
    #expect(counts == counts.sorted() && counts.last == 300_000)
  }

  /// The head of each attempt.
  @Test func aStreamShowsItsHeads() async {
    let scripted = ScriptedSession(
      interceptor: Retrier { request, _, _, completion in
        completion(request.retryCount < 1 ? .retry : .doNotRetry)
      }
    ) { attempt, _ in .reply(status: attempt == 1 ? 503 : 201, body: ["x"]) }
    let request = scripted.session.streamRequest(Self.url).validate()
    let responses = request.httpResponses()
    async let parts = request.streamTask().streamingStrings().reduce(into: []) { $0.append($1.value) }
    var statuses: [Int] = []
    for await response in responses { statuses.append(response.statusCode) }
    #expect(statuses == [503, 201])
    _ = await parts
  }
}
