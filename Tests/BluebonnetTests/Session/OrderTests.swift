// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// What a handler finds when it runs, and in which order monitors hear, over real sockets and many times.
@Suite(.serialized) struct OrderTests {
  enum Kind: CaseIterable {
    case data, upload, streamedUpload, download, stream, redirect, retry, invalid, failure, cancellation
  }

  private static let runs = Repetitions.count
  private static let atOnce = 8
  /// The last runs have to share the processors with threads that never rest.
  private static let busyRuns = Repetitions.busyCount

  /// Says late, and elsewhere, what is to be kept.
  private struct LateCacher: CachedResponseHandler {
    func dataTask(
      _ task: URLSessionDataTask, willCacheResponse response: CachedURLResponse,
      completion: @escaping (CachedURLResponse?) -> Void
    ) {
      nonisolated(unsafe) let completion = completion
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.001) { completion(response) }
    }
  }

  /// Notes each request's events.
  private final class Noting: EventMonitor {
    let queue = DispatchQueue(label: "test.order.monitor")
    private let noted = Locked<[UUID: [String]]>([:])

    func events(of request: Request) -> [String] {
      noted.withLock { $0[request.id] ?? [] }
    }

    private func note(_ event: String, _ request: Request) {
      noted.withLock { noted in
        // However many pieces there are.
        if noted[request.id]?.last != event {
          noted[request.id, default: []].append(event)
        }
      }
    }

    func requestDidResume(_ request: Request) { note("resume", request) }
    func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest) {
      note("initial", request)
    }
    func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable) {
      note("uploadable", request)
    }
    func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) { note("made", request) }
    func request(_ request: Request, didCreateTask task: URLSessionTask) { note("task", request) }
    func request(_ request: Request, didResumeTask task: URLSessionTask) { note("resume task", request) }
    func request(_ request: UploadRequest, didProvideInputStream stream: InputStream) {
      note("stream", request)
    }
    func request(_ request: DownloadRequest, didCreateDestinationURL url: URL) { note("place", request) }
    func request(
      _ request: DownloadRequest, didFinishDownloadingUsing task: URLSessionTask,
      with result: Result<URL, AFError>
    ) { note("file", request) }
    func request(_ request: Request, didGatherMetrics metrics: URLSessionTaskMetrics) {
      note("metrics", request)
    }
    func request(
      _ request: DataRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
      data: Data?, withResult result: Request.ValidationResult
    ) { note("validated", request) }
    func request(
      _ request: DownloadRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
      fileURL: URL?, withResult result: Request.ValidationResult
    ) { note("validated", request) }
    func request(
      _ request: DataStreamRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
      withResult result: Request.ValidationResult
    ) { note("validated", request) }
    func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {
      note("complete", request)
    }
    func requestIsRetrying(_ request: Request) { note("retry", request) }
    func requestDidCancel(_ request: Request) { note("cancel", request) }
    func request(_ request: Request, didCancelTask task: URLSessionTask) { note("cancel task", request) }
    func requestDidFinish(_ request: Request) { note("finish", request) }
    func request(_ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>) {
      note("parsed", request)
    }
    func request(_ request: DownloadRequest, didParseResponse response: DownloadResponse<URL?, AFError>) {
      note("parsed", request)
    }
  }

  private static let head = ["resume", "initial", "made", "task", "resume task"]

  private static func order(of kind: Kind) -> [String]? {
    switch kind {
    case .data, .redirect: head + ["metrics", "validated", "complete", "finish", "parsed"]
    case .upload:
      ["resume", "initial", "uploadable"] + head.dropFirst(2)
        + ["metrics", "validated", "complete", "finish", "parsed"]
    case .streamedUpload:
      ["resume", "initial", "uploadable"] + head.dropFirst(2)
        + ["stream", "metrics", "validated", "complete", "finish", "parsed"]
    case .download:
      head + ["place", "file", "metrics", "validated", "complete", "finish", "parsed"]
    case .stream: head + ["metrics", "validated", "complete", "finish"]
    case .retry:
      head + ["metrics", "validated", "complete", "retry"] + head.dropFirst()
        + ["metrics", "validated", "complete", "finish", "parsed"]
    case .invalid: head + ["metrics", "validated", "complete", "finish", "parsed"]
    case .failure: head + ["metrics", "complete", "finish", "parsed"]
    case .cancellation: nil
    }
  }

  /// What one request leads to.
  private struct Scene: Sendable {
    let session: Session
    let monitor: Noting
    let cache: URLCache
    let origin: Origin
    let directory: URL
    /// Where nobody listens.
    let closedPort: ClosedPort
  }

  private final class Counter: Sendable {
    let last = Locked<Int64>(0)
    func report(_ progress: Progress) { last.withLock { $0 = progress.completedUnitCount } }
    var value: Int64 { last.withLock { $0 } }
  }

  @Test(arguments: Kind.allCases, [false, true])
  func aHandlerFindsEverythingDone(kind: Kind, onQueues: Bool) async throws {
    let monitor = Noting()
    let cache = URLCache(memoryCapacity: 100_000_000, diskCapacity: 0, diskPath: nil)
    let configuration = URLSessionConfiguration.af.ephemeral
    configuration.urlCache = cache
    configuration.timeoutIntervalForRequest = 600
    let session = Session(
      configuration: configuration, rootQueue: onQueues ? DispatchQueue(label: "test.root") : nil,
      cachedResponseHandler: LateCacher(), eventMonitors: [monitor])
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("bluebonnet-\(UUID().uuidString)", isDirectory: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let scene = Scene(
      session: session, monitor: monitor, cache: cache, origin: try Origin.start(), directory: directory,
      closedPort: try ClosedPort())
    var busy: BusyThreads?
    await withTaskGroup(of: Void.self) { group in
      for run in 0..<Self.runs {
        if run == Self.runs - Self.busyRuns { busy = BusyThreads(2) }
        if run >= Self.atOnce { await group.next() }
        group.addTask { await perform(kind, run, in: scene) }
      }
    }
    withExtendedLifetime(busy) {}
    #expect(session.context.active.withLock { $0.requests.isEmpty })
  }

  private func perform(_ kind: Kind, _ run: Int, in scene: Scene) async {
    let queue = DispatchQueue(label: "test.order.handler")
    // In turn on the handler's queue and on the session's.
    let reports = run % 2 == 0 ? queue : scene.session.rootQueue
    let (down, up) = (Counter(), Counter())
    let request = make(kind, run, in: scene)
    request.downloadProgress(queue: reports, closure: down.report)
    request.uploadProgress(queue: reports, closure: up.report)
    let size = Int64(kind == .upload || kind == .streamedUpload ? Self.body.count : 0)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let check: @Sendable (_ error: AFError?) -> Void = { error in
        #expect(!scene.session.context.active.withLock { $0.requests.contains(request) })
        #expect(up.value == size)
        switch kind {
        case .data, .redirect, .retry, .download:
          #expect(error == nil)
          #expect(down.value == (kind == .download ? 100_000 : 1000))
        case .upload, .streamedUpload: #expect(error == nil)
        case .stream: #expect(error == nil)
        case .invalid: #expect(error?.isResponseValidationError == true)
        case .failure: #expect(error?.isSessionTaskError == true)
        case .cancellation: #expect(error == nil || error?.isExplicitlyCancelledError == true)
        }
        switch kind {
        case .data, .redirect, .retry, .download, .stream:
          // What was sent last: a redirect leads elsewhere.
          #expect(request.task?.currentRequest.flatMap { scene.cache.cachedResponse(for: $0) } != nil)
        case .upload, .streamedUpload, .invalid, .failure, .cancellation: break
        }
        continuation.resume()
      }
      switch request {
      case let request as DownloadRequest: request.validate().response(queue: queue) { check($0.error) }
      case let request as DataStreamRequest:
        request.validate().responseStream(on: queue) { stream in
          if case .complete(let completion) = stream.event { check(completion.error) }
        }
      case let request as DataRequest: request.validate().response(queue: queue) { check($0.error) }
      default: Issue.record("No such kind.")
      }
      if kind == .cancellation {
        DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(run * 20)) { request.cancel() }
      }
    }
    await scene.monitor.queue.drained()
    let events = scene.monitor.events(of: request)
    if let order = Self.order(of: kind) {
      #expect(events == order)
    } else {
      expectCancellation(events)
    }
  }

  /// A cancellation is heard of before what it leads to, wherever it hits the request.
  private func expectCancellation(_ events: [String]) {
    guard let cancel = events.firstIndex(of: "cancel") else { return }
    #expect(events.filter { $0 == "cancel" }.count == 1)
    #expect(events.filter { $0 == "finish" }.count == 1)
    if let task = events.firstIndex(of: "cancel task") {
      #expect(task == cancel + 1 || events[cancel + 1] == "task", "\(events)")
      #expect(events.firstIndex(of: "complete").map { $0 > task } == true, "\(events)")
      #expect(events.firstIndex(of: "finish").map { $0 > task } == true, "\(events)")
    }
  }

  private static let body = Data(repeating: 7, count: 300_000)

  private func make(_ kind: Kind, _ run: Int, in scene: Scene) -> Request {
    let (session, base) = (scene.session, scene.origin.baseURL)
    switch kind {
    case .data, .cancellation: return session.request(base + "/bytes/1000?run=\(run)")
    case .upload: return session.upload(Self.body, to: base + "/upload")
    case .streamedUpload: return session.upload(InputStream(data: Self.body), to: base + "/upload")
    case .download:
      let file = scene.directory.appendingPathComponent("\(run)")
      return session.download(
        base + "/bytes/100000?run=\(run)", to: { _, _ in (file, [.createIntermediateDirectories]) })
    case .stream: return session.streamRequest(base + "/bytes/100000?run=\(run)&streamed")
    case .redirect: return session.request(base + "/redirect-to?url=/bytes/1000%3Fredirect=\(run)")
    case .retry:
      let places = Places(base + "/status/503", base + "/bytes/1000?retry=\(run)")
      return session.request(
        places,
        interceptor: Retrier { _, _, error, completion in
          completion((error as? AFError)?.responseCode == 503 ? .retry : .doNotRetry)
        })
    case .invalid: return session.request(base + "/status/404")
    case .failure: return session.request("http://127.0.0.1:\(scene.closedPort.number)/")
    }
  }

  /// Another place for each attempt.
  private final class Places: URLRequestConvertible {
    private let places: Locked<ArraySlice<String>>

    init(_ places: String...) { self.places = Locked(places[...]) }

    func asURLRequest() throws -> URLRequest {
      try URLRequest(url: places.withLock { $0.popFirst() ?? "" }, method: .get)
    }
  }
}
