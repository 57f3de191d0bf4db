import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct UploadRequestTests {
  private struct Count: Decodable {
    let bytes: Int
  }

  private let session = Session(configuration: .ephemeral)

  private func temporaryFile() -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("bluebonnet-\(UUID().uuidString)")
  }

  @Test func fromMemory() async throws {
    let origin = try Origin.start()
    let body = Data(repeating: 7, count: 300_000)
    let request = session.upload(body, to: origin.baseURL + "/upload")
    #expect(try await request.serializingDecodable(Count.self).value.bytes == body.count)
    #expect(request.uploadProgress.fractionCompleted == 1)
  }

  @Test func fromAFileThatStays() async throws {
    let origin = try Origin.start()
    let file = temporaryFile()
    try Data(repeating: 7, count: 100_000).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let request = session.upload(file, to: origin.baseURL + "/upload")
    #expect(try await request.serializingDecodable(Count.self).value.bytes == 100_000)
    #expect(FileManager.default.fileExists(atPath: file.path))
  }

  @Test func fromAStream() async throws {
    let origin = try Origin.start()
    let request = session.upload(
      InputStream(data: Data(repeating: 7, count: 50_000)), to: origin.baseURL + "/upload")
    #expect(try await request.serializingDecodable(Count.self).value.bytes == 50_000)
    #expect(request.inputStream() == nil, "A stream is handed over once.")
  }

  @Test(arguments: [MultipartFormData.encodingMemoryThreshold, 0])
  func fromAForm(threshold: UInt64) async throws {
    let origin = try Origin.start()
    let request = session.upload(
      multipartFormData: {
        $0.append(Data("one".utf8), withName: "first")
        $0.append(Data("two".utf8), withName: "second")
      }, to: origin.baseURL + "/post", usingThreshold: threshold)
    let text = try await request.serializingString().value
    #expect(text.contains("one") && text.contains("two"))
    switch request.uploadable {
    case .data: #expect(threshold > 0)
    case .stream: #expect(threshold == 0, "A form above the threshold is encoded while it is sent.")
    case .file, nil: Issue.record("Nothing is written to a file.")
    }
    let sent = try #require(origin.requests.last)
    #expect(sent.value("Content-Length") == "\(sent.bodyLength)")
  }

  /// Notes the files that forms were written to.
  private final class Forms: EventMonitor {
    let queue = DispatchQueue(label: "test.monitor")
    let files = Recorder<URL>()

    func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable) {
      if case .file(let url, _) = uploadable { files.note(url) }
    }
  }

  /// Lets the first attempt's request through, and keeps the second one's.
  private final class Keeper: RequestInterceptor {
    typealias Completion = @Sendable (Result<URLRequest, any Error>) -> Void
    let kept = Locked<Completion?>(nil)
    private let attempts = Locked(0)

    func adapt(_ urlRequest: URLRequest, for session: Session, completion: @escaping Completion) {
      let attempt = attempts.withLock {
        $0 += 1
        return $0
      }
      if attempt == 1 { completion(.success(urlRequest)) } else { kept.withLock { $0 = completion } }
    }

    func retry(
      _ request: Request, for session: Session, dueTo error: any Error,
      completion: @escaping @Sendable (RetryResult) -> Void
    ) { completion(request.retryCount < 1 ? .retry : .doNotRetry) }
  }

  /// Between two attempts a request has no body, and knows of no file: it goes with whoever could have sent it again.
  @Test(arguments: [false, true]) func aFormCancelledBetweenAttemptsLeavesNoFile(onQueues: Bool) async throws
  {
    let origin = try Origin.start()
    let (forms, keeper) = (Forms(), Keeper())
    let session = Session(
      configuration: .ephemeral, rootQueue: onQueues ? DispatchQueue(label: "test.root") : nil,
      eventMonitors: [forms])
    func run() async {
      let request = session.upload(
        multipartFormData: { $0.append(Data("one".utf8), withName: "first") },
        to: origin.baseURL + "/status/503", usingThreshold: 0, interceptor: keeper
      ).validate()
      let task = request.serializingData()
      await Eventually.expect("The second attempt has begun.") { keeper.kept.withLock { $0 != nil } }
      #expect(request.uploadable == nil)
      request.cancel()
      #expect(await task.response.error?.isExplicitlyCancelledError == true)
    }
    await run()
    forms.queue.sync {}
    let file = try #require(forms.files.entries.first)
    #expect(forms.files.entries.count == 1)
    #expect(FileManager.default.fileExists(atPath: file.path), "Somebody might still go on.")
    _ = keeper.kept.withLock { $0.take() }
    await Eventually.expect("The file is removed.") { !FileManager.default.fileExists(atPath: file.path) }
  }

  @Test func aFormCancelledWhileItIsSentLeavesNoFile() async throws {
    let origin = try Origin.start()
    origin.script("/hangs", ScriptedReply([.hang]))
    let forms = Forms()
    let session = Session(configuration: .ephemeral, eventMonitors: [forms])
    let request = session.upload(
      multipartFormData: { $0.append(Data("one".utf8), withName: "first") }, to: origin.baseURL + "/hangs",
      usingThreshold: 0)
    let task = request.serializingData()
    await Eventually.expect("It is sent.") { origin.requests.count == 1 }
    request.cancel()
    #expect(await task.response.error?.isExplicitlyCancelledError == true)
    forms.queue.sync {}
    let file = try #require(forms.files.entries.first)
    await Eventually.expect("The file is removed.") { !FileManager.default.fileExists(atPath: file.path) }
  }

  @Test func aBodyThatCannotBeMadeFailsTheRequest() async throws {
    let origin = try Origin.start()
    let form = MultipartFormData()
    form.append(URL(fileURLWithPath: "/nowhere/at/all"), withName: "file")
    let response = await session.upload(multipartFormData: form, to: origin.baseURL + "/post")
      .serializingData().response
    #expect(response.error?.isMultipartEncodingError == true)
    #expect(origin.requests.isEmpty)
  }
}
