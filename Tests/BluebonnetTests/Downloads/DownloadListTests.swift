// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import Glibc
import Testing

@testable import Bluebonnet

/// Downloads that outlive the process.
@Suite struct DownloadListTests {
  static let body = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }

  let origin: Origin
  private let scratch: ScratchDirectory
  let directory: URL

  init() throws {
    origin = try Origin.start()
    scratch = try ScratchDirectory()
    directory = scratch.url.appendingPathComponent("list", isDirectory: true)
    serve("/file")
  }

  /// Serves ranges of a body, as servers do.
  ///
  /// - Parameters:
  ///   - cut: How much of the rest is sent before the connection breaks off; nil for all.
  ///   - holds: Whether the connection stays instead, without the rest.
  ///   - pause: Milliseconds after each 8 KiB.
  private func serve(
    _ path: String, tag: String = "\"v1\"", cut: Int? = nil, holds: Bool = false, pause: Int? = nil
  ) {
    origin.handle(path) { Self.answer($0, tag: tag, cut: cut, holds: holds, pause: pause) }
  }

  private static func answer(
    _ request: RecordedRequest, tag: String, cut: Int?, holds: Bool, pause: Int?
  ) -> ScriptedReply {
    var (start, head) = (0, "HTTP/1.1 200 OK\r\n")
    if request.values("If-Range") == [tag], let range = request.values("Range").first,
      let first = Int(range.dropFirst("bytes=".count).dropLast())
    {
      guard first < body.count else {
        return .response(
          status: 416, reason: "Range Not Satisfiable",
          fields: [(name: "Content-Range", value: "bytes */\(body.count)")], body: [])
      }
      (start, head) = (
        first,
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes \(first)-\(body.count - 1)/\(body.count)\r\n"
      )
    }
    head += "ETag: \(tag)\r\nContent-Length: \(body.count - start)\r\n\r\n"
    let end = min(body.count, cut.map { start + $0 } ?? .max)
    var steps: [ScriptedReply.Step] = [.bytes(Array(head.utf8))]
    var sent = start
    while sent < end {
      let next = min(end, sent + (pause == nil ? end : 8_192))
      steps.append(.bytes(Array(body[sent..<next])))
      if let pause { steps.append(.pause(milliseconds: pause)) }
      sent = next
    }
    if end < body.count { steps.append(holds ? .hang : .abruptClose) }
    return ScriptedReply(steps)
  }

  private var address: String { origin.baseURL + "/file" }

  private static func session(_ interceptor: (any RequestInterceptor)? = nil) -> Session {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 600
    return Session(configuration: configuration, interceptor: interceptor)
  }

  private func open(_ interceptor: (any RequestInterceptor)? = nil) throws -> DownloadList {
    try DownloadList(directory: directory, session: Self.session(interceptor))
  }

  private func get(_ path: String = "/file") throws -> URLRequest {
    URLRequest(url: try #require(URL(string: origin.baseURL + path)))
  }

  private func contents(_ list: DownloadList, _ id: DownloadList.Entry.ID) async throws -> Data {
    try Data(contentsOf: try await list.file(of: id))
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
  }

  private var ranges: [String?] { origin.requests.map { $0.values("Range").first } }

  // MARK: Loading

  @Test func aDownloadIsLoadedAndStaysInTheList() async throws {
    let list = try open()
    let id = try list.add(try get(), named: "a.bin")
    #expect(list.entry(id)?.isLoading == false && origin.requests.isEmpty)
    list.resume()
    #expect(try await contents(list, id) == Data(Self.body))
    let entry = try #require(list.entry(id))
    #expect(entry.isCompleted && entry.receivedBytes == 600_000 && entry.totalBytes == 600_000)
    #expect(entry.fileURL == directory.appendingPathComponent("files/a.bin"))
    #expect(origin.requests.first?.values("Accept-Encoding") == ["identity"])
    list.close()
    let later = try open()
    #expect(later.entries.map(\.name) == ["a.bin"])
    #expect(later.entry(id)?.isCompleted == true && later.entry(id)?.receivedBytes == 600_000)
    #expect(try await contents(later, id) == Data(Self.body))
    later.resume()
    try later.remove(id)
    #expect(later.entries.isEmpty)
    #expect(try names() == ["files", "lock"])
    #expect(FileManager.default.fileExists(atPath: entry.fileURL.path), "A complete file stays.")
    #expect(origin.requests.count == 1)
  }

  @Test func whatHasComeStaysWhenItIsSuspended() async throws {
    serve("/file", pause: 600_000)
    let list = try open()
    let id = try list.add(try get(), named: "a")
    list.resume()
    await Eventually.expect("some has come") { list.entry(id)?.receivedBytes ?? 0 > 0 }
    list.suspend()
    await Eventually.expect("it rests") { list.entry(id)?.isLoading == false }
    guard case .waiting? = list.entry(id)?.state else {
      Issue.record("\(String(describing: list.entry(id)))")
      return
    }
    let there = try #require(list.entry(id)?.receivedBytes)
    list.close()
    serve("/file")
    let later = try open()
    #expect(later.entry(id)?.receivedBytes == there && later.entry(id)?.totalBytes == 600_000)
    later.resume(id)
    #expect(try await contents(later, id) == Data(Self.body))
    #expect(ranges == [nil, "bytes=\(there)-"])
    #expect(origin.requests.last?.values("If-Range") == ["\"v1\""])
  }

  /// The last word counts, even if the transfer has not yet come to rest.
  @Test(arguments: [false, true]) func suspendedAndResumedAtOnce(suspendsAgain: Bool) async throws {
    serve("/file", pause: 600_000)
    let list = try open()
    let id = try list.add(try get(), named: "a")
    list.resume()
    await Eventually.expect("some has come") { list.entry(id)?.receivedBytes ?? 0 > 0 }
    serve("/file")
    list.suspend(id)
    list.resume(id)
    if suspendsAgain {
      list.suspend(id)
      await Eventually.expect("it rests") { list.entry(id)?.isLoading == false }
      list.resume(id)
    }
    #expect(try await contents(list, id) == Data(Self.body))
  }

  /// A list that is gone has closed itself.
  @Test func aListThatGoesAwayGivesTheDirectoryFree() async throws {
    var list: DownloadList? = try open()
    let id = try list?.add(try get(), named: "a")
    serve("/file", pause: 600_000)
    list?.resume()
    await Eventually.expect("it has begun") { [origin] in origin.requests.count == 1 }
    list = nil
    let opened = Locked<DownloadList?>(nil)
    await Eventually.expect("it can be opened") { [directory] in
      let made = try? DownloadList(directory: directory)
      opened.withLock { $0 = made }
      return made != nil
    }
    #expect(opened.withLock { $0 }?.entries.first?.id == id)
  }

  @Test func aFailureIsToldAndTheNextAttemptGoesOn() async throws {
    serve("/file", cut: 250_000)
    let list = try open()
    let id = try list.add(try get(), named: "a")
    list.resume()
    let error = await #expect(throws: AFError.self) { try await list.file(of: id) }
    #expect((error?.underlyingError as? URLError)?.code == .networkConnectionLost)
    #expect(list.entry(id)?.error != nil && list.entry(id)?.receivedBytes == 250_000)
    list.resume(id)
    await #expect(throws: AFError.self) { try await list.file(of: id) }
    list.resume(id)
    #expect(try await contents(list, id) == Data(Self.body))
    #expect(ranges == [nil, "bytes=250000-", "bytes=500000-"])
  }

  /// Each attempt of a request asks for what is missing by then.
  @Test func aRetrierGoesOn() async throws {
    serve("/file", cut: 250_000)
    let list = try open(RetryPolicy(exponentialBackoffScale: 0.001))
    let id = try list.add(try get(), named: "a")
    list.resume()
    #expect(try await contents(list, id) == Data(Self.body))
    #expect(ranges == [nil, "bytes=250000-", "bytes=500000-"])
  }

  @Test func anErrorOfTheServerIsNotTheFile() async throws {
    origin.script("/file", .response(status: 404, reason: "Not Found", body: [UInt8]("no".utf8)))
    let list = try open()
    let id = try list.add(try get(), named: "a")
    list.resume()
    let error = await #expect(throws: AFError.self) { try await list.file(of: id) }
    #expect(error?.responseCode == 404)
    #expect(list.entry(id)?.receivedBytes == 0)
  }

  /// What an error of the server says is not mixed up with what is there.
  @Test func anErrorInTheMiddleLeavesWhatIsThere() async throws {
    serve("/file", cut: 100_000)
    let list = try open()
    let id = try list.add(try get(), named: "a")
    list.resume()
    await #expect(throws: AFError.self) { try await list.file(of: id) }
    origin.handle("/file") { _ in
      .response(status: 503, reason: "No", body: Array(repeating: 0x78, count: 70_000))
    }
    list.resume(id)
    let error = await #expect(throws: AFError.self) { try await list.file(of: id) }
    #expect(error?.responseCode == 503)
    serve("/file")
    list.resume(id)
    #expect(try await contents(list, id) == Data(Self.body))
    #expect(ranges == [nil, "bytes=100000-", "bytes=100000-"])
  }

  // MARK: What the server makes of it

  @Test(arguments: ["200", "206", "416"]) func aChangedFileStartsOver(answer: String) async throws {
    serve("/file", cut: 100_000)
    let list = try open()
    let id = try list.add(try get(), named: "a")
    list.resume()
    await #expect(throws: AFError.self) { try await list.file(of: id) }
    let new = ScriptedReply.response(
      fields: [(name: "ETag", value: "\"v2\"")], body: [UInt8]("another".utf8))
    origin.handle("/file") { request in
      guard request.values("Range").isEmpty == false else { return new }
      switch answer {
      case "206":
        return .response(
          status: 206, reason: "Partial Content",
          fields: [
            (name: "ETag", value: "\"v2\""), (name: "Content-Range", value: "bytes 100000-100009/100010"),
          ], body: Array(repeating: 0x78, count: 10))
      case "416":
        return .response(
          status: 416, reason: "No", fields: [(name: "Content-Range", value: "bytes */7")], body: [])
      default: return new
      }
    }
    list.resume(id)
    #expect(try await contents(list, id) == Data("another".utf8))
    #expect(list.entry(id)?.totalBytes == 7)
  }

  @Test func aPartThatNobodyAskedForIsRefused() async throws {
    origin.handle("/file") { _ in
      .response(
        status: 206, reason: "Partial Content",
        fields: [
          (name: "ETag", value: "\"v1\""), (name: "Content-Range", value: "bytes 0-1/2"),
        ], body: [1, 2])
    }
    let list = try open()
    let id = try list.add(try get(), named: "a")
    list.resume()
    await #expect(
      throws: DownloadListError.mismatch(reason: "it was asked for the whole, and sent a part")
    ) { try await list.file(of: id) }
  }

  /// Without a validator nothing can be gone on with.
  @Test func withoutAValidatorItStartsOver() async throws {
    origin.handle("/file") { _ in
      ScriptedReply([
        .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 600000\r\n\r\n".utf8) + Self.body[..<1_000]),
        .abruptClose,
      ])
    }
    let list = try open()
    let id = try list.add(try get(), named: "a")
    list.resume()
    await #expect(throws: AFError.self) { try await list.file(of: id) }
    serve("/file")
    list.resume(id)
    #expect(try await contents(list, id) == Data(Self.body))
    #expect(ranges == [nil, nil])
  }

  // MARK: Checksums

  /// Of `body`.
  private static let digest = "cb1d4ccf353e2611b88da3a655c0d9d1135c7edcb5b541b4206920306642c7a4"

  private func mismatch(_ list: DownloadList, _ id: DownloadList.Entry.ID) async -> ChecksumMismatch? {
    let error = await #expect(throws: AFError.self) { try await list.file(of: id) }
    guard case .responseValidationFailed(.customValidationFailed(let error))? = error else { return nil }
    return error as? ChecksumMismatch
  }

  /// In one go, in several attempts, and in several processes.
  @Test(arguments: [nil, 250_000], [false, true])
  func theRightChecksum(cut: Int?, reopened: Bool) async throws {
    serve("/file", cut: cut)
    var list = try open()
    let id = try list.add(try get(), named: "a", sha256: Self.digest.uppercased())
    while list.entry(id)?.isCompleted == false {
      if reopened {
        list.close()
        list = try open()
      }
      list.resume()
      _ = try? await list.file(of: id)
      try #require(origin.requests.count <= 3)
    }
    #expect(try await contents(list, id) == Data(Self.body))
    #expect(origin.requests.count == (cut == nil ? 1 : 3))
  }

  @Test func aFileWithAnotherChecksumGetsNoName() async throws {
    let list = try open()
    let wrong = String(repeating: "0a", count: 32)
    let id = try list.add(try get(), named: "a", sha256: wrong)
    let other = try list.add(try get(), named: "b", sha256: Self.digest)
    list.resume()
    #expect(
      await mismatch(list, id) == ChecksumMismatch(expected: wrong, actual: Self.digest, obstacle: nil))
    #expect(try await contents(list, other) == Data(Self.body))
    let files = directory.appendingPathComponent("files").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: files) == ["b"])
    #expect(list.entry(id)?.receivedBytes == 0 && list.entry(id)?.totalBytes == nil)
    // Once more, from the beginning; the digest has been written down.
    list.resume(id)
    #expect(await mismatch(list, id)?.actual == Self.digest)
    list.close()
    let later = try open()
    #expect(later.entry(id)?.receivedBytes == 0)
    later.resume(id)
    #expect(await mismatch(later, id)?.actual == Self.digest)
    #expect(ranges == [nil, nil, nil, nil])
  }

  /// Damage to the bytes of an earlier attempt is found.
  @Test func aDamagedPartIsFound() async throws {
    serve("/file", cut: 250_000)
    let list = try open()
    let id = try list.add(try get(), named: "a", sha256: Self.digest)
    list.resume()
    await #expect(throws: AFError.self) { try await list.file(of: id) }
    list.close()
    let part = directory.appendingPathComponent("\(id.digits).part")
    var bytes = try Data(contentsOf: part)
    bytes[0] ^= 1
    try bytes.write(to: part, options: [])
    serve("/file")
    let later = try open()
    later.resume()
    #expect(await mismatch(later, id) != nil)
    later.resume()
    #expect(try await contents(later, id) == Data(Self.body))
    #expect(ranges == [nil, "bytes=250000-", nil])
  }

  enum Stop: CaseIterable { case suspended, removed, closed }

  /// All has come, and its digest is not known yet.
  @Test(arguments: Stop.allCases) func aDownloadThatIsStoppedWhileItsFileIsRead(stop: Stop) async throws {
    let list = try open()
    let id = try list.add(try get(), named: "a", sha256: Self.digest)
    DownloadTransfer.digests.suspend()
    list.resume()
    await Eventually.expect("all has come") { list.entry(id)?.receivedBytes == Int64(Self.body.count) }
    let stopped = Result {
      switch stop {
      case .suspended: list.suspend(id)
      case .removed: try list.remove(id)
      case .closed: list.close()
      }
    }
    DownloadTransfer.digests.resume()
    // Not by `sync`: the other cases hold the queue, too, and need the thread to let it go.
    await withCheckedContinuation { read in DownloadTransfer.digests.async { read.resume() } }
    try stopped.get()
    let later = stop == .closed ? try open() : list
    if stop == .removed {
      #expect(list.entry(id) == nil)
    } else {
      await Eventually.expect("it waits") {
        if case .waiting? = later.entry(id)?.state { true } else { false }
      }
      later.resume(id)
      #expect(try await contents(later, id) == Data(Self.body))
    }
    let files = directory.appendingPathComponent("files").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: files) == (stop == .removed ? [] : ["a"]))
    #expect(origin.requests.count == 1)
  }

  @Test func aTextThatIsNoChecksum() throws {
    let list = try open()
    for text in ["", "0a", String(repeating: "x", count: 64)] {
      #expect(throws: InvalidChecksum(text: text)) { try list.add(try get(), named: "a", sha256: text) }
    }
    #expect(list.entries.isEmpty)
  }

  // MARK: What is added

  @Test func whatAListDoesNotTake() throws {
    let list = try open()
    for name in [
      "", ".", "..", "a/b", "/etc/passwd", "../x", "a\u{0}b", "a\nb", String(repeating: "x", count: 256),
    ] {
      #expect(throws: DownloadListError.self, "\(name)") { try list.add(try get(), named: name) }
    }
    var post = try get()
    post.httpMethod = "POST"
    var part = try get()
    part.setValue("bytes=1-", forHTTPHeaderField: "Range")
    for request in [post, part, URLRequest(url: URL(filePath: "/etc/passwd"))] {
      #expect(throws: DownloadListError.self) { try list.add(request, named: "a") }
    }
    var large = try get()
    large.setValue(String(repeating: "x", count: 300_000), forHTTPHeaderField: "X-Large")
    #expect(throws: DownloadListError.refused(reason: "the request is too large")) {
      try list.add(large, named: "a")
    }
    #expect(list.entries.isEmpty)
    try list.add(try get(), named: "a")
    #expect(throws: DownloadListError.nameTaken("a")) { try list.add(try get(), named: "a") }
    try Data().write(to: directory.appendingPathComponent("files/b"))
    #expect(throws: DownloadListError.nameTaken("b")) { try list.add(try get(), named: "b") }
    list.close()
    #expect(throws: DownloadListError.closed) { try list.add(try get(), named: "c") }
  }

  @Test func theRequestIsWrittenDown() async throws {
    let list = try open()
    var request = try get()
    request.setValue("Bearer t", forHTTPHeaderField: "Authorization")
    request.timeoutInterval = 345.5
    request.httpShouldHandleCookies = false
    let id = try list.add(request, named: "a")
    list.close()
    let entry = directory.appendingPathComponent("\(id.digits).entry").path
    var facts = stat()
    #expect(stat(entry, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
    let later = try open()
    later.resume()
    #expect(try await contents(later, id) == Data(Self.body))
    #expect(origin.requests.last?.values("Authorization") == ["Bearer t"])
  }

  // MARK: Removing and waiting

  @Test func aDownloadIsRemovedInTheMiddle() async throws {
    serve("/file", pause: 600_000)
    let list = try open()
    let id = try list.add(try get(), named: "a")
    let other = try list.add(try get(), named: "b")
    list.resume(id)
    await Eventually.expect("some has come") { list.entry(id)?.receivedBytes ?? 0 > 0 }
    let wait = Task { try await list.file(of: id) }
    try list.remove(id)
    await #expect(throws: (any Error).self) { try await wait.value }
    #expect(list.entries.map(\.id) == [other] && list.entry(id) == nil)
    #expect(try names() == ["\(other.digits).entry", "files", "lock"])
    await Eventually.expect("nothing is loaded") { [origin] in origin.openConnections == 0 }
    #expect(throws: DownloadListError.unknownEntry) { try list.remove(id) }
    await #expect(throws: DownloadListError.unknownEntry) { try await list.file(of: id) }
    // Its name is free again.
    serve("/file")
    let again = try list.add(try get(), named: "a")
    list.resume(again)
    #expect(try await contents(list, again) == Data(Self.body))
  }

  @Test func theEndOfAWaitIsNotTheDownloads() async throws {
    // The first piece, and then nothing for long.
    serve("/file", pause: 600_000)
    let list = try open()
    let id = try list.add(try get(), named: "a")
    list.resume()
    let wait = Task { try await list.file(of: id) }
    await Eventually.expect("it has begun") { list.entry(id)?.receivedBytes ?? 0 > 0 }
    wait.cancel()
    await #expect(throws: CancellationError.self) { try await wait.value }
    #expect(list.entry(id)?.isLoading == true)
    list.suspend(id)
    await Eventually.expect("it rests") { list.entry(id)?.isLoading == false }
    serve("/file")
    list.resume(id)
    #expect(try await contents(list, id) == Data(Self.body))
  }

  @Test func changesAreTold() async throws {
    let list = try open()
    let updates = list.updates()
    let id = try list.add(try get(), named: "a")
    list.resume()
    var states: [String] = []
    var received: Int64 = 0
    for await entry in updates {
      #expect(entry.id == id && entry.receivedBytes >= received)
      received = entry.receivedBytes
      let state = entry.isCompleted ? "completed" : entry.isLoading ? "loading" : "waiting"
      if states.last != state { states.append(state) }
      if entry.isCompleted { break }
    }
    #expect(states == ["waiting", "loading", "completed"] && received == 600_000)
    list.close()
    for await _ in list.updates() { Issue.record("a closed list tells nothing") }
  }

  @Test func theSessionsLimitHolds() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.requestLimit = 2
    let list = try DownloadList(directory: directory, session: Session(configuration: configuration))
    let ids = try (0..<8).map { try list.add(try get(), named: "\($0)") }
    list.resume()
    for id in ids { #expect(try await contents(list, id) == Data(Self.body)) }
    #expect(origin.connectionCount <= 2)
  }

  // MARK: The directory

  @Test func aDirectoryIsOneListsAlone() async throws {
    let list = try open()
    #expect(throws: DownloadListError.inUse(directory: directory.path)) { try open() }
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      #expect(throws: DownloadListError.inUse(directory: path)) {
        try DownloadList(directory: URL(filePath: path))
      }
    }
    list.close()
    list.close()
    _ = try open()
  }

  @Test func whatCannotBeADirectory() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data().write(to: file)
    #expect(throws: DownloadListError.self) { try DownloadList(directory: file) }
    #expect(throws: DownloadListError.self) {
      try DownloadList(directory: file.appendingPathComponent("below"))
    }
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    chmod(directory.path, 0o777)
    #expect(
      throws: DownloadListError.unusable(
        directory: directory.path, reason: "others own it, or may write to it")
    ) { try open() }
    chmod(directory.path, 0o700)
    _ = try open()
  }

  /// What a stranger has put into the directory harms nothing else.
  @Test func damagedEntriesStandAlone() async throws {
    let list = try open()
    let good = try list.add(try get(), named: "good")
    let spare = try list.add(try get(), named: "spare")
    list.close()
    let written = try Data(contentsOf: directory.appendingPathComponent("\(spare.digits).entry"))
    let text = String(decoding: written, as: UTF8.self)
    let json = String(text.split(separator: "\n", maxSplits: 2)[2])
    func record(_ old: String, _ new: String) throws -> Data {
      let changed = json.replacing(old, with: new)
      #expect(changed != json)
      return Data("bluebonnet download 1\n\(DownloadRecord.checksum(of: changed.utf8))\n\(changed)".utf8)
    }
    var victims: [(String, Data)] = [
      ("empty", Data()), ("garbage", Data((0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })),
      ("cut", written.dropLast(7)), ("large", Data(count: 1_000_000)),
      ("version", Data(text.replacing("download 1\n", with: "download 2\n").utf8)),
      ("path", try record("\"spare\"", "\"..\\/..\\/evil\"")),
      ("slash", try record("\"spare\"", "\"\\/etc\\/cron.d\\/x\"")),
      ("scheme", try record("http://", "file://")), ("order", try record("\"order\":1", "\"order\":-1")),
      ("huge", try record("\"order\":1", "\"order\":9223372036854775807")),
      ("twice", try record("\"spare\"", "\"good\"")),
    ]
    victims.append(("deep", Data(String(repeating: "[", count: 200_000).utf8)))
    var ids: [UUID] = []
    for (_, data) in victims {
      let id = UUID()
      try data.write(to: directory.appendingPathComponent("\(id.digits).entry"))
      ids.append(id)
    }
    // No files, or others'.
    let (link, pipe, folder) = (UUID(), UUID(), UUID())
    symlink("/etc/passwd", directory.appendingPathComponent("\(link.digits).entry").path)
    mkfifo(directory.appendingPathComponent("\(pipe.digits).entry").path, 0o600)
    mkdir(directory.appendingPathComponent("\(folder.digits).entry").path, 0o700)
    try Data("mine".utf8).write(to: directory.appendingPathComponent("notes.txt"))
    let later = try open()
    #expect(later.entries.count == victims.count + 5)
    for (index, id) in ids.enumerated() {
      let entry = try #require(later.entry(id))
      guard case .damaged(let error) = entry.state else {
        Issue.record("\(victims[index].0): \(entry)")
        continue
      }
      #expect(error.description.contains(id.digits))
      await #expect(throws: DownloadListError.self) { try await later.file(of: id) }
    }
    later.resume()
    #expect(try await contents(later, good) == Data(Self.body))
    #expect(try await contents(later, spare) == Data(Self.body))
    for id in ids + [link, pipe] { try later.remove(id) }
    #expect(throws: DownloadListError.self) { try later.remove(folder) }
    #expect(FileManager.default.fileExists(atPath: "/etc/passwd"))
    #expect(try names().contains("notes.txt"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path + "/files").count == 2)
  }

  @Test func aPartThatIsALinkIsNotWrittenTo() async throws {
    let list = try open()
    let id = try list.add(try get(), named: "a")
    let victim = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data("precious".utf8).write(to: victim)
    let part = directory.appendingPathComponent("\(id.digits).part")
    symlink(victim.path, part.path)
    list.resume()
    await #expect(throws: DownloadListError.self) { try await list.file(of: id) }
    unlink(part.path)
    link(victim.path, part.path)
    list.resume(id)
    await #expect(throws: DownloadListError.self) { try await list.file(of: id) }
    #expect(try Data(contentsOf: victim) == Data("precious".utf8))
  }

  /// Something has taken the name meanwhile: it is not overwritten.
  @Test func aNameThatIsTakenMeanwhileIsNotOverwritten() async throws {
    let list = try open()
    let id = try list.add(try get(), named: "a")
    let file = directory.appendingPathComponent("files/a")
    try Data("mine".utf8).write(to: file)
    list.resume()
    await #expect(throws: DownloadListError.nameTaken("a")) { try await list.file(of: id) }
    #expect(try Data(contentsOf: file) == Data("mine".utf8))
    try FileManager.default.removeItem(at: file)
    list.resume(id)
    #expect(try await contents(list, id) == Data(Self.body))
    #expect(origin.requests.count == 1, "All of it was there.")
  }

  // MARK: Processes that are killed

  /// Killed while the file gets its name.
  @Test(arguments: ["part", "both", "file", "neither"])
  func halfFinishedDownloadsAreFinished(left: String) async throws {
    let list = try open()
    let id = try list.add(try get(), named: "a")
    list.close()
    let entry = directory.appendingPathComponent("\(id.digits).entry")
    var record = try DownloadRecord(bytes: Array(try Data(contentsOf: entry)), of: "entry")
    record.phase = .finishing
    record.length = 600_000
    record.part = .init(entityTag: "\"v1\"", total: 600_000, boot: DownloadDirectory.boot)
    try Data(try record.bytes()).write(to: entry)
    let (part, file) = (
      directory.appendingPathComponent("\(id.digits).part"), directory.appendingPathComponent("files/a")
    )
    if left == "part" || left == "both" { try Data(Self.body).write(to: part) }
    if left == "both" { link(part.path, file.path) }
    if left == "file" { try Data(Self.body).write(to: file) }
    let later = try open()
    #expect(later.entry(id)?.isCompleted == (left != "neither"))
    later.resume()
    #expect(try await contents(later, id) == Data(Self.body))
    #expect(origin.requests.count == (left == "neither" ? 1 : 0))
    #expect(try names() == ["\(id.digits).entry", "files", "lock"])
  }

  /// After a power failure, only what was put on the disk is trusted.
  @Test func anotherRunOfTheMachineTrustsLess() async throws {
    serve("/file", cut: 300_000)
    let list = try open()
    let id = try list.add(try get(), named: "a")
    list.resume()
    await #expect(throws: AFError.self) { try await list.file(of: id) }
    list.close()
    let entry = directory.appendingPathComponent("\(id.digits).entry")
    var record = try DownloadRecord(bytes: Array(try Data(contentsOf: entry)), of: "entry")
    record.part?.boot = "another"
    record.part?.synced = 120_000
    try Data(try record.bytes()).write(to: entry)
    let later = try open()
    later.resume()
    await #expect(throws: AFError.self) { try await later.file(of: id) }
    later.resume()
    #expect(try await contents(later, id) == Data(Self.body))
    #expect(ranges == [nil, "bytes=120000-", "bytes=420000-"])
  }

  /// A process is killed in front of each call by which a download gets from its record to its file. The next process goes on, and
  /// the file is right.
  @Test(.enabled(if: NumberedKill.isPossible)) func killedAtEachCall() async throws {
    var kills = 0
    var status = ExitStatus.signal(SIGKILL)
    while status == .signal(SIGKILL) {
      let directory = directory.appendingPathComponent("\(kills)", isDirectory: true)
      let list = try DownloadList(directory: directory, session: Self.session())
      let id = try list.add(try get(), named: "a.bin")
      list.close()
      let result = await #expect(processExitsWith: .failure) {
        [path = directory.path as String, kills = kills as Int] in
        // Nothing else in the process makes these calls.
        try NumberedKill.arm(
          before: kills, of: [.fsync, .ftruncate, .unlinkat, .renameat, .linkat], onAllThreads: true)
        let list = try DownloadList(directory: URL(filePath: path), session: Self.session())
        list.resume()
        _ = try await list.file(of: try #require(list.entries.first).id)
        exit(7)
      }
      status = try #require(result).exitStatus
      let later = try DownloadList(directory: directory, session: Self.session())
      #expect(later.entries.map(\.id) == [id] && later.entry(id)?.error == nil, "No entry is damaged.")
      later.resume()
      #expect(try await contents(later, id) == Data(Self.body), "killed before call \(kills)")
      later.close()
      kills += 1
    }
    #expect(status == .exitCode(7), "Not killed any more, it comes to its end.")
    // To cut and save, to save and name what is whole, and to save that.
    #expect(kills > 12)
  }

  /// A process is killed again and again while a download has come in part, in front of each call by which it adds another one. The
  /// next process asks for what is missing, and at last the file is right.
  @Test(.enabled(if: NumberedKill.isPossible)) func killedWhileItLoads() async throws {
    serve("/file", cut: 50_000, holds: true)
    let list = try open()
    let id = try list.add(try get(), named: "a.bin")
    list.close()
    for round in 0..<6 {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = directory.path as String, round = round as Int] in
        let list = try DownloadList(directory: URL(filePath: path), session: Self.session())
        list.resume()
        let count = Int64(50_000 * (round + 1))
        await Eventually.expect("more has come") {
          list.entries.first { $0.name == "a.bin" }?.receivedBytes == count
        }
        try NumberedKill.arm(before: round, of: [.openat, .write, .fsync, .unlinkat, .renameat])
        try list.add(
          URLRequest(url: try #require(URL(string: "http://127.0.0.1:9/"))), named: UUID().uuidString)
      }
    }
    serve("/file")
    let later = try open()
    #expect(later.entries.allSatisfy { $0.error == nil }, "No entry is damaged.")
    later.resume(id)
    #expect(try await contents(later, id) == Data(Self.body))
    let expected: [String?] = [nil] + (1...6).map { "bytes=\($0 * 50_000)-" }
    #expect(ranges == expected, "Nothing that had come is asked for again.")
  }
}
