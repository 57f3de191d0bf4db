// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTLS
import BluebonnetTestSupport
import BluebonnetTransport
import Glibc
import Testing

@testable import BluebonnetFiles
@testable import BluebonnetURLLoading

/// Downloads in processes that have few file descriptors, or none left.
@Suite struct ScarceDescriptorTests {
  /// What has come of downloads.
  private final class Outcomes: Sendable {
    let state = Locked<[(length: Int?, error: (any Error)?)]>([])

    var all: [(length: Int?, error: (any Error)?)] { state.withLock { $0 } }

    func start(_ url: String, in session: URLSession) throws -> URLSessionDownloadTask {
      let task = session.downloadTask(with: try #require(URL(string: url))) { [self] file, _, error in
        note(file, error)
      }
      task.resume()
      return task
    }

    func goOn(with resumeData: Data, in session: URLSession) {
      session.downloadTask(withResumeData: resumeData) { [self] file, _, error in note(file, error) }.resume()
    }

    private func note(_ file: URL?, _ error: (any Error)?) {
      var facts = stat()
      let length = file.flatMap { stat($0.path, &facts) == 0 ? Int(facts.st_size) : nil }
      state.withLock { $0.append((length, error)) }
    }
  }

  private static func session(timeout: TimeInterval = 300) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 100
    configuration.timeoutIntervalForRequest = timeout
    return URLSession(configuration: configuration)
  }

  /// With bodies that wait in memory as a whole, and with some that do not fit there, so that each keeps its connection.
  @Test(arguments: [(200, 20_000), (60, 1_500_000)])
  func moreDownloadsThanDescriptors(count: Int, length: Int) async throws {
    let origin = try Origin.start()
    origin.script("/file", .response(body: [UInt8](repeating: 7, count: length)))
    await #expect(processExitsWith: .success) {
      [base = origin.baseURL as String, count = count as Int, length = length as Int] in
      FewDescriptors.begin(60)
      let (session, outcomes) = (ScarceDescriptorTests.session(), Outcomes())
      for _ in 0..<count { _ = try outcomes.start(base + "/file", in: session) }
      #expect(Eventually.block { outcomes.all.count == count })
      for outcome in outcomes.all {
        #expect(outcome.length == length, "\(String(describing: outcome.error))")
      }
    }
  }

  /// A connection that nobody uses is worth less than a file, whichever session it is of.
  @Test(arguments: [false, true]) func idleConnectionsAreGivenUp(ofAnotherSession: Bool) async throws {
    let origin = try Origin.start()
    await #expect(processExitsWith: .success) {
      [base = origin.baseURL as String, ofAnotherSession = ofAnotherSession as Bool] in
      let (session, outcomes) = (ScarceDescriptorTests.session(), Outcomes())
      let other = URLSession(configuration: .ephemeral)
      // All that is made once: directories, threads, what Dispatch waits with.
      _ = try outcomes.start(base + "/bytes/10", in: session)
      if ofAnotherSession { _ = try outcomes.start(base + "/bytes/10", in: other) }
      #expect(Eventually.block { outcomes.all.count == (ofAnotherSession ? 2 : 1) })
      FewDescriptors.allow(200)
      _ = FewDescriptors.takeAll()
      let count = outcomes.all.count
      // Too long to be held back whole, so its connection does not become idle.
      _ = try outcomes.start(base + "/download/\(ofAnotherSession ? 5_000_000 : 10)", in: session)
      #expect(Eventually.block { outcomes.all.count == count + 1 })
      let last = try #require(outcomes.all.last)
      #expect(last.length == (ofAnotherSession ? 5_000_000 : 10), "\(String(describing: last.error))")
    }
  }

  /// What the origin has answered to uploads of a file, or what they have failed with.
  private final class Uploads: Sendable {
    private let state = Locked<[String]>([])

    var all: [String] { state.withLock { $0 } }

    func start(_ path: String, to url: String, in session: URLSession) throws {
      var request = URLRequest(url: try #require(URL(string: url)))
      request.httpMethod = "POST"
      session.uploadTask(with: request, fromFile: URL(fileURLWithPath: path)) { [self] data, _, error in
        let text = data.map { String(decoding: $0, as: UTF8.self) } ?? String(describing: error)
        state.withLock { $0.append(text) }
      }.resume()
    }
  }

  /// A file for the port's test alone, which is to be removed.
  private static func file(_ length: Int, _ port: UInt16) throws -> URL {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(port)")
    try Data(repeating: 7, count: length).write(to: file)
    return file
  }

  /// Files that are sent wait for their descriptors, too.
  @Test func moreUploadsThanDescriptors() async throws {
    let origin = try Origin.start()
    let file = try Self.file(400_000, origin.port)
    defer { try? FileManager.default.removeItem(at: file) }
    await #expect(processExitsWith: .success) {
      [base = origin.baseURL as String, path = file.path as String] in
      FewDescriptors.begin(60)
      let (session, uploads) = (ScarceDescriptorTests.session(), Uploads())
      for _ in 0..<100 { try uploads.start(path, to: base + "/upload", in: session) }
      #expect(Eventually.block { uploads.all.count == 100 })
      for outcome in uploads.all { #expect(outcome.contains("400000"), "\(outcome)") }
    }
  }

  /// For a file that is sent, an idle connection of another session is given up.
  @Test func idleConnectionsAreGivenUpForUploads() async throws {
    let origin = try Origin.start()
    let file = try Self.file(400_000, origin.port)
    defer { try? FileManager.default.removeItem(at: file) }
    await #expect(processExitsWith: .success) {
      [base = origin.baseURL as String, path = file.path as String] in
      let sessions = [ScarceDescriptorTests.session(), URLSession(configuration: .ephemeral)]
      let (outcomes, uploads) = (Outcomes(), Uploads())
      for session in sessions { _ = try outcomes.start(base + "/bytes/10", in: session) }
      #expect(Eventually.block { outcomes.all.count == 2 })
      FewDescriptors.allow(200)
      _ = FewDescriptors.takeAll()
      try uploads.start(path, to: base + "/upload", in: sessions[0])
      #expect(Eventually.block { !uploads.all.isEmpty })
      for outcome in uploads.all { #expect(outcome.contains("400000"), "\(outcome)") }
    }
  }

  /// A file that is hashed for a server (`auth-int`) waits for its descriptor, too.
  @Test func hashedFilesWait() async throws {
    let origin = try Origin.start()
    let file = try Self.file(400_000, origin.port)
    defer { try? FileManager.default.removeItem(at: file) }
    await #expect(processExitsWith: .success) {
      [base = origin.baseURL as String, path = file.path as String] in
      // None is left from when the server has asked.
      let delegate = ChallengeAnswerer { _ in
        FewDescriptors.allow(3, upTo: 200)
        return (.useCredential, URLCredential(user: "user", password: "secret", persistence: .forSession))
      }
      let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
      let uploads = Uploads()
      try uploads.start(path, to: base + "/digest-auth/auth-int/user/secret", in: session)
      #expect(Eventually.block { !delegate.challenges.isEmpty })
      Pause.take(microseconds: 200_000)
      #expect(uploads.all.isEmpty)
      FewDescriptors.allow(200)
      #expect(Eventually.block { !uploads.all.isEmpty })
      for outcome in uploads.all { #expect(outcome.contains("auth-int") && outcome.contains("400000")) }
      session.invalidateAndCancel()
    }
  }

  /// An empty file can be told from one that the kernel makes up without reading from either.
  @Test func emptyFilesTellTheirLength() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("empty-\(UUID().uuidString)")
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      FewDescriptors.allow(3, upTo: 200)
      let (empty, madeUp) = (try FileFacts(path: path), try FileFacts(path: "/proc/version"))
      #expect(empty.length == 0 && empty.canBeReadAgain)
      #expect(madeUp.length == nil && madeUp.canBeReadAgain)
    }
  }

  /// A reader that nobody wants to go on does not wait for its descriptor, and says why.
  @Test func cancelledReadersDoNotWait() async throws {
    let origin = try Origin.start()
    await #expect(processExitsWith: .success) { [base = origin.baseURL as String] in
      let (session, outcomes) = (ScarceDescriptorTests.session(), Outcomes())
      _ = try outcomes.start(base + "/bytes/10", in: session)
      #expect(Eventually.block { outcomes.all.count == 1 })
      FewDescriptors.allow(3, upTo: 200)
      let readers = (0..<2).map { _ in QueuedReader(.file(path: "/proc/self/stat")) }
      let opening = Task { try await readers[0].open() }
      let reading = Task { try await readers[1].read() != nil }
      Pause.take(microseconds: 100_000)
      opening.cancel()
      reading.cancel()
      await #expect(throws: CancellationError.self) { try await opening.value }
      await #expect(throws: CancellationError.self) { _ = try await reading.value }
      let patient = Task { try await QueuedReader(.file(path: "/proc/self/stat")).read() != nil }
      Pause.take(microseconds: 100_000)
      FewDescriptors.allow(200)
      #expect(try await patient.value)
      session.invalidateAndCancel()
    }
  }

  /// A part that cannot be opened yet is not taken to be gone: the download goes on with it when there is a descriptor.
  @Test func downloadsGoOnWithTheirParts() async throws {
    let origin = try Origin.start()
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\nETag: \"v1\"\r\n\r\n"
    let body = [UInt8](repeating: 7, count: 60_000)
    origin.script(
      "/file", ScriptedReply([.bytes(Array(head.utf8) + body[..<40_000]), .abruptClose]),
      .response(
        status: 206, reason: "Partial Content",
        fields: [
          (name: "Content-Range", value: "bytes 40000-99999/100000"), (name: "ETag", value: "\"v1\""),
        ], body: body))
    await #expect(processExitsWith: .success) { [base = origin.baseURL as String] in
      let (session, outcomes) = (ScarceDescriptorTests.session(), Outcomes())
      _ = try outcomes.start(base + "/file", in: session)
      #expect(Eventually.block { outcomes.all.count == 1 })
      let error = try #require(outcomes.all.first?.error as? URLError)
      let data = try #require(error.resumeData)
      FewDescriptors.allow(3, upTo: 200)
      outcomes.goOn(with: data, in: session)
      Pause.take(microseconds: 200_000)
      #expect(outcomes.all.count == 1)
      FewDescriptors.allow(200)
      #expect(Eventually.block { outcomes.all.count == 2 })
      let last = try #require(outcomes.all.last)
      #expect(last.length == 100_000, "\(String(describing: last.error))")
    }
    #expect(origin.requests.count == 2 && origin.requests.last?.values("Range") == ["bytes=40000-"])
  }

  /// What is needed to go on later is kept, and what is complete becomes a file like any other, also without a descriptor.
  @Test func partsAreNotTakenToBeGone() async throws {
    await #expect(processExitsWith: .success) {
      let base = FileManager.default.temporaryDirectory
      let created = try TemporaryFiles.create("Test", in: base)
      #expect(write(created.descriptor, "0123456789", 10) == 10)
      close(created.descriptor)
      let mode = try #require(created.directory.modeOfNewFiles)
      FewDescriptors.allow(3, upTo: 200)
      #expect(created.directory.modeOfNewFiles == mode)
      #expect(throws: POSIXError(.EMFILE)) {
        try PartialFiles.keep(created.url, in: base, isAskedFor: true)
      }
      #expect(access(created.url.path, F_OK) == 0)
      FewDescriptors.allow(200, upTo: 200)
      let location = try #require(try PartialFiles.keep(created.url, in: base, isAskedFor: true))
      FewDescriptors.allow(3, upTo: 200)
      #expect(throws: POSIXError(.EMFILE)) { try PartialFiles.open(location, at: 4, in: base) }
      FewDescriptors.allow(200)
      let part = try #require(try PartialFiles.open(location, at: 4, in: base))
      part.close()
      PartialFiles.remove(location, in: base)
    }
  }

  /// A loop that is busy, or that nobody drives, may answer at any time or never.
  @Test func anotherLoopThatDoesNotAnswerHoldsNobodyUp() async {
    await #expect(processExitsWith: .success) {
      let loops = ["own", "other"].map { EventLoop(name: $0) }
      let pools = loops.map { ConnectionPool(configuration: .init(tls: TLSClientConfiguration()), loop: $0) }
      let isHeld = Locked(false)
      DispatchQueue.global().async {
        loops[1].withLoop {
          isHeld.withLock { $0 = true }
          while true { Pause.take(microseconds: 1_000_000) }
        }
      }
      #expect(Eventually.block { isHeld.withLock { $0 } })
      let queue = DispatchQueue(label: "tries")
      let tries = Locked<[Bool]>([])
      DescriptorWait(in: pools[0], patience: nil).retry(on: queue) { isInTime in
        tries.withLock { tries in
          tries.append(isInTime)
          return tries.count == 3
        }
      }
      #expect(Eventually.block { tries.withLock { $0 } == [true, true, true] })
      let ends = Locked<[Bool]>([])
      DescriptorWait(in: pools[0], patience: 100_000_000).retry(on: queue) { isInTime in
        ends.withLock { $0.append(isInTime) }
        return false
      }
      #expect(Eventually.block { ends.withLock { $0.last } == false })
      Pause.take(microseconds: 100_000)
      #expect(ends.withLock { ends in ends.filter { !$0 }.count } == 1, "it is told once")
    }
  }

  /// Where no timer fires, that is said at once: nothing would ever come of the wait.
  @Test func aLoopThatHasStoppedIsNotWaitedFor() async {
    let loop = EventLoop(name: "test")
    let pool = ConnectionPool(configuration: .init(tls: TLSClientConfiguration()), loop: loop)
    loop.stop()
    let tries = Locked<[Bool]>([])
    DescriptorWait(in: pool, patience: nil).retry(on: DispatchQueue(label: "tries")) { isInTime in
      tries.withLock { $0.append(isInTime) }
      return true
    }
    await Eventually.expect("it is tried for the last time") { tries.withLock { $0 } == [false] }
  }

  enum End: String, CaseIterable, Sendable { case descriptors, cancellation, time, suspension }

  /// It waits until there is one, or until nobody wants the file, or for as long as the request may be silent; while the task is
  /// suspended, for any time.
  @Test(arguments: End.allCases) func theWaitEnds(by end: End) async throws {
    let origin = try Origin.start()
    await #expect(processExitsWith: .success) {
      [base = origin.baseURL as String, name = end.rawValue as String] in
      let end = try #require(End(rawValue: name))
      let timeouts: [End: TimeInterval] = [.time: 1, .suspension: 600]
      let session = ScarceDescriptorTests.session(timeout: timeouts[end] ?? 300)
      let outcomes = Outcomes()
      _ = try outcomes.start(base + "/bytes/10", in: session)
      #expect(Eventually.block { outcomes.all.count == 1 })
      FewDescriptors.allow(200)
      let taken = FewDescriptors.takeAll()
      if end == .suspension { EventLoop.shared.stopClock() }
      let task = try outcomes.start(base + "/download/5000000", in: session)
      #expect(Eventually.block { task.countOfBytesReceived > 0 || outcomes.all.count == 2 })
      switch end {
      case .descriptors:
        for number in taken.prefix(5) { close(number) }
      case .cancellation: task.cancel()
      case .time: break
      case .suspension:
        task.suspend()
        let clock = EventLoop.shared
        for _ in 0..<200 { clock.advance(by: .seconds(5)) }
        #expect(outcomes.all.count == 1)
        for number in taken.prefix(5) { close(number) }
        task.resume()
        #expect(
          Eventually.block {
            clock.advance(by: .milliseconds(20))
            return outcomes.all.count == 2
          })
      }
      #expect(Eventually.block { outcomes.all.count == 2 })
      let last = try #require(outcomes.all.last)
      switch end {
      case .descriptors, .suspension:
        #expect(last.length == 5_000_000, "\(String(describing: last.error))")
      case .cancellation: #expect((last.error as? URLError)?.code == .cancelled)
      case .time:
        let error = try #require(last.error as? URLError)
        #expect(error.code == .cannotCreateFile && "\(error)".contains("Too many open files"), "\(error)")
      }
    }
  }
}
