// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import Testing

@testable import Bluebonnet

/// Downloads of the API that go on where others broke off.
@Suite struct ResumedRequestTests {
  private let origin: Origin
  private static let total = 1_000_000

  init() {
    origin = Origin.inMemory()
  }

  private func session(
    onQueues: Bool = false, interceptor: (any RequestInterceptor)? = nil, monitors: [any EventMonitor] = []
  ) -> Session {
    let configuration = URLSessionConfiguration.inMemory
    // On a busy machine, a minute may pass between two steps of a test.
    configuration.timeoutIntervalForRequest = 600
    return Session(
      configuration: configuration, rootQueue: onQueues ? DispatchQueue(label: "test.root") : nil,
      interceptor: interceptor, eventMonitors: monitors)
  }

  private static let whole = Data((0..<total).map { UInt8($0 % 251) })

  /// A download of which seven tenths come.
  private func broken(_ session: Session) async throws -> Data {
    let response = await session.download(origin.baseURL + "/download/\(Self.total)?shouldProduceError=true")
      .serializingData().response
    #expect(response.error?.isSessionTaskError == true)
    #expect(response.resumeData != nil && response.resumeData == response.error?.downloadResumeData)
    return try #require(response.resumeData)
  }

  private func remove(_ file: URL?) {
    if let file { try? FileManager.default.removeItem(at: file) }
  }

  @Test(arguments: [false, true]) func aBrokenDownloadGoesOn(onQueues: Bool) async throws {
    let offsets = Recorder<[Int64]>()
    let monitor = ClosureEventMonitor(queue: DispatchQueue(label: "test.monitor"))
    monitor.downloadTaskDidResumeAtOffset = { _, _, offset, total in offsets.note([offset, total]) }
    let session = session(onQueues: onQueues, monitors: [monitor])
    let data = try await broken(session)
    let progress = Recorder<Int64>()
    let request = session.download(resumingWith: data)
      .downloadProgress(queue: DispatchQueue(label: "test.progress")) {
        #expect($0.totalUnitCount == Int64(Self.total))
        progress.note($0.completedUnitCount)
      }
      .validate()
    let response = await request.serializingData().response
    defer { remove(response.fileURL) }
    #expect(response.value == Self.whole)
    #expect(response.response?.statusCode == 206 && response.resumeData == nil)
    #expect(origin.requests.last?.values("Range") == ["bytes=700000-"])
    await Eventually.expect("All of it has been told.") { progress.entries.last == Int64(Self.total) }
    #expect(progress.entries.allSatisfy { $0 >= 700_000 } && progress.entries.sorted() == progress.entries)
    await Eventually.expect("It was told where.") { offsets.entries == [[700_000, Int64(Self.total)]] }
    #expect(request.downloadProgress.fractionCompleted == 1)
  }

  /// A response that hangs in the middle.
  private func begin(_ session: Session, path: String = "/hanging") async throws -> DownloadRequest {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: \(Self.total)\r\nETag: \"\(Self.total)\"\r\n\r\n"
    origin.script(path, ScriptedReply([.bytes(Array(head.utf8) + Self.whole.prefix(1000)), .hang]))
    let request = session.download(origin.baseURL + path).resume()
    await Eventually.expect("Some of it is there.") { request.downloadProgress.completedUnitCount == 1000 }
    return request
  }

  @Test(arguments: [false, true]) func cancellingLeavesWhatItTakes(onQueues: Bool) async throws {
    let session = session(onQueues: onQueues)
    let request = try await begin(session)
    request.cancel(producingResumeData: true)
    let response = await request.serializingData().response
    #expect(response.error?.isExplicitlyCancelledError == true)
    let data = try #require(response.resumeData)
    #expect(data == request.resumeData)
    let end = await session.download(resumingWith: data, from: origin.baseURL + "/download/\(Self.total)")
      .serializingData().response
    defer { remove(end.fileURL) }
    #expect(end.value == Self.whole && end.response?.statusCode == 206)
  }

  @Test(arguments: [false, true]) func theClosureGetsThem(onQueues: Bool) async throws {
    let session = session(onQueues: onQueues)
    let request = try await begin(session)
    let handed = await withCheckedContinuation { continuation in
      request.cancel { continuation.resume(returning: $0) }
    }
    let response = await request.serializingData().response
    #expect(handed != nil && response.resumeData == handed && request.resumeData == handed)
  }

