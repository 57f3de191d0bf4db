// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetSemantics
import BluebonnetTestNetwork
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetFiles
@testable import BluebonnetURLLoading

/// Downloads that go on where others broke off.
@Suite struct ResumedDownloadTests {
  private static let body = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
  private static let tag = (name: "ETag", value: "\"v1\"")

  let origin: Origin

  /// On a busy machine, a minute may pass between two steps of a test.
  private static var patient: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.inMemory
    configuration.timeoutIntervalForRequest = 600
    return configuration
  }

  init() {
    origin = Origin.inMemory()
  }

  private func url(_ path: String) throws -> URL { try #require(URL(string: origin.baseURL + path)) }

  /// Sends the head and the first 40,000 bytes of the body, and breaks off.
  private static func broken(_ fields: [(name: String, value: String)] = [tag]) -> ScriptedReply {
    var head = "HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n"
    for field in fields { head += "\(field.name): \(field.value)\r\n" }
    return ScriptedReply([.bytes(Array((head + "\r\n").utf8) + body[..<40_000]), .abruptClose])
  }

  private static func rest(
    from start: Int, to end: Int = body.count, fields: [(name: String, value: String)] = [tag]
  ) -> ScriptedReply {
    .response(
      status: 206, reason: "Partial Content",
      fields: [(name: "Content-Range", value: "bytes \(start)-\(end - 1)/\(body.count)")] + fields,
      body: body[start..<end])
  }

  /// Says when it is asked for cookies, and waits.
  private final class SlowCookies: HTTPCookieStorage, @unchecked Sendable {
    let isAsked = Signal()
    let mayAnswer = Signal()

    override func cookies(for url: URL) -> [HTTPCookie]? {
      isAsked.raise()
      _ = mayAnswer.wait()
      return nil
    }
  }

  /// What is cancelled for its resume data before it has begun does not begin, however busy the delegate's queue is.
  @Test func cancelledBeforeItBegins() async throws {
    let cookies = SlowCookies()
    let configuration = Self.patient
    configuration.httpCookieStorage = cookies
    let (witness, queue) = (DownloadWitness(), OperationQueue())
    queue.maxConcurrentOperationCount = 1
    queue.isSuspended = true
    let session = URLSession(configuration: configuration, delegate: witness, delegateQueue: queue)
    let task = session.downloadTask(with: try url("/whole"))
    task.resume()
    #expect(try await detached { cookies.isAsked.wait() })
    let taken = Locked<[Data?]>([])
    task.cancel { data in taken.withLock { $0.append(data) } }
    cookies.mayAnswer.raise()
    // Another request of the loop's, so that the answer has been dealt with.
    _ = try await URLSession(configuration: Self.patient).data(from: try url("/get"))
    queue.isSuspended = false
    let record = await witness.end()
    #expect(record.error?.code == .cancelled && record.contents == nil)
    #expect(taken.withLock { $0 } == [nil])
    #expect(origin.requests.map(\.target) == ["/get"])
    // Of a task that is over, there is nothing left to take; that, too, is told on the queue.
    queue.isSuspended = true
    task.cancel { data in taken.withLock { $0.append(data) } }
    #expect(taken.withLock { $0.count } == 1)
    queue.isSuspended = false
    await Eventually.expect("It is told.") { taken.withLock { $0 } == [nil, nil] }
    session.finishTasksAndInvalidate()
  }

  private func load(_ make: (URLSession) throws -> URLSessionDownloadTask) async rethrows
    -> (DownloadWitness.Record, URLSessionDownloadTask)
  {
    let witness = DownloadWitness()
    let session = URLSession(configuration: Self.patient, delegate: witness, delegateQueue: nil)
    let task = try make(session)
    task.resume()
    let record = await witness.end()
    session.finishTasksAndInvalidate()
    return (record, task)
  }

  /// The resume data of a download of `/file` that has broken off after 40,000 bytes.
  private func brokenOff(_ fields: [(name: String, value: String)] = [tag]) async throws -> Data {
    origin.script("/file", Self.broken(fields))
    let (record, _) = try await load { $0.downloadTask(with: try url("/file")) }
    #expect(record.error?.code == .networkConnectionLost)
    origin.forgetRequests()
    return try #require(record.error?.resumeData)
  }

  private func path(of data: Data) throws -> String {
    let record = try ResumeRecord(bytes: data)
    return FileManager.default.temporaryDirectory
      .appendingPathComponent("\(record.location.directory)/\(record.location.name)").path
  }

  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  // MARK: Going on

  @Test func aBrokenDownloadGoesOn() async throws {
    let data = try await brokenOff()
    let part = try path(of: data)
    #expect(exists(part))
    origin.script("/file", Self.rest(from: 40_000))
    let (record, task) = await load { $0.downloadTask(withResumeData: data) }
    #expect(record.error == nil)
    #expect(record.contents == Data(Self.body))
    #expect(record.resumptions == [[40_000, 100_000]])
    #expect(record.counts.allSatisfy { $0[0] > 40_000 && $0[1] == 100_000 })
    #expect(record.counts.last == [100_000, 100_000])
    #expect(task.countOfBytesReceived == 100_000 && task.countOfBytesExpectedToReceive == 100_000)
    #expect((task.response as? HTTPURLResponse)?.statusCode == 206)
    #expect(task.originalRequest?.url == (try url("/file")))
    #expect(task.originalRequest?.value(forHTTPHeaderField: "Range") == nil)
    let request = try #require(origin.requests.first)
    #expect(origin.requests.count == 1)
    #expect(request.values("Range") == ["bytes=40000-"])
    #expect(request.values("If-Range") == ["\"v1\""])
    #expect(request.values("Accept-Encoding") == ["identity"])
    #expect(!exists(part), "Nothing is left.")
  }

  @Test func aCancelledDownloadGoesOn() async throws {
    origin.script("/file", ScriptedReply(Self.broken().steps.dropLast() + [.hang]))
    let witness = DownloadWitness()
    let session = URLSession(configuration: Self.patient, delegate: witness, delegateQueue: nil)
    let task = session.downloadTask(with: try url("/file"))
    task.resume()
    await Eventually.expect("Some of it is there.") { task.countOfBytesReceived == 40_000 }
    let isOver = Locked(false)
    let produced: Data? = await withCheckedContinuation { continuation in
      task.cancel {
        isOver.withLock { $0 = task.state == .completed }
        continuation.resume(returning: $0)
      }
    }
    let data = try #require(produced)
    let end = await witness.end()
    #expect(end.error?.code == .cancelled && end.error?.resumeData == data)
    #expect(!isOver.withLock { $0 }, "The data come before the end.")
    origin.script("/file", Self.rest(from: 40_000))
    let (record, _) = await load { $0.downloadTask(withResumeData: data) }
    #expect(record.contents == Data(Self.body))
  }

  @Test func theRequestIsTheEarlierOne() async throws {
    origin.script("/file", Self.broken())
    var request = URLRequest(url: try url("/file"), timeoutInterval: 12.5)
    request.setValue("Bearer t", forHTTPHeaderField: "Authorization")
    request.httpShouldHandleCookies = false
    let (broken, _) = await load { $0.downloadTask(with: request) }
    let data = try #require(broken.error?.resumeData)
    origin.script("/file", Self.rest(from: 40_000))
    let (record, task) = await load { $0.downloadTask(withResumeData: data) }
    #expect(record.contents == Data(Self.body))
    #expect(task.originalRequest == request)
    #expect(origin.requests.last?.values("Authorization") == ["Bearer t"])
  }

  @Test func brokenOffAgainAndAgain() async throws {
    var data = try await brokenOff()
    for start in [40_000, 60_000, 80_000] {
      origin.script(
        "/file", Self.rest(from: start).cut(after: Self.headLength(start) + 20_000, then: .abruptClose))
      let (record, _) = await load { $0.downloadTask(withResumeData: data) }
      guard start < 80_000 else {
        #expect(record.error == nil && record.contents == Data(Self.body))
        return
      }
      #expect(record.error?.code == .networkConnectionLost)
      data = try #require(record.error?.resumeData)
    }
  }

  private static func headLength(_ start: Int) -> Int {
    guard case .bytes(let bytes)? = rest(from: start).steps.first else { return 0 }
    return bytes.count - (body.count - start)
  }

  @Test func aDateServesAsWell() async throws {
    let (modified, date) = ("Thu, 01 Jan 2026 00:00:00 GMT", "Thu, 01 Jan 2026 00:00:01 GMT")
    let data = try await brokenOff([("Last-Modified", modified), ("Date", date)])
    origin.script("/file", Self.rest(from: 40_000, fields: []))
    let (record, _) = await load { $0.downloadTask(withResumeData: data) }
    #expect(record.contents == Data(Self.body))
    #expect(origin.requests.last?.values("If-Range") == [modified])
  }

  @Test func whatA206LeavesOutIsKnown() async throws {
    let data = try await brokenOff([
      Self.tag, ("Content-Type", "text/x-part"),
      ("Content-Disposition", "attachment; filename=\"named.txt\""),
    ])
    origin.script("/file", Self.rest(from: 40_000))
    let (_, task) = await load { $0.downloadTask(withResumeData: data) }
    #expect(task.response?.mimeType == "text/x-part" && task.response?.suggestedFilename == "named.txt")
  }

  @Test func theRangeFollowsARedirect() async throws {
    let data = try await brokenOff()
    origin.script("/file", .response(status: 302, fields: [("Location", origin.baseURL + "/moved")]))
    origin.script("/moved", Self.rest(from: 40_000))
    let (record, _) = await load { $0.downloadTask(withResumeData: data) }
    #expect(record.contents == Data(Self.body))
    #expect(origin.requests.last?.values("Range") == ["bytes=40000-"])
  }

  @Test func aChallengeIsAnsweredOnTheWay() async throws {
    let data = try await brokenOff()
    origin.script(
      "/file", .response(status: 401, fields: [("WWW-Authenticate", "Basic realm=\"a\"")]),
      Self.rest(from: 40_000))
    let witness = DownloadWitness()
    let configuration = Self.patient
    let space = URLProtectionSpace(
      host: "127.0.0.1", port: Int(origin.port), protocol: "http", realm: "a",
      authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
    configuration.urlCredentialStorage?.setDefaultCredential(
      URLCredential(user: "u", password: "p", persistence: .forSession), for: space)
    let session = URLSession(configuration: configuration, delegate: witness, delegateQueue: nil)
    session.downloadTask(withResumeData: data).resume()
    #expect(await witness.end().contents == Data(Self.body))
    #expect(origin.requests.map { $0.values("Range") } == [["bytes=40000-"], ["bytes=40000-"]])
  }

  @Test func theRestComesFromAnotherAddress() async throws {
    let data = try await brokenOff()
    origin.script("/signed", Self.rest(from: 40_000))
    let request = URLRequest(url: try url("/signed"))
    let (record, task) = await load { $0.downloadTask(withResumeData: data, request: request) }
    #expect(record.contents == Data(Self.body) && record.resumptions == [[40_000, 100_000]])
    #expect(task.originalRequest?.url == request.url)
    #expect(origin.requests.map(\.path) == ["/signed"])
  }

  @Test func anotherProcessGoesOn() async throws {
    let result = await #expect(processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]) {
      let origin = Origin.inMemory()
      origin.script("/file", Self.broken())
      let session = URLSession(configuration: .inMemory)
      let error = await #expect(throws: URLError.self) {
        _ = try await session.download(from: try #require(URL(string: origin.baseURL + "/file")))
      }
      let data = try #require(error?.resumeData)
      let text = "\nDATA=\(data.base64EncodedString())\n"
      _ = Array(text.utf8).withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
      kill(getpid(), SIGKILL)
    }
    let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
    let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("DATA=") })
    let data = try #require(Data(base64Encoded: String(line.dropFirst(5))))
    // What the dead process left is swept when this one keeps its first part: not this.
    PartialFiles.sweep(FileManager.default.temporaryDirectory)
    PrivateDirectory.sweep(FileManager.default.temporaryDirectory)
    origin.script("/file", Self.rest(from: 40_000))
    let request = URLRequest(url: try url("/file"))
    let (record, _) = await load { $0.downloadTask(withResumeData: data, request: request) }
    #expect(record.contents == Data(Self.body) && record.resumptions == [[40_000, 100_000]])
  }

  // MARK: Starting over

  private static let whole = ScriptedReply.response(
    fields: [("ETag", "\"v2\"")], body: [UInt8]("another".utf8))

  @Test func theWholeStartsOver() async throws {
    let data = try await brokenOff()
    let part = try path(of: data)
    origin.script("/file", Self.whole)
    let (record, task) = await load { $0.downloadTask(withResumeData: data) }
    #expect(record.error == nil && record.contents == Data("another".utf8))
    #expect(record.resumptions.isEmpty && record.counts == [[7, 7]])
    #expect(task.countOfBytesReceived == 7)
    #expect(!exists(part))
    #expect(origin.requests.count == 1)
  }

  @Test(arguments: [
    rest(from: 40_000, fields: [("ETag", "\"v2\"")]), rest(from: 40_000, fields: [("ETag", "W/\"v1\"")]),
    rest(from: 40_000, fields: []), rest(from: 39_999), rest(from: 40_001), rest(from: 0),
    rest(from: 40_000, fields: [tag, ("Content-Encoding", "identity, gzip")]),
    .response(status: 206, fields: [tag, ("Content-Range", "bytes 40000-40001/40002")], body: [1, 2]),
    .response(status: 416, fields: [("Content-Range", "bytes */7")], body: [UInt8]("no".utf8)),
    .response(status: 416, body: []),
  ])
  func aPartThatDoesNotFitIsAskedForAgain(_ reply: ScriptedReply) async throws {
    let data = try await brokenOff()
    let part = try path(of: data)
    origin.script("/file", reply, Self.whole)
    let (record, task) = await load { $0.downloadTask(withResumeData: data) }
    #expect(record.error == nil && record.contents == Data("another".utf8))
    #expect(record.resumptions.isEmpty && record.counts == [[7, 7]])
    #expect((task.response as? HTTPURLResponse)?.statusCode == 200)
    #expect(origin.requests.map { $0.value("Range") } == ["bytes=40000-", nil])
    #expect(origin.requests.map { $0.value("If-Range") } == ["\"v1\"", nil])
    #expect(!exists(part))
  }

  /// A download that starts over and breaks off again has a part of its own.
  @Test func startedOverAndBrokenOff() async throws {
    let data = try await brokenOff()
    origin.script("/file", Self.broken([("ETag", "\"v2\"")]))
    let (broken, _) = await load { $0.downloadTask(withResumeData: data) }
    let fresh = try #require(broken.error?.resumeData)
    #expect(try path(of: fresh) != path(of: data))
    origin.script("/file", Self.rest(from: 40_000, fields: [("ETag", "\"v2\"")]))
    let (record, _) = await load { $0.downloadTask(withResumeData: fresh) }
    #expect(record.contents == Data(Self.body))
    #expect(origin.requests.last?.values("If-Range") == ["\"v2\""])
  }

  @Test func withoutItsPartItStartsOver() async throws {
    let data = try await brokenOff()
    try FileManager.default.removeItem(atPath: try path(of: data))
    origin.script("/file", Self.whole)
    let (record, _) = await load { $0.downloadTask(withResumeData: data) }
    #expect(record.contents == Data("another".utf8))
    #expect(origin.requests.map { $0.value("Range") } == [nil])
  }

  @Test func aPartInUseIsLeftAlone() async throws {
    let data = try await brokenOff()
    origin.script("/file", Self.rest(from: 40_000).cut(after: 200, then: .hang), Self.whole)
    let (first, second) = (DownloadWitness(), DownloadWitness())
    let session = URLSession(configuration: Self.patient, delegate: first, delegateQueue: nil)
    let task = session.downloadTask(withResumeData: data)
    task.resume()
    await Eventually.expect("It has gone on.") { !first.record.resumptions.isEmpty }
    let other = URLSession(configuration: Self.patient, delegate: second, delegateQueue: nil)
    other.downloadTask(withResumeData: data).resume()
    #expect(await second.end().contents == Data("another".utf8))
    // Who ends a download without a word about resume data keeps those it was made of.
    task.cancel()
    #expect(await first.end().error?.resumeData == nil)
    origin.script("/file", Self.rest(from: 40_000))
    let (record, _) = await load { $0.downloadTask(withResumeData: data) }
    #expect(record.contents == Data(Self.body))
  }

  // MARK: Nothing was missing

  @Test(
    arguments: [
      [("Content-Range", "bytes */100000"), tag],
      [("Content-Range", "bytes */100000"), ("Content-Type", "text/html")], [],
    ] as [[(name: String, value: String)]])
  func aCompleteFileIsASuccess(_ fields: [(name: String, value: String)]) async throws {
    let head =
      "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\nETag: \"v1\"\r\nContent-Type: text/x-part\r\n\r\n"
    origin.script("/file", ScriptedReply([.bytes(Array(head.utf8) + Self.body.dropLast()), .abruptClose]))
    let (broken, _) = try await load { $0.downloadTask(with: try url("/file")) }
    // The last byte came, and the process ended before it was seen that it was the last one.
    var record = try ResumeRecord(bytes: try #require(broken.error?.resumeData))
    record.point = try #require(
      ResumePoint(offset: 100_000, total: 100_000, validator: record.point.validator))
    let part =
      FileManager.default.temporaryDirectory.path + "/\(record.location.directory)/\(record.location.name)"
    let file = open(part, O_WRONLY | O_APPEND)
    #expect(write(file, [Self.body[99_999]], 1) == 1)
    close(file)
    let data = Data(try #require(record.bytes))
    origin.script("/file", .response(status: 416, fields: fields, body: [UInt8]("<p>no such range</p>".utf8)))
    let (end, task) = await load { $0.downloadTask(withResumeData: data) }
    #expect(end.error == nil && end.contents == Data(Self.body))
    #expect(end.resumptions == [[100_000, 100_000]] && end.counts.isEmpty)
    let response = try #require(task.response as? HTTPURLResponse)
    #expect(response.statusCode == 200 && response.mimeType == "text/x-part")
    #expect(response.expectedContentLength == 100_000 && task.countOfBytesReceived == 100_000)
    #expect(origin.requests.last?.values("Range") == ["bytes=100000-"])
  }

  // MARK: Other answers

  @Test func anErrorsPageIsNoPart() async throws {
    let data = try await brokenOff()
    origin.script("/file", .response(status: 503, body: [UInt8]("later".utf8)))
    let (record, task) = await load { $0.downloadTask(withResumeData: data) }
    #expect(record.error == nil && record.contents == Data("later".utf8))
    #expect(record.counts == [[5, 5]] && record.resumptions.isEmpty)
    #expect((task.response as? HTTPURLResponse)?.statusCode == 503)
    origin.script("/file", Self.rest(from: 40_000))
    let (end, _) = await load { $0.downloadTask(withResumeData: data) }
    #expect(end.contents == Data(Self.body))
  }

  @Test func anErrorsPageMayBreakOffToo() async throws {
    let data = try await brokenOff()
    let page = "HTTP/1.1 503 Later\r\nETag: \"page\"\r\nContent-Length: 10\r\n\r\nlat"
    origin.script("/file", ScriptedReply([.bytes(Array(page.utf8)), .abruptClose]))
    let (record, _) = await load { $0.downloadTask(withResumeData: data) }
    #expect(record.error?.code == .networkConnectionLost)
    #expect(record.error?.resumeData == data)
  }

  @Test func withoutAnAnswerTheDataStay() async throws {
    let data = try await brokenOff()
    origin.script("/file", .reset)
    let (record, _) = await load { $0.downloadTask(withResumeData: data) }
    #expect(record.error?.resumeData == data)
    origin.script("/file", Self.rest(from: 40_000))
    let (end, _) = await load { $0.downloadTask(withResumeData: data) }
    #expect(end.contents == Data(Self.body))
  }

  @Test(arguments: [
    (
      ScriptedReply.response(
        status: 206, fields: [tag, ("Content-Type", "multipart/byteranges; boundary=b")],
        body: [UInt8]("--b\r\nContent-Range: bytes 40000-40001/100000\r\n\r\nxx\r\n--b--\r\n".utf8)),
      "multipart/byteranges"
    ),
    (.response(status: 206, fields: [tag], body: [1]), "Content-Range"),
  ])
  func whatIsNoPartIsRefused(_ reply: ScriptedReply, _ word: String) async throws {
    let data = try await brokenOff()
    origin.script("/file", reply)
    let (record, _) = await load { $0.downloadTask(withResumeData: data) }
    let error = try #require(record.error)
    #expect(error.code == .badServerResponse && error.loadingFault == .server)
    #expect(error.localizedDescription.contains(word))
    #expect(error.resumeData == data && record.contents == nil)
  }

  @Test func lessThanTheRestIsNotTheEnd() async throws {
    let data = try await brokenOff()
    origin.script("/file", Self.rest(from: 40_000, to: 70_000))
    let (short, _) = await load { $0.downloadTask(withResumeData: data) }
    let error = try #require(short.error)
    #expect(error.code == .badServerResponse && error.loadingFault == .server && short.contents == nil)
    origin.script("/file", Self.rest(from: 70_000))
    let further = try #require(error.resumeData)
    let (record, _) = await load { $0.downloadTask(withResumeData: further) }
    #expect(record.contents == Data(Self.body))
  }

  /// Chunked, so that the body does not say how long it is.
  @Test(arguments: [10, 70_000]) func aPartOfAnotherLengthIsNoticed(_ count: Int) async throws {
    let data = try await brokenOff()
    let bytes = count < 60_000 ? Array(Self.body[40_000..<40_010]) : Array(repeating: 0, count: count)
    let head =
      "HTTP/1.1 206 P\r\nContent-Range: bytes 40000-99999/100000\r\nETag: \"v1\"\r\nTransfer-Encoding: chunked\r\n"
    origin.script(
      "/file",
      [
        .bytes(
          Array((head + "\r\n" + String(count, radix: 16) + "\r\n").utf8) + bytes
            + Array("\r\n0\r\n\r\n".utf8))
      ])
    let (record, _) = await load { $0.downloadTask(withResumeData: data) }
    #expect(record.error?.code == .badServerResponse && record.contents == nil)
    let left = try ResumeRecord(bytes: try #require(record.error?.resumeData))
    #expect(left.point.offset == (count < 60_000 ? 40_010 : 40_000))
    origin.script("/file", Self.rest(from: Int(left.point.offset)))
    let again = try #require(record.error?.resumeData)
    let (end, _) = await load { $0.downloadTask(withResumeData: again) }
    #expect(end.contents == Data(Self.body))
  }

  // MARK: Nothing to go on with

  @Test(
    arguments: [
      [], [("ETag", "W/\"v1\"")], [("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")],
      [tag, ("Accept-Ranges", "none")],
    ] as [[(name: String, value: String)]])
  func withoutAStrongValidatorThereIsNothing(_ fields: [(name: String, value: String)]) async throws {
    origin.script("/file", Self.broken(fields))
    let (record, _) = try await load { $0.downloadTask(with: try url("/file")) }
    #expect(record.error?.code == .networkConnectionLost && record.error?.resumeData == nil)
  }

  @Test func whatWasDecodedIsNoPart() async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\nETag: \"v1\"\r\nContent-Encoding: deflate\r\n\r\n"
    let stored: [UInt8] = [0x78, 0x01, 0x00, 0x20, 0x00, 0xDF, 0xFF] + Array(repeating: 65, count: 20)
    origin.script("/file", ScriptedReply([.bytes(Array(head.utf8) + stored), .abruptClose]))
    let (record, _) = try await load { $0.downloadTask(with: try url("/file")) }
    #expect(record.error != nil && record.error?.resumeData == nil)
  }

  @Test func otherRequestsAreNotGoneOnWith() async throws {
    for change in [
      { $0.httpMethod = "POST" }, { $0.setValue("bytes=0-", forHTTPHeaderField: "Range") },
      { $0.setValue("\"v1\"", forHTTPHeaderField: "If-None-Match") },
    ] as [(inout URLRequest) -> Void] {
      origin.script("/file", Self.broken())
      var request = URLRequest(url: try url("/file"))
      change(&request)
      let (record, _) = await load { $0.downloadTask(with: request) }
      #expect(record.error?.code == .networkConnectionLost && record.error?.resumeData == nil)
    }
  }

  @Test func beforeAnythingCameThereIsNothing() async throws {
    origin.script("/file", .silence)
    let session = URLSession(configuration: .inMemory)
    let task = session.downloadTask(with: try url("/file"))
    #expect(await session.downloadTask(with: try url("/file")).cancelByProducingResumeData() == nil)
    task.resume()
    await Eventually.expect("It is asked.") { origin.requests.count == 1 }
    #expect(await task.cancelByProducingResumeData() == nil)
    #expect(await task.cancelByProducingResumeData() == nil)
  }

  @Test func cancelledBeforeItBeginsTheDataStay() async throws {
    let data = try await brokenOff()
    let session = URLSession(configuration: .inMemory)
    #expect(await session.downloadTask(withResumeData: data).cancelByProducingResumeData() == data)
    session.downloadTask(withResumeData: data).cancel()
    origin.script("/file", Self.rest(from: 40_000))
    let (end, _) = await load { $0.downloadTask(withResumeData: data) }
    #expect(end.contents == Data(Self.body))
  }

  @Test func aCancelledDownloadLeavesNothing() async throws {
    origin.script("/file", ScriptedReply(Self.broken().steps.dropLast() + [.hang]))
    let witness = DownloadWitness()
    let session = URLSession(configuration: Self.patient, delegate: witness, delegateQueue: nil)
    let task = session.downloadTask(with: try url("/file"))
    task.resume()
    await Eventually.expect("Some of it is there.") { task.countOfBytesReceived == 40_000 }
    task.cancel()
    let end = await witness.end()
    #expect(end.error?.code == .cancelled && end.error?.resumeData == nil)
  }

  // MARK: Data that are none

  @Test(arguments: ["", "resume", "bplist00", "bbresume", "bbresume\u{1}nonsense", "bbresume\u{9}"])
  func otherDataAreRefused(_ text: String) async throws {
    let (record, _) = await load { $0.downloadTask(withResumeData: Data(text.utf8)) }
    #expect(record.error?.code == .unsupportedURL)
    #expect(record.error?.refusedSetting?.member == "URLSession.downloadTask(withResumeData:)")
    #expect(record.error?.loadingFault == .caller)
    let request = URLRequest(url: try url("/file"))
    let (other, _) = await load { $0.downloadTask(withResumeData: Data(text.utf8), request: request) }
    #expect(other.error?.code == .unsupportedURL)
    #expect(origin.connectionCount == 0)
  }

  @Test func aRequestForAPartIsRefused() async throws {
    let data = try await brokenOff()
    var request = URLRequest(url: try url("/file"))
    request.setValue("bytes=1-", forHTTPHeaderField: "Range")
    let (record, _) = await load { $0.downloadTask(withResumeData: data, request: request) }
    #expect(record.error?.refusedSetting?.reason.contains("no plain GET") == true)
    #expect(origin.requests.isEmpty)
  }

  /// Whoever writes resume data reaches no file but parts of this user's own.
  @Test func aStrangersDataReachNoOtherFile() async throws {
    let data = try await brokenOff()
    let record = try ResumeRecord(bytes: data)
    let part = try path(of: data)
    let victim = FileManager.default.temporaryDirectory.appendingPathComponent("victim-\(UUID())").path
    try Data(Self.body).write(to: URL(fileURLWithPath: victim))
    defer { unlink(victim) }
    origin.script("/file", Self.whole)
    // A link in the part's place, a second name of another file, a pipe.
    for make in [
      { symlink(victim, part) }, { link(victim, part) }, { mkfifo(part, 0o600) }, { mkdir(part, 0o700) },
    ] as [() -> Int32] {
      unlink(part)
      #expect(mkdir(part.directory, 0o700) == 0 || errno == EEXIST)
      #expect(make() == 0)
      let (end, _) = await load { $0.downloadTask(withResumeData: Data(record.bytes ?? [])) }
      #expect(end.contents == Data("another".utf8) && end.resumptions.isEmpty)
      #expect(try Data(contentsOf: URL(fileURLWithPath: victim)) == Data(Self.body))
    }
    rmdir(part)
    rmdir(part.directory)
  }
}

extension String {
  fileprivate var directory: String { String(self[..<(lastIndex(of: "/") ?? startIndex)]) }
}
