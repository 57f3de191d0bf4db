// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestClock
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// Bodies on their way out: from memory, files and streams, over redirects and silent servers.
@Suite struct UploadLoadingTests {
  let origin: Origin
  let session = URLSession(configuration: .ephemeral)

  init() throws {
    origin = try Origin.start()
  }

  private func request(_ path: String, method: String = "POST") throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: origin.baseURL + path)))
    request.httpMethod = method
    return request
  }

  @Test(arguments: [0, 1, 65_536, 5_000_000]) func sendsDataOfAnySize(size: Int) async throws {
    let body = Data((0..<size).map { UInt8(truncatingIfNeeded: $0) })
    let (answer, _) = try await session.upload(for: try request("/upload"), from: body)
    #expect(String(decoding: answer, as: UTF8.self).contains("\(size)"))
    #expect(origin.requests.last?.value("Content-Length") == "\(size)")
  }

  @Test func sendsAFile() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID()).bin")
    try Data(repeating: 7, count: 1_000_000).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let (answer, _) = try await session.upload(for: try request("/upload"), fromFile: file)
    #expect(String(decoding: answer, as: UTF8.self).contains("1000000"))
  }

  /// Looks for the file among the descriptors of this process.
  private static func isOpen(_ file: URL) -> Bool {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return all.contains { number in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")) == file.path
    }
  }

  @Test(arguments: ["/upload", "/refuse"]) func aFileIsClosedAfterwards(path: String) async throws {
    origin.script(
      "/refuse",
      ScriptedReply(
        [.bytes(Array("HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n".utf8)), .close],
        at: .head))
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID()).bin")
    try Data(repeating: 7, count: 1_000_000).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    _ = try await session.upload(for: try request(path), fromFile: file)
    await Eventually.expect("the file is closed") { !Self.isOpen(file) }
  }

  @Test func sendsTheFileBehindALink() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID()).bin")
    let link = file.appendingPathExtension("link")
    try Data(repeating: 7, count: 1_000).write(to: file)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    defer { for url in [file, link] { try? FileManager.default.removeItem(at: url) } }
    let (answer, _) = try await session.upload(for: try request("/upload"), fromFile: link)
    #expect(String(decoding: answer, as: UTF8.self).contains("1000"))
  }

  /// What goes beyond the stated length would be taken for the next request; what is missing is an error.
  @Test(arguments: [(300_000, "300000"), (299_999, "299999"), (300_001, nil)])
  func sendsAStreamOfStatedLength(length: Int, received: String?) async throws {
    var request = try request("/upload")
    request.httpBodyStream = InputStream(data: Data(repeating: 1, count: 300_000))
    request.setValue("\(length)", forHTTPHeaderField: "Content-Length")
    let sent = request
    let answer = try? await session.data(for: sent).0
    #expect(answer.map { String(decoding: $0, as: UTF8.self) } == received.map { "{\"bytes\":\($0)}" })
    if received != nil { #expect(origin.requests.last?.value("Content-Length") == received) }
  }

  @Test func sendsAStreamInChunks() async throws {
    var request = try request("/upload")
    request.httpBodyStream = InputStream(data: Data(repeating: 1, count: 300_000))
    let sent = request
    let (answer, _) = try await session.data(for: sent)
    #expect(String(decoding: answer, as: UTF8.self).contains("300000"))
    #expect(origin.requests.last?.value("Transfer-Encoding") == "chunked")
  }

  @Test func aMissingFileIsRefusedBeforeAnythingIsSent() async throws {
    let nowhere = URL(fileURLWithPath: "/nonexistent/file")
    let upload = try request("/upload")
    let error = await #expect(throws: URLError.self) {
      try await session.upload(for: upload, fromFile: nowhere)
    }
    #expect(error?.code == .fileDoesNotExist)
    #expect(origin.connectionCount == 0)
  }

  @Test func aBodyIsSentAgainAfterA307() async throws {
    var request = try request("/redirect-to?statusCode=307&url=/post")
    request.httpBody = Data("again".utf8)
    let sent = request
    _ = try await session.data(for: sent)
    #expect(origin.requests.map(\.body) == [Array("again".utf8), Array("again".utf8)])
    #expect(origin.requests.last?.method == "POST")
  }

  @Test func aBodyThatIsSentAgainIsCountedOnce() async throws {
    origin.script("/moved", .response(status: 307, fields: [("Location", "/upload")]))
    let task = session.uploadTask(
      with: try request("/moved"), from: Data(repeating: 1, count: 1_000_000))
    task.resume()
    await Eventually.expect("it completes") { task.state == .completed }
    #expect((task.response as? HTTPURLResponse)?.statusCode == 200)
    #expect(task.countOfBytesSent == 1_000_000)
    #expect(task.countOfBytesExpectedToSend == 1_000_000)
  }

  @Test func aBodyIsDroppedAfterA303() async throws {
    var request = try request("/redirect-to?statusCode=303&url=/get")
    request.httpBody = Data("once".utf8)
    let sent = request
    _ = try await session.data(for: sent)
    #expect(origin.requests.last?.method == "GET")
    #expect(origin.requests.last?.body.isEmpty == true)
  }

  @Test func secretsAreNotShownToAnotherOrigin() async throws {
    let other = try Origin.start()
    var request = try request("/redirect-to?url=\(other.baseURL)/get", method: "GET")
    request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
    let sent = request
    _ = try await session.data(for: sent)
    #expect(origin.requests.last?.value("Authorization") == "Bearer secret")
    #expect(other.requests.last?.value("Authorization") == nil)
  }

  @Test func waitsForA100BeforeTheBody() async throws {
    var request = try request("/post")
    request.httpBody = Data("patience".utf8)
    request.setValue("100-continue", forHTTPHeaderField: "Expect")
    let sent = request
    let (answer, _) = try await session.data(for: sent)
    #expect(String(decoding: answer, as: UTF8.self).contains("patience"))
  }

  @Test func aServerThatStopsReadingTimesOutWhileSending() async throws {
    origin.reception = .silence
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 1.5
    let clock = configuration.stopClock()
    let session = URLSession(configuration: configuration)
    let failed = Locked<(any Error)?>(nil)
    session.uploadTask(with: try request("/post"), from: Data(count: 50_000_000)) { _, _, error in
      failed.withLock { $0 = error }
    }.resume()
    await clock.advance(by: .milliseconds(50), until: "nobody has read for a while") {
      failed.withLock { $0 } != nil
    }
    let error = failed.withLock { $0 } as? URLError
    #expect(error?.code == .timedOut)
    #expect(error?.transportFailure?.phase == .sending)
  }

  @Test func anEarlyRefusalIsHeardThoughTheBodyIsNotDone() async throws {
    origin.script(
      "/refuse",
      ScriptedReply(
        [
          .bytes(
            Array("HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)),
          .close,
        ],
        at: .head))
    let (_, response) = try await session.upload(for: try request("/refuse"), from: Data(count: 100_000))
    #expect((response as? HTTPURLResponse)?.statusCode == 413)
  }

  /// This machine's kernel holds the rest of the body, and the next request would stand behind it for ever.
  @Test func aConnectionWhoseServerStoppedReadingIsNotUsedAgain() async throws {
    origin.script(
      "/early",
      ScriptedReply([.bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)), .hang], at: .head))
    var request = try request("/early")
    request.timeoutInterval = 10
    // More than the origin's kernel takes, less than ours does.
    _ = try await session.upload(for: request, from: Data(count: 1_500_000))
    request.url = URL(string: origin.baseURL + "/get")
    request.httpMethod = "GET"
    let (_, response) = try await session.data(for: request)
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
  }

  @Test func talksOverAUnixDomainSocket() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "\(UUID().uuidString.prefix(8)).sock"
    ).path
    let local = try Origin.start(on: .unix(path: path))
    defer { local.stop() }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.unixSocketPath = path
    let session = URLSession(configuration: configuration)
    let (_, response) = try await session.data(
      from: try #require(URL(string: "http://somewhere.example/get")))
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    #expect(local.requests.last?.value("Host") == "somewhere.example")
  }

  /// Nothing is left of it.
  @Test func aStreamIsSentOnce() async throws {
    var request = try request("/upload")
    request.httpBodyStream = InputStream(data: Data(repeating: 1, count: 4_000_000))
    let sent = request
    let (answer, _) = try await session.data(for: sent)
    #expect(String(decoding: answer, as: UTF8.self) == "{\"bytes\":4000000}")
    let error = await #expect(throws: URLError.self) { try await session.data(for: sent) }
    #expect(error?.code == .requestBodyStreamExhausted)
  }

  /// Has a stream for each body that is asked for.
  private final class StreamGiver: URLSessionTaskDelegate {
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
      completionHandler(InputStream(data: Data("stream".utf8)))
    }
  }

  /// The body of the request itself is not the one that is asked for.
  @Test(arguments: [false, true]) func aStreamedUploadIgnoresTheRequestsBody(isStream: Bool) async throws {
    var request = try request("/post")
    if isStream {
      request.httpBodyStream = InputStream(data: Data("own".utf8))
    } else {
      request.httpBody = Data("own".utf8)
    }
    let session = URLSession(configuration: .ephemeral, delegate: StreamGiver(), delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    let task = session.uploadTask(withStreamedRequest: request)
    task.resume()
    await Eventually.expect("it is complete") { task.state == .completed }
    #expect(origin.requests.map(\.body) == [Array("stream".utf8)])
  }

  /// RFC 9110 §15.4: only what becomes a GET loses its content; §10.1.1: what is sent without `Expect` is otherwise the same.
  @Test(arguments: [301, 302, 307, 308, 417]) func theBodyOfAGETStaysWithIt(status: Int) async throws {
    origin.script(
      "/moved", .response(status: status, fields: status == 417 ? [] : [("Location", "/moved")]), .endpoint)
    origin.script("/moved", .response(body: "in".utf8))
    var request = try request("/moved", method: "GET")
    if status == 417 { request.setValue("100-continue", forHTTPHeaderField: "Expect") }
    let (data, _) = try await session.upload(for: request, from: Data("query".utf8))
    #expect(String(decoding: data, as: UTF8.self) == "in")
    #expect(origin.requests.last?.method == "GET" && origin.requests.last?.body == Array("query".utf8))
  }

  /// What was lost with the first redirect does not come back, nor does its coding.
  @Test(arguments: [301, 302, 303]) func aCodedUploadLosesBodyAndCoding(status: Int) async throws {
    origin.script("/0", .response(status: status, fields: [("Location", "/1")]))
    origin.script("/1", .response(status: status, fields: [("Location", "/2")]))
    origin.script("/2", .response())
    var request = try request("/0")
    request.bodyCoding = BodyCoding(.gzip, level: nil, minimumLength: 0)
    _ = try await session.upload(for: request, from: Data(repeating: 1, count: 5000))
    #expect(origin.requests.map(\.method) == ["POST", "GET", "GET"])
    #expect(origin.requests.map { $0.value("Content-Encoding") } == ["gzip", nil, nil])
    #expect(origin.requests.dropFirst().allSatisfy { $0.body.isEmpty })
  }

  /// Suspends a task when it is sent elsewhere.
  private final class Suspender: URLSessionTaskDelegate {
    let isSuspended = Locked(false)

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      task.suspend()
      isSuspended.withLock { $0 = true }
      completionHandler(request)
    }
  }

  /// The connection is there, and takes the next request at once: its body waits all the same.
  @Test func aTaskSuspendedInARedirectSendsNoBody() async throws {
    origin.script("/moved", .response(status: 307, fields: [("Location", "/post")]))
    let delegate = Suspender()
    let sent = Locked<Int64>(0)
    let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    let task = session.uploadTask(with: try request("/moved"), from: Data("body".utf8)) { _, response, _ in
      sent.withLock { $0 = (response as? HTTPURLResponse)?.statusCode == 200 ? 1 : 2 }
    }
    task.resume()
    await Eventually.expect("it is suspended") { delegate.isSuspended.withLock { $0 } }
    await Eventually.expect("the head has come to the other place") { origin.requests.count == 2 }
    // The first body has been counted, and counting has begun anew.
    #expect(task.countOfBytesSent == 0)
    #expect(origin.requests.last?.body.isEmpty == true && sent.withLock { $0 } == 0)
    task.resume()
    await Eventually.expect("it is complete") { sent.withLock { $0 } == 1 }
    #expect(origin.requests.last?.body == Array("body".utf8))
  }
}