  @Test func cancellingPlainlyLeavesNothing() async throws {
    let session = session()
    for cancel in [{ $0.cancel() }, { $0.cancel(producingResumeData: false) }] as [(DownloadRequest) -> Void]
    {
      let request = try await begin(session)
      cancel(request)
      let response = await request.serializingData().response
      #expect(response.error?.isExplicitlyCancelledError == true)
      #expect(response.resumeData == nil && request.resumeData == nil)
    }
  }

  /// What there was before stays good where nothing has come of going on with it.
  @Test func cancelledBeforeItHasATaskTheDataStay() async throws {
    let session = session()
    let data = try await broken(session)
    let request = session.download(resumingWith: data, shouldAutomaticallyResume: false)
    request.cancel(producingResumeData: true)
    let response = await request.serializingData().response
    #expect(response.error?.isExplicitlyCancelledError == true)
    #expect(response.resumeData == data)
    let plain = session.download(resumingWith: data, shouldAutomaticallyResume: false).cancel()
    #expect(await plain.serializingData().response.resumeData == nil)
  }

  /// An attempt that comes to nothing takes nothing from the one before.
  @Test func aRetryThatIsNotSentKeepsTheData() async throws {
    let session = session(
      interceptor: Interceptor(
        adaptHandler: { [weak origin] request, _, completion in
          completion(
            origin?.requests.isEmpty == false ? .failure(URLError(.dataNotAllowed)) : .success(request))
        },
        retryHandler: { request, _, _, completion in
          completion(request.retryCount < 1 ? .retry : .doNotRetry)
        }))
    let response = await session.download(
      origin.baseURL + "/download/\(Self.total)?shouldProduceError=true"
    ).serializingData().response
    #expect(response.error?.isRequestAdaptationError == true)
    let data = try #require(response.resumeData)
    let plain = self.session()
    let end = await plain.download(resumingWith: data).serializingData().response
    defer { remove(end.fileURL) }
    #expect(end.value == Self.whole && end.response?.statusCode == 206)
  }

  /// Time that is up for the whole request is one more way of breaking off.
  @Test func aDeadlineKeepsTheData() async throws {
    let session = session()
    let request = try await begin(session)
    request.deadline(after: 0)
    let response = await request.serializingData().response
    #expect((response.error?.underlyingError as? URLError)?.code == .timedOut)
    let data = try #require(response.resumeData)
    let end = await session.download(resumingWith: data, from: origin.baseURL + "/download/\(Self.total)")
      .serializingData().response
    defer { remove(end.fileURL) }
    #expect(end.value == Self.whole && end.response?.statusCode == 206)
  }

  @Test func anErrorsAnswerKeepsTheData() async throws {
    let session = session()
    let data = try await broken(session)
    origin.script("/gone", .response(status: 503))
    let refused = await session.download(resumingWith: data, from: origin.baseURL + "/gone")
      .validate().serializingData().response
    #expect(refused.error?.responseCode == 503)
    let end = await session.download(resumingWith: data).serializingData().response
    defer { remove(end.fileURL) }
    #expect(end.value == Self.whole && end.response?.statusCode == 206)
  }

  @Test func anotherAddressIsAdapted() async throws {
    let session = session(
      interceptor: Adapter { request, _, completion in
        completion(.success(request.adding("signed", "X-Signature")))
      })
    let data = try await broken(session)
    let request = session.download(
      resumingWith: data, from: origin.baseURL + "/download/\(Self.total)?signature=2",
      headers: ["X-Own": "1"])
    let response = await request.serializingData().response
    defer { remove(response.fileURL) }
    #expect(response.value == Self.whole && response.response?.statusCode == 206)
    #expect(origin.requests.last?.values("X-Signature") == ["signed"])
    #expect(origin.requests.last?.values("X-Own") == ["1"])
    #expect(request.request?.url?.query == "signature=2")
  }

  @Test func whatHasChangedStartsOver() async throws {
    let session = session()
    let data = try await broken(session)
    let response = await session.download(resumingWith: data, from: origin.baseURL + "/download/500000")
      .serializingData().response
    defer { remove(response.fileURL) }
    #expect(response.value == Self.whole.prefix(500_000) && response.response?.statusCode == 200)
    #expect(origin.requests.last?.values("If-Range") == ["\"\(Self.total)\""])
  }

