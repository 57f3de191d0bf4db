// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestClock
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// Whole loads over real sockets, against our own origin.
@Suite struct LoadingTests {
  let origin: Origin
  let session: URLSession

  init() throws {
    origin = try Origin.start()
    let configuration = URLSessionConfiguration.ephemeral
    // On a busy machine, a minute may pass between two requests.
    configuration.timeoutIntervalForIdleConnections = 600
    session = URLSession(configuration: configuration)
  }

  private func url(_ path: String) throws -> URL {
    try #require(URL(string: origin.baseURL + path))
  }

  private func load(_ path: String) async throws -> (Data, HTTPURLResponse) {
    let (data, response) = try await session.data(from: try url(path))
    return (data, try #require(response as? HTTPURLResponse))
  }

  @Test func getsAResource() async throws {
    let (data, response) = try await load("/get?a=b")
    #expect(response.statusCode == 200)
    #expect(response.mimeType == "application/json")
    #expect(String(decoding: data, as: UTF8.self).contains("\"a\""))
  }

  @Test func keepsItsConnection() async throws {
    for _ in 0..<20 { _ = try await load("/get") }
    #expect(origin.connectionCount == 1)
    #expect(origin.requests.count == 20)
  }

  /// What a server compresses on the way, it cuts behind the compression: nobody could decode such a part.
  @Test(arguments: [
    (["Range": "bytes=1-2"], [:], "identity"), (["range": "bytes=1-2", "X": "y"], [:], "identity"),
    (["X": "y"], [:], "br, gzip, deflate"),
    (["Range": "bytes=1-2", "Accept-Encoding": "gzip"], [:], "gzip"),
    (["Range": "bytes=1-2"], ["Accept-Encoding": "br"], "br"),
  ]) func aPartIsAskedForWithoutACoding(
    _ fields: [String: String], _ sessions: [String: String], _ expected: String
  ) async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = sessions
    var request = URLRequest(url: try url("/get"))
    request.allHTTPHeaderFields = fields
    _ = try await URLSession(configuration: configuration).data(for: request)
    #expect(origin.requests.first?.values("Accept-Encoding") == [expected])
  }

  /// RFC 9112 §9.6: a client that has said close sends nothing more, whatever the server says.
  @Test(arguments: ["close", "Close", "foo, close"]) func sendsNothingBehindAClose(option: String)
    async throws
  {
    origin.script("/kept", .response(body: "kept".utf8))
    var request = URLRequest(url: try url("/kept"))
    request.setValue(option, forHTTPHeaderField: "Connection")
    let closing = request
    _ = try await session.data(for: closing)
    _ = try await load("/get")
    #expect(origin.connectionCount == 2)
  }

  /// Nobody is there to move the file away.
  @Test(.serialized, arguments: [24_691, 50_123]) func aDownloadForNobodyLeavesNoFile(length: Int)
    async throws
  {
    // The size tells this test's file from others; with the larger length the body is cut short.
    let size = 24_691
    let head = "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n"
    origin.script("/file", .text(head + String(repeating: "x", count: size)).then(.close))
    let task = session.downloadTask(with: try url("/file"))
    task.resume()
    await Eventually.expect("it is complete") { task.state == .completed }
    await Eventually.expect("the file is removed") {
      let directory = FileManager.default.temporaryDirectory.path
      let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
      return !files.contains { name in
        let attributes = try? FileManager.default.attributesOfItem(atPath: directory + "/" + name)
        return name.hasPrefix("BluebonnetDownload_") && attributes?[.size] as? Int == size
      }
    }
  }

  @Test(arguments: ["/gzip", "/deflate", "/brotli"]) func undoesContentCodings(path: String) async throws {
    let (data, response) = try await load(path)
    #expect(response.value(forHTTPHeaderField: "Content-Encoding") != nil)
    #expect(String(decoding: data, as: UTF8.self).contains(path))
  }

  @Test func followsRedirects() async throws {
    let (_, response) = try await load("/redirect/3")
    #expect(response.statusCode == 200)
    #expect(response.url?.path == "/get")
    #expect(origin.connectionCount == 1)
  }

  @Test func sendsABodyAndReadsTheEcho() async throws {
    var request = URLRequest(url: try url("/post"))
    request.httpMethod = "POST"
    request.httpBody = Data("hello=world".utf8)
    request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
    let (data, _) = try await session.data(for: request)
    #expect(String(decoding: data, as: UTF8.self).contains("\"hello\":\"world\""))
    #expect(origin.requests.last?.body == Array("hello=world".utf8))
  }

