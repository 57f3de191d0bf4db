// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct UploadRequestTests {
  private struct Count: Decodable {
    let bytes: Int
  }

  private let session = Session(configuration: .patientInMemory)

  private func temporaryFile() -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("bluebonnet-\(UUID().uuidString)")
  }

  @Test func fromMemory() async throws {
    let origin = Origin.inMemory()
    let body = Data(repeating: 7, count: 300_000)
    let request = session.upload(body, to: origin.baseURL + "/upload")
    #expect(try await request.serializingDecodable(Count.self).value.bytes == body.count)
    #expect(request.uploadProgress.fractionCompleted == 1)
  }

  @Test func fromAFileThatStays() async throws {
    let origin = Origin.inMemory()
    let file = temporaryFile()
    try Data(repeating: 7, count: 100_000).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let request = session.upload(file, to: origin.baseURL + "/upload")
    #expect(try await request.serializingDecodable(Count.self).value.bytes == 100_000)
    #expect(FileManager.default.fileExists(atPath: file.path))
  }

  /// A body from a file of its own, and a request that is cancelled while it is made.
  private final class OwnFile: UploadConvertible {
    let request: URLRequest
    let file: URL
    let upload = Locked<UploadRequest?>(nil)
    let isOver = Signal()

    init(_ request: URLRequest, _ file: URL) { (self.request, self.file) = (request, file) }

    func asURLRequest() throws -> URLRequest { request }

    func createUploadable() throws -> UploadRequest.Uploadable {
      upload.withLock { $0 }?.cancel()
      #expect(isOver.wait(), "The end does not wait for the body.")
      try Data("x".utf8).write(to: file)
      return .file(file, shouldRemove: true)
    }
  }

  /// Its end has been told by the time the file is there: the file goes all the same.
  @Test func aFileThatComesTooLate() async throws {
    let origin = Origin.inMemory()
    var post = URLRequest(url: try #require(URL(string: origin.baseURL + "/upload")))
    post.httpMethod = "POST"
    let own = OwnFile(post, temporaryFile())
    let request = session.upload(
      own, fileManager: .default, interceptor: nil, shouldAutomaticallyResume: false)
    own.upload.withLock { $0 = request }
    request.response(queue: .global()) { response in
      #expect(response.error?.isExplicitlyCancelledError == true)
      own.isOver.raise()
    }
    request.resume()
    await Eventually.expect("it has been made") { own.isOver.wait(seconds: 0) && request.uploadable != nil }
    await Eventually.expect("it is gone") { !FileManager.default.fileExists(atPath: own.file.path) }
    own.upload.withLock { $0 = nil }
    #expect(origin.requests.isEmpty)
  }

  /// A body is not made for a request that an adapter was too slow for.
  @Test func noBodyBehindACancellation() async throws {
    let origin = Origin.inMemory()
    let own = OwnFile(URLRequest(url: try #require(URL(string: origin.baseURL + "/upload"))), temporaryFile())
    let adapter = Adapter { request, _, completion in
      own.upload.withLock { $0 }?.cancel()
      completion(.success(request))
    }
    let request = session.upload(
      own, fileManager: .default, interceptor: adapter, shouldAutomaticallyResume: false)
    own.upload.withLock { $0 = request }
    request.resume()
    #expect(await request.serializingData().response.error?.isExplicitlyCancelledError == true)
    own.upload.withLock { $0 = nil }
    #expect(request.uploadable == nil && origin.requests.isEmpty)
  }

  @Test func fromAStream() async throws {
    let origin = Origin.inMemory()
    let request = session.upload(
      InputStream(data: Data(repeating: 7, count: 50_000)), to: origin.baseURL + "/upload")
    #expect(try await request.serializingDecodable(Count.self).value.bytes == 50_000)
    #expect(request.inputStream() == nil, "A stream is handed over once.")
  }

  @Test(arguments: [MultipartFormData.encodingMemoryThreshold, 0])
  func fromAForm(threshold: UInt64) async throws {
    let origin = Origin.inMemory()
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

  /// How often this process has the file open.
  private static func openings(of file: URL) -> Int {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return all.count {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == file.path
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

  /// Nothing is written for a form, and what is read for it is let go of.
  @Test(arguments: [false, true]) func aFormCancelledBetweenAttemptsHoldsNoFile(onQueues: Bool) async throws {
    let origin = Origin.inMemory()
    let keeper = Keeper()
    let file = temporaryFile()
    try Data(count: 3_000_000).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let session = Session(
      configuration: .patientInMemory, rootQueue: onQueues ? DispatchQueue(label: "test.root") : nil)
    let request = session.upload(
      multipartFormData: { $0.append(file, withName: "first", fileName: "f", mimeType: "a/b") },
      to: origin.baseURL + "/status/503", usingThreshold: 0, interceptor: keeper
    ).validate()
    let task = request.serializingData()
    await Eventually.expect("The second attempt has begun.") { keeper.kept.withLock { $0 != nil } }
    #expect(request.uploadable == nil)
    await Eventually.expect("The file is closed.") { Self.openings(of: file) == 0 }
    request.cancel()
    #expect(await task.response.error?.isExplicitlyCancelledError == true)
    _ = keeper.kept.withLock { $0.take() }
    #expect(origin.requests.map(\.isComplete) == [true])
  }

  @Test func aFormCancelledWhileItIsSentHoldsNoFile() async throws {
    let origin = Origin.inMemory()
    origin.reception = .silence
    let file = temporaryFile()
    try Data(count: 60_000_000).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let request = session.upload(
      multipartFormData: { $0.append(file, withName: "first", fileName: "f", mimeType: "a/b") },
      to: origin.baseURL + "/hangs", usingThreshold: 0)
    let task = request.serializingData()
    await Eventually.expect("It is on its way.") { Self.openings(of: file) == 1 }
    request.cancel()
    #expect(await task.response.error?.isExplicitlyCancelledError == true)
    await Eventually.expect("The file is closed.") { Self.openings(of: file) == 0 }
  }

  @Test func aBodyThatCannotBeMadeFailsTheRequest() async throws {
    let origin = Origin.inMemory()
    let form = MultipartFormData()
    form.append(URL(fileURLWithPath: "/nowhere/at/all"), withName: "file")
    let response = await session.upload(multipartFormData: form, to: origin.baseURL + "/post")
      .serializingData().response
    #expect(response.error?.isMultipartEncodingError == true)
    #expect(origin.requests.isEmpty)
  }

  @Test(arguments: [MultipartFormData.encodingMemoryThreshold, 0])
  func aFormWithAURLRequest(threshold: UInt64) async throws {
    let origin = Origin.inMemory()
    var urlRequest = try URLRequest(url: origin.baseURL + "/put", method: .put)
    urlRequest.setValue("1", forHTTPHeaderField: "X-Own")
    let request = session.upload(
      multipartFormData: { $0.append(Data("one".utf8), withName: "first") }, with: urlRequest,
      usingThreshold: threshold)
    #expect(try await request.serializingString().value.contains("one"))
    let sent = try #require(origin.requests.first)
    #expect(sent.method == "PUT" && sent.value("X-Own") == "1")
    #expect(sent.value("Content-Type")?.hasPrefix("multipart/form-data; boundary=") == true)
    #expect(String(decoding: sent.body, as: UTF8.self).contains("name=\"first\"\r\n\r\none\r\n"))
  }

  /// Makes a file for each attempt, or the same one every time.
  private final class FilePerAttempt: UploadConvertible {
    let request: URLRequest
    let files: [URL]
    private let count = Locked(0)

    init(_ request: URLRequest, _ files: [URL]) { (self.request, self.files) = (request, files) }

    func asURLRequest() throws -> URLRequest { request }

    func createUploadable() throws -> UploadRequest.Uploadable {
      let number = count.withLock { count in
        defer { count += 1 }
        return count
      }
      let file = files[number % files.count]
      try Data("attempt".utf8).write(to: file)
      return .file(file, shouldRemove: true)
    }
  }

  @Test(arguments: [1, 2]) func theFilesOfAllAttemptsGo(files: Int) async throws {
    let origin = Origin.inMemory()
    origin.script("/a", .response(status: 503), .response())
    var put = URLRequest(url: try #require(URL(string: origin.baseURL + "/a")))
    put.httpMethod = "PUT"
    let upload = FilePerAttempt(put, (0..<files).map { _ in temporaryFile() })
    let response = await session.upload(
      upload, fileManager: .default, interceptor: RetryPolicy(exponentialBackoffScale: 0),
      shouldAutomaticallyResume: nil
    ).validate().serializingData(emptyResponseCodes: [200]).response
    #expect(response.error == nil)
    #expect(origin.requests.map(\.body) == [Array("attempt".utf8), Array("attempt".utf8)])
    for file in upload.files {
      await Eventually.expect("it is gone") { !FileManager.default.fileExists(atPath: file.path) }
    }
  }
}
