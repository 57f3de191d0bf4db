// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Glibc
import Testing

/// `file:` URLs are read; what cannot be read fails as on Apple's systems.
@Suite final class FileURLTests {
  let session = URLSession(configuration: .inMemory)
  let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit {
    session.invalidateAndCancel()
    try? FileManager.default.removeItem(at: directory)
  }

  private func file(_ name: String, _ data: Data) throws -> URL {
    let file = directory.appendingPathComponent(name)
    try data.write(to: file)
    return file
  }

  @Test(arguments: ["plain.txt", "with space & ü.txt"]) func aFileIsLoaded(name: String) async throws {
    let url = try file(name, Data("hello".utf8))
    let (data, response) = try await session.data(from: url)
    #expect(data == Data("hello".utf8))
    #expect(!(response is HTTPURLResponse))
    #expect(response.url == url)
    #expect(response.expectedContentLength == 5)
    #expect(response.mimeType == "text/plain")
    #expect(response.suggestedFilename == name)
  }

  @Test func anEmptyFileIsLoaded() async throws {
    let (data, response) = try await session.data(from: try file("empty", Data()))
    #expect(data.isEmpty)
    #expect(response.expectedContentLength == 0)
  }

  /// Its size is no news.
  @Test func aFileOfTheKernelIsLoaded() async throws {
    let (data, _) = try await session.data(from: URL(fileURLWithPath: "/proc/self/status"))
    #expect(String(decoding: data, as: UTF8.self).contains("Name:"))
  }

  @Test func aFileIsDownloaded() async throws {
    let bytes = Data([UInt8](cycling: 3_000_000))
    let url = try file("large.bin", bytes)
    let (copy, response) = try await session.download(from: url)
    defer { try? FileManager.default.removeItem(at: copy) }
    #expect(try Data(contentsOf: copy) == bytes)
    #expect(response.expectedContentLength == 3_000_000)
    #expect(FileManager.default.fileExists(atPath: url.path))
  }

  @Test func aDelegateHearsOfIt() async throws {
    let delegate = AnsweringDelegate()
    let session = URLSession(configuration: .inMemory, delegate: delegate, delegateQueue: nil)
    let url = try file("large.bin", Data(count: 3_000_000))
    let task = session.dataTask(with: url)
    task.resume()
    await Eventually.expect("it completes") { delegate.record.isComplete }
    #expect(delegate.record.error == nil)
    #expect(delegate.record.data.count == 3_000_000)
    #expect(delegate.record.pieces.count > 1)
    #expect(task.countOfBytesReceived == 3_000_000)
    session.invalidateAndCancel()
  }

  /// A slow delegate holds reading back, so that a file larger than the memory can be loaded.
  @Test func aSlowDelegateHoldsTheFileBack() async throws {
    let url = directory.appendingPathComponent("huge")
    #expect(FileManager.default.createFile(atPath: url.path, contents: nil))
    #expect(truncate(url.path, 64 * 1024 * 1024 * 1024) == 0)
    let delegate = RecordingDelegate(slowness: 0.01)
    let session = URLSession(configuration: .inMemory, delegate: delegate, delegateQueue: nil)
    let task = session.dataTask(with: url)
    task.resume()
    await Eventually.expect("something arrives") { delegate.record.data.count > 4_000_000 }
    let (received, taken) = (task.countOfBytesReceived, delegate.record.data.count)
    #expect(Int(received) - taken < 8_000_000)
    task.cancel()
    await Eventually.expect("it completes") { delegate.record.isComplete }
    session.invalidateAndCancel()
  }

  @Test func aFileBecomesADownload() async throws {
    let delegate = AnsweringDelegate(disposition: .becomeDownload)
    let session = URLSession(configuration: .inMemory, delegate: delegate, delegateQueue: nil)
    session.dataTask(with: try file("a.txt", Data("hello".utf8))).resume()
    await Eventually.expect("it completes") { delegate.record.isComplete }
    #expect(delegate.record.file == Data("hello".utf8))
    session.invalidateAndCancel()
  }

  private func code(of url: URL) async -> URLError.Code? {
    let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
    return error?.code
  }

  @Test func whatIsNotThereFails() async throws {
    #expect(await code(of: directory.appendingPathComponent("absent")) == .fileDoesNotExist)
    #expect(await code(of: directory.appendingPathComponent("absent/below")) == .fileDoesNotExist)
    let error = await #expect(throws: URLError.self) {
      try await session.download(from: directory.appendingPathComponent("absent"))
    }
    #expect(error?.code == .fileDoesNotExist)
  }

  @Test func aDirectoryFails() async throws {
    #expect(await code(of: directory) == .fileIsDirectory)
  }

  @Test func whatMayNotBeReadFails() async throws {
    let url = try file("secret", Data("a".utf8))
    #expect(chmod(url.path, 0) == 0)
    // Root may read everything, so for it only the translation is looked at.
    let code = geteuid() == 0 ? URLError.reading(EACCES, url).code : await code(of: url)
    #expect(code == .noPermissionsToReadFile)
  }

  /// A FIFO would block, and a device need not end.
  @Test func whatIsNoFileFails() async throws {
    let fifo = directory.appendingPathComponent("fifo")
    #expect(mkfifo(fifo.path, 0o600) == 0)
    #expect(await code(of: fifo) == .cannotOpenFile)
    #expect(await code(of: URL(fileURLWithPath: "/dev/zero")) == .cannotOpenFile)
  }

  @Test func anotherHostsFileFails() async throws {
    #expect(
      await code(of: try #require(URL(string: "file://elsewhere.test/etc/hostname"))) == .unsupportedURL)
    let local = try file("a.txt", Data("a".utf8))
    let (data, _) = try await session.data(
      from: try #require(URL(string: "file://localhost" + local.path(percentEncoded: true))))
    #expect(data == Data("a".utf8))
  }

  /// Files are read, never written.
  @Test func nothingIsSentToAFile() async throws {
    let url = try file("a.txt", Data("hello".utf8))
    let session = session
    let error = await #expect(throws: URLError.self) {
      try await session.upload(for: URLRequest(url: url), from: Data("other".utf8))
    }
    #expect(error?.code == .unsupportedURL)
    var request = URLRequest(url: url)
    request.httpMethod = "DELETE"
    let deleting = request
    await #expect(throws: URLError.self) { try await session.data(for: deleting) }
    #expect(try Data(contentsOf: url) == Data("hello".utf8))
  }

  /// A server must not make a client read its own files, whatever its delegate says.
  @Test(arguments: ["file:///etc/hostname", "data:,secret"]) func noResponseLeadsHere(location: String)
    async throws
  {
    let origin = Origin.inMemory()
    origin.script(
      "/there", .text("HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n"))
    let delegate = RecordingDelegate()
    let session = URLSession(configuration: .inMemory, delegate: delegate, delegateQueue: nil)
    session.dataTask(with: try #require(URL(string: origin.baseURL + "/there"))).resume()
    await Eventually.expect("it completes") { delegate.record.isComplete }
    #expect((delegate.record.error as? URLError)?.code == .unsupportedURL)
    #expect(delegate.record.data.isEmpty)
    session.invalidateAndCancel()
  }
}