  /// As with Foundation, where neither the request nor the session says what the content of a POST is.
  @Test(arguments: [
    ("POST", "a=b", nil, nil, true, "application/x-www-form-urlencoded"),
    ("POST", "a=b", "text/plain", nil, true, "text/plain"),
    ("POST", "a=b", nil, "text/csv", true, "text/csv"),
    ("POST", "a=b", nil, nil, false, nil), ("POST", nil, nil, nil, true, nil),
    ("PUT", "a=b", nil, nil, true, nil),
  ])
  func aPostWithoutATypeIsAForm(
    _ method: String, _ body: String?, _ stated: String?, _ sessions: String?, _ sendsDefaultFields: Bool,
    _ type: String?
  ) async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.sendsDefaultFields = sendsDefaultFields
    configuration.httpAdditionalHeaders = sessions.map { ["Content-Type": $0] }
    var request = URLRequest(url: try url("/anything"))
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    request.setValue(stated, forHTTPHeaderField: "Content-Type")
    let session = URLSession(configuration: configuration)
    _ = try await session.data(for: request)
    #expect(origin.requests.first?.values("Content-Type") == (type.map { [$0] } ?? []))
    #expect(request.value(forHTTPHeaderField: "Content-Type") == stated)
    session.finishTasksAndInvalidate()
  }

  @Test func readsChunkedBodies() async throws {
    let (data, response) = try await load("/chunked/5/1")
    #expect(data == Data([5, 4, 3, 2, 1]))
    #expect(response.expectedContentLength == NSURLSessionTransferSizeUnknown)
  }

  @Test func loadsManyAtOnceOverAFewConnections() async throws {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<200 { group.addTask { try await load("/bytes/1000").0.count } }
      for try await count in group { #expect(count == 1000) }
    }
    #expect(origin.connectionCount <= 6)
  }

  @Test func cancelsALoadThatWaits() async throws {
    let task = Task { try await load("/delay/10") }
    task.cancel()
    let error = await #expect(throws: URLError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }

  private final class Made: Sendable {
    let task = Locked<URLSessionTask?>(nil)
  }

  /// On one thread a task is being prepared, on another it is cancelled.
  @Test func aTaskMayBeCancelledWhileItBegins() async throws {
    let url = try url("/get")
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<500 {
        let made = Made()
        group.addTask { [session] in
          await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let task = session.dataTask(with: url) { _, _, _ in continuation.resume() }
            made.task.withLock { $0 = task }
            task.resume()
          }
        }
        group.addTask {
          while true {
            if let task = made.task.withLock({ $0 }) { return task.cancel() }
            await Task.yield()
          }
        }
      }
    }
  }

  /// Whatever order the two calls take, a task that says it is running runs.
  @Test func suspendingAndResumingOnTwoThreadsForgetsNothing() async throws {
    let url = try url("/get")
    for _ in 0..<300 {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        let task = session.dataTask(with: url) { _, _, _ in continuation.resume() }
        task.resume()
        DispatchQueue.concurrentPerform(iterations: 2) { $0 == 0 ? task.suspend() : task.resume() }
        if task.state == .suspended { task.resume() }
      }
    }
  }

  /// Who keeps a task may be kept by its handler: the task lets go of it.
  @Test func aCompletedTaskKeepsNobody() async throws {
    // @unchecked: the only member is a mutex; the superclass is not Sendable without Foundation.
    final class Owner: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
      let task = Locked<URLSessionTask?>(nil)
    }
    nonisolated(unsafe) weak var owner: Owner?
    try await {
      let made = Owner()
      owner = made
      let url = try url("/get")
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        let task = session.dataTask(with: url) { _, _, _ in
          withExtendedLifetime(made) { continuation.resume() }
        }
        task.delegate = made
        made.task.withLock { $0 = task }
        task.resume()
      }
    }()
    await Eventually.expect("its owner is gone") { owner == nil }
  }

  @Test func aTaskThatIsMadeAfterTheSessionsEndFails() async throws {
    origin.script("/held", ScriptedReply([.hang], at: .head))
    let session = URLSession(configuration: .ephemeral)
    let held = session.dataTask(with: try url("/held"))
    held.resume()
    session.finishTasksAndInvalidate()
    let url = try url("/get")
    let error = await withCheckedContinuation { (continuation: CheckedContinuation<(any Error)?, Never>) in
      session.dataTask(with: url) { _, _, error in continuation.resume(returning: error) }.resume()
    }
    #expect((error as? URLError)?.code == .cancelled)
    held.cancel()
  }

  @Test func aSlowServerRunsIntoTheTimeOutOfItsPhase() async throws {
    origin.script("/slow", .silence)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 10
    let clock = configuration.stopClock()
    let session = URLSession(configuration: configuration)
    let load = Task { [url = try url("/slow")] in try await session.data(from: url) }
    await Eventually.expect("it is asked") { [origin] in origin.hangingConnections == 1 }
    clock.advance(by: .seconds(10))
    let error = await #expect(throws: URLError.self) { try await load.value }
    #expect(error?.code == .timedOut)
    #expect(error?.transportFailure?.phase == .waiting)
  }

  /// The file is there while the handler runs, on the delegate queue, and no longer.
  @Test func aDownloadCallsBackWithItsFile() async throws {
    let requests: [@Sendable (@escaping URLSession.FileHandler) throws -> URLSessionDownloadTask] = [
      { [session, url = try url("/bytes/1000")] in session.downloadTask(with: url, completionHandler: $0) },
      { [session, request = URLRequest(url: try url("/bytes/1000"))] in
        session.downloadTask(with: request, completionHandler: $0)
      },
    ]
    for make in requests {
      let (file, count) = try await withCheckedThrowingContinuation { continuation in
        do {
          try make { [session] file, response, error in
            #expect(session.isOnDelegateQueue)
            #expect(error == nil && (response as? HTTPURLResponse)?.statusCode == 200)
            continuation.resume(
              returning: (file, file.flatMap { try? Data(contentsOf: $0).count }))
          }.resume()
        } catch {
          continuation.resume(throwing: error)
        }
      }
      #expect(count == 1000)
      let path = try #require(file?.path)
      await Eventually.expect("It is deleted.") { !FileManager.default.fileExists(atPath: path) }
    }
    let closed = try ClosedPort()
    let lost = try #require(URL(string: "http://127.0.0.1:\(closed.number)/"))
    let (file, error) = await withCheckedContinuation { continuation in
      session.downloadTask(with: lost) { continuation.resume(returning: ($0, $2)) }.resume()
    }
    #expect(file == nil && (error as? URLError)?.code == .cannotConnectToHost)
    withExtendedLifetime(closed) {}
  }
}
