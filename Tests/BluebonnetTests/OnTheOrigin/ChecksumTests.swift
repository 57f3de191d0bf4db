// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Glibc
import Testing

@testable import Bluebonnet

/// Downloads with a checksum.
@Suite struct ChecksumTests {
  private let origin = Origin.inMemory()
  private let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("bluebonnet-\(UUID().uuidString)", isDirectory: true)
  private static let total = 1_000_000
  /// Of `/download/1000000`.
  private static let whole = "2c030d49ec131bfbbb446ad21e7a2f12cdb4f2f4f3fda3ac709dd2e68a4646c7"
  private static let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
  private static let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

  private func session(onQueues: Bool = false, interceptor: (any RequestInterceptor)? = nil) -> Session {
    Session(
      configuration: .patientInMemory, rootQueue: onQueues ? DispatchQueue(label: "test.root") : nil,
      interceptor: interceptor)
  }

  private func mismatch(_ error: AFError?) -> ChecksumMismatch? {
    guard case .responseValidationFailed(.customValidationFailed(let error)) = error else { return nil }
    return error as? ChecksumMismatch
  }

  @Test(arguments: [false, true]) func theRightOne(onQueues: Bool) async throws {
    let session = session(onQueues: onQueues)
    let target = directory.appendingPathComponent("file")
    defer { try? FileManager.default.removeItem(at: directory) }
    for text in [Self.whole, Self.whole.uppercased()] {
      let response = try await session.download(
        origin.baseURL + "/download/\(Self.total)",
        to: { _, _ in (target, [.createIntermediateDirectories, .removePreviousFile]) }
      ).verifying(sha256: text).serializingDownloadedFileURL().response
      #expect(response.value == target && response.error == nil)
      #expect(try Data(contentsOf: target).count == Self.total)
    }
  }

  /// The destination is not asked for, and what is there stays.
  @Test(arguments: [false, true]) func anotherOne(onQueues: Bool) async throws {
    let session = session(onQueues: onQueues)
    let places = Recorder<URL>()
    let named: DownloadRequest.Destination = { [directory] url, _ in
      places.note(url)
      return (directory, [.removePreviousFile])
    }
    for destination in [named, nil] {
      let request = try session.download(origin.baseURL + "/download/\(Self.total)", to: destination)
        .verifying(sha256: Self.abc)
      let response = await request.serializingDownloadedFileURL().response
      let found = try #require(mismatch(response.error))
      #expect(found == ChecksumMismatch(expected: Self.abc, actual: Self.whole, obstacle: nil))
      #expect(response.error?.localizedDescription.contains(Self.whole) == true)
      #expect(response.fileURL == nil && request.fileURL == nil && response.resumeData == nil)
    }
    #expect(places.entries.isEmpty)
  }