  /// A retry does not load again what is there.
  @Test(arguments: [false, true]) func aRetryGoesOn(_ isResumed: Bool) async throws {
    let session = session(
      interceptor: Retrier { request, _, _, completion in
        completion(request.retryCount < 3 ? .retry : .doNotRetry)
      })
    var data = Data()
    if isResumed { data = try await broken(self.session()) }
    origin.forgetRequests()
    breakOffAgainAndAgain()
    let request =
      isResumed
      ? session.download(resumingWith: data, from: origin.baseURL + "/flaky")
      : session.download(origin.baseURL + "/flaky")
    let response = await request.serializingData().response
    defer { remove(response.fileURL) }
    #expect(response.value == Self.whole && response.error == nil)
    let ranges = origin.requests.map { $0.value("Range") }
    #expect(
      ranges == (isResumed ? ["bytes=700000-"] : [nil, "bytes=300000-", "bytes=600000-", "bytes=900000-"]))
  }

  /// Three tenths at a time.
  private func breakOffAgainAndAgain() {
    let step = 300_000
    origin.handle("/flaky") { request in
      let start = request.value("Range").flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
      let end = min(start + step, Self.total)
      let head =
        start == 0 ? "200 OK" : "206 P\r\nContent-Range: bytes \(start)-\(Self.total - 1)/\(Self.total)"
      let text =
        "HTTP/1.1 \(head)\r\nContent-Length: \(Self.total - start)\r\nETag: \"\(Self.total)\"\r\n\r\n"
      return ScriptedReply([
        .bytes(Array(text.utf8) + Self.whole[start..<end]),
        end == Self.total ? .pause(milliseconds: 0) : .abruptClose,
      ])
    }
  }

  /// A policy goes by the method, also where the request is that of the data.
  @Test func aPolicyRetriesWhatGoesOn() async throws {
    breakOffAgainAndAgain()
    let plain = session()
    let first = await plain.download(origin.baseURL + "/flaky").serializingData().response
    let data = try #require(first.resumeData)
    let session = session(interceptor: RetryPolicy(exponentialBackoffScale: 0))
    let response = await session.download(resumingWith: data).serializingData().response
    defer { remove(response.fileURL) }
    #expect(response.value == Self.whole && response.error == nil)
    #expect(
      origin.requests.map { $0.value("Range") } == [nil, "bytes=300000-", "bytes=600000-", "bytes=900000-"])
  }

  /// An attempt that is answered with an error takes nothing from the one before.
  @Test func anErrorsAnswerToARetryKeepsTheData() async throws {
    let session = session(
      interceptor: Retrier { request, _, _, completion in
        completion(request.retryCount < 2 ? .retry : .doNotRetry)
      })
    let head = "HTTP/1.1 200 OK\r\nContent-Length: \(Self.total)\r\nETag: \"\(Self.total)\"\r\n\r\n"
    origin.script(
      "/flaky", ScriptedReply([.bytes(Array(head.utf8) + Self.whole.prefix(1000)), .abruptClose]),
      .response(status: 503))
    let response = await session.download(origin.baseURL + "/flaky").validate().serializingData().response
    #expect(response.error?.responseCode == 503 && origin.requests.count == 3)
    let data = try #require(response.resumeData)
    let end = await session.download(resumingWith: data, from: origin.baseURL + "/download/\(Self.total)")
      .serializingData().response
    defer { remove(end.fileURL) }
    #expect(end.value == Self.whole && end.response?.statusCode == 206)
  }

  @Test func nonsenseIsRefused() async throws {
    let session = session()
    let response = await session.download(resumingWith: Data("resume".utf8), from: origin.baseURL + "/get")
      .serializingData().response
    #expect(
      (response.error?.underlyingError as? URLError)?.refusedSetting?.reason.contains("not of this library")
        == true)
    #expect(origin.connectionCount == 0)
  }
}

extension URLRequest {
  fileprivate func adding(_ value: String, _ name: String) -> URLRequest {
    var request = self
    request.setValue(value, forHTTPHeaderField: name)
    return request
  }
}
