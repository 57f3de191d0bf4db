// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetFiles
@testable import BluebonnetURLLoading

/// What a process leaves in the file system. Each in a process of its own, because limits, the umask and the end of a
/// process are everybody's.
@Suite struct FileProcessTests {
  private static let temporary = FileManager.default.temporaryDirectory

  @Test func aDownloadEndsAtTheFirstWriteThatFails() async {
    await #expect(processExitsWith: .exitCode(7)) {
      // Beyond this size every write fails, as on a full disk, instead of killing the process.
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let origin = try Origin.start()
      let url = try #require(URL(string: origin.baseURL + "/manyBytes/10000000"))
      let task = URLSession(configuration: .ephemeral).downloadTask(with: url)
      task.resume()
      await Eventually.expect("It ends.") { task.state == .completed }
      let error = try #require(task.error as? URLError)
      try #require(error.code == .cannotWriteToFile)
      try #require(error.localizedDescription.contains("writing the response body"))
      // No more than what was on its way when the write failed.
      try #require(task.countOfBytesReceived < 5_000_000)
      exit(7)
    }
  }

  /// The directory of this process, in which a download has begun and does not end.
  private static func beginDownload() async throws -> URL {
    let origin = try Origin.start()
    origin.script(
      "/stuck", .text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nfirst bytes").then(.hang))
    let url = try #require(URL(string: origin.baseURL + "/stuck"))
    let task = URLSession(configuration: .ephemeral).downloadTask(with: url)
    task.resume()
    let other = try TemporaryFiles.create("Test", in: temporary)
    close(other.descriptor)
    let directory = other.directory.url
    await Eventually.expect("It writes to its file.") {
      names(in: directory).contains { $0.hasPrefix("BluebonnetDownload_") }
    }
    return directory
  }

  private static func names(in directory: URL) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
  }

  private static func tell(_ word: String, _ url: URL) {
    _ = Array("\n\(word)=\(url.path)\n".utf8).withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
  }

  private func told(_ word: String, by result: ExitTest.Result?) throws -> URL {
    let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
    let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("\(word)=") })
    return URL(fileURLWithPath: String(line.dropFirst(word.count + 1)))
  }

  @Test func whatACrashLeavesTheNextProcessSweeps() async throws {
    let result = await #expect(
      processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]
    ) {
      let directory = try await Self.beginDownload()
      Self.tell("directory", directory)
      kill(getpid(), SIGKILL)
    }
    let directory = try told("directory", by: result)
    // Another process may have swept it by now; a download of this one does it otherwise.
    PrivateDirectory.sweep(Self.temporary)
    #expect(!FileManager.default.fileExists(atPath: directory.path))
  }

  @Test func aProcessThatEndsLeavesNothingUnfinished() async throws {
    let result = await #expect(processExitsWith: .exitCode(7), observing: [\.standardOutputContent]) {
      let directory = try await Self.beginDownload()
      Self.tell("directory", directory)
      exit(7)
    }
    let directory = try told("directory", by: result)
    #expect(!FileManager.default.fileExists(atPath: directory.path))
  }

  @Test func whatACallerWasGivenOutlivesTheProcess() async throws {
    let result = await #expect(processExitsWith: .exitCode(7), observing: [\.standardOutputContent]) {
      let origin = try Origin.start()
      let url = try #require(URL(string: origin.baseURL + "/bytes/1000"))
      let (file, _) = try await URLSession(configuration: .ephemeral).download(from: url)
      Self.tell("file", file)
      exit(7)
    }
    let file = try told("file", by: result)
    PrivateDirectory.sweep(Self.temporary)
    #expect(try Data(contentsOf: file).count == 1000)
    // Never more than what is known to be there: a wrong path must not take anybody's files along.
    try FileManager.default.removeItem(at: file)
    let directory = file.deletingLastPathComponent()
    unlink(directory.appendingPathComponent(PrivateDirectory.keptMark).path)
    #expect(rmdir(directory.path) == 0)
  }

  @Test func aDownloadGetsTheModeThatTheUmaskSays() async throws {
    await #expect(processExitsWith: .exitCode(7)) {
      umask(0o027)
      let origin = try Origin.start()
      let url = try #require(URL(string: origin.baseURL + "/bytes/1000"))
      let (file, _) = try await URLSession(configuration: .ephemeral).download(from: url)
      var facts = stat()
      try #require(stat(file.path, &facts) == 0 && facts.st_mode & 0o777 == 0o640)
      try #require(stat(file.deletingLastPathComponent().path, &facts) == 0)
      try #require(facts.st_mode & 0o777 == 0o700)
      try FileManager.default.removeItem(at: file)
      exit(7)
    }
  }
}