  @Test func filesWithoutContent() async throws {
    let session = session()
    origin.script("/empty", .text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
    origin.script(
      "/abc", .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\n\r\n"))
    for (path, digest) in [("/empty", Self.nothing), ("/abc", Self.abc)] {
      let response = try await session.download(origin.baseURL + path).verifying(sha256: digest)
        .serializingDownloadedFileURL().response
      #expect(response.error == nil)
      if let url = response.fileURL { try? FileManager.default.removeItem(at: url) }
    }
    let error = try await session.download(origin.baseURL + "/empty").verifying(sha256: Self.abc)
      .serializingDownloadedFileURL().response.error
    #expect(mismatch(error)?.actual == Self.nothing)
  }

  @Test(arguments: [
    "", "abc", String(repeating: "g", count: 64), String(repeating: "0", count: 63),
    String(repeating: "0", count: 65), " " + String(repeating: "0", count: 63),
    String(repeating: "é", count: 32),
    "0x" + String(repeating: "0", count: 62), "+1" + String(repeating: "0", count: 62),
  ])
  func textsThatAreNone(_ text: String) {
    let request = session().download(origin.baseURL + "/abc")
    #expect(throws: InvalidChecksum(text: text)) { try request.verifying(sha256: text) }
    #expect(request.isInitialized && request.expectedDigest.withLock { $0 } == nil)
  }

  /// The last one counts.
  @Test func twice() async throws {
    let session = session()
    let response = try await session.download(origin.baseURL + "/download/\(Self.total)")
      .verifying(sha256: Self.abc).verifying(sha256: Self.whole).serializingDownloadedFileURL().response
    #expect(response.error == nil)
    if let url = response.fileURL { try? FileManager.default.removeItem(at: url) }
  }

  /// Asked for in the middle of the body, and when all is over.
  @Test func late() async throws {
    let session = session()
    let head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 3\r\n\r\na"
    for digest in [Self.abc, Self.nothing] {
      origin.script("/slow", ScriptedReply([.bytes(Array(head.utf8)), .hang]))
      let request = session.download(origin.baseURL + "/slow").resume()
      await Eventually.expect("some of it is there") { request.downloadProgress.completedUnitCount == 1 }
      try request.verifying(sha256: digest)
      _ = origin.interject(Array("bc".utf8), on: try #require(origin.requests.last).connection)
      let response = await request.serializingDownloadedFileURL().response
      #expect(mismatch(response.error)?.actual == (digest == Self.abc ? nil : Self.abc))
      #expect((response.error == nil) == (digest == Self.abc))
      try request.verifying(sha256: Self.whole)
      #expect(await request.serializingDownloadedFileURL().response.fileURL == response.fileURL)
      if let url = response.fileURL { try? FileManager.default.removeItem(at: url) }
    }
  }

  @Test func setUpBefore() async throws {
    let session = Session(
      configuration: .patientInMemory, startRequestsImmediately: false, requestSetup: .eager)
    let request = session.download(origin.baseURL + "/download/\(Self.total)")
    await Eventually.expect("it has a task") { request.lastTask != nil }
    try request.verifying(sha256: Self.abc).resume()
    #expect(mismatch(await request.serializingDownloadedFileURL().response.error)?.actual == Self.whole)
  }

  /// Responses that are no success have no such file, validators or none.
  @Test func otherStatuses() async throws {
    let session = session()
    for path in ["/status/404", "/status/500"] {
      let response = try await session.download(origin.baseURL + path).verifying(sha256: Self.nothing)
        .serializingDownloadedFileURL().response
      #expect(response.error?.responseCode == Int(path.suffix(3)) && response.fileURL == nil)
    }
  }

  // MARK: Resumed downloads

  private func broken(_ session: Session) async throws -> Data {
    let response = await session.download(origin.baseURL + "/download/\(Self.total)?shouldProduceError=true")
      .serializingData().response
    return try #require(response.resumeData)
  }

  @Test(arguments: [false, true]) func aDownloadThatGoesOn(onQueues: Bool) async throws {
    let session = session(onQueues: onQueues)
    for isOther in [false, true] {
      let data = try await broken(session)
      let request =
        isOther
        ? session.download(resumingWith: data, from: origin.baseURL + "/download/\(Self.total)")
        : session.download(resumingWith: data)
      let response = try await request.verifying(sha256: Self.whole).serializingDownloadedFileURL().response
      #expect(response.error == nil && response.response?.statusCode == 206)
      if let url = response.fileURL { try? FileManager.default.removeItem(at: url) }
    }
  }

  /// The file that resume data name.
  private func part(of data: Data) throws -> URL {
    func named(in directory: URL) throws -> URL {
      let entries = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      let name = try #require(entries.first { data.range(of: Data($0.utf8)) != nil && $0.utf8.count > 8 })
      return directory.appendingPathComponent(name)
    }
    return try named(in: named(in: FileManager.default.temporaryDirectory))
  }

  /// The part on the disk is not what it was: its bytes count, too.
  @Test(arguments: [false, true]) func aPartThatHasChanged(onQueues: Bool) async throws {
    let session = session(onQueues: onQueues)
    let data = try await broken(session)
    let part = try part(of: data)
    // In place: it is to stay the same file.
    let descriptor = open(part.path, O_WRONLY | O_CLOEXEC)
    #expect(pwrite(descriptor, "x", 1, 600_000) == 1)
    #expect(close(descriptor) == 0)
    let response = try await session.download(resumingWith: data).verifying(sha256: Self.whole)
      .serializingDownloadedFileURL().response
    let found = try #require(mismatch(response.error))
    #expect(found.actual != nil && found.actual != Self.whole)
    #expect(response.resumeData == nil && !FileManager.default.fileExists(atPath: part.path))
  }

  /// The server has the whole once more: the bytes of before do not count.
  @Test func aDownloadThatStartsOver() async throws {
    let session = session()
    let data = try await broken(session)
    origin.script("/abc", .text("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"))
    let response = try await session.download(resumingWith: data, from: origin.baseURL + "/abc")
      .verifying(sha256: Self.abc).serializingDownloadedFileURL().response
    #expect(response.error == nil && response.response?.statusCode == 200)
    if let url = response.fileURL { try? FileManager.default.removeItem(at: url) }
  }

  /// An attempt that broke off, and one whose file was wrong: each next one is right.
  @Test func retries() async throws {
    let retrier = Retrier { _, _, _, completion in completion(.retry) }
    let session = session(interceptor: retrier)
    let path = "/download/\(Self.total)"
    let bytes = (0..<700_000).map { UInt8($0 % 251) }
    let head = Array(
      "HTTP/1.1 200 OK\r\nContent-Length: \(Self.total)\r\nETag: \"\(Self.total)\"\r\n\r\n".utf8)
    origin.script(path, ScriptedReply([.bytes(head + bytes), .abruptClose]), .endpoint)
    let resumed = try await session.download(origin.baseURL + path).verifying(sha256: Self.whole)
      .serializingDownloadedFileURL().response
    #expect(resumed.error == nil && resumed.response?.statusCode == 206)
    if let url = resumed.fileURL { try? FileManager.default.removeItem(at: url) }
    let wrong = ScriptedReply([.bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabd".utf8))])
    origin.script("/abc", wrong, .text("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"))
    let request = try session.download(origin.baseURL + "/abc").verifying(sha256: Self.abc)
    let again = await request.serializingDownloadedFileURL().response
    #expect(again.error == nil && request.retryCount == 1)
    if let url = again.fileURL { try? FileManager.default.removeItem(at: url) }
  }

  /// A file that does not come over HTTP.
  @Test func aFileURL() async throws {
    let session = session()
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appendingPathComponent("abc")
    try Data("abc".utf8).write(to: file)
    for digest in [Self.abc, Self.whole] {
      let response = try await session.download(file).verifying(sha256: digest)
        .serializingDownloadedFileURL().response
      #expect((response.error == nil) == (digest == Self.abc))
      if let url = response.fileURL { try? FileManager.default.removeItem(at: url) }
    }
    #expect(FileManager.default.fileExists(atPath: file.path))
  }
}
