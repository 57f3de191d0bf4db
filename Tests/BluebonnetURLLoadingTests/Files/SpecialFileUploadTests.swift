// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Glibc
import Testing

/// Uploads of what looks like a file and doesn't tell its length.
@Suite struct SpecialFileUploadTests {
  private let origin: Origin
  private let session: URLSession

  init() {
    origin = Origin.inMemory()
    let configuration = URLSessionConfiguration.inMemory
    // On a busy machine, everything may take its time.
    configuration.timeoutIntervalForRequest = 600
    session = URLSession(configuration: configuration)
  }

  private var request: URLRequest {
    get throws {
      var request = URLRequest(url: try #require(URL(string: origin.baseURL + "/post")))
      request.httpMethod = "POST"
      return request
    }
  }

  @Test func aFileInProcIsSentAsFarAsItCanBeRead() async throws {
    let file = URL(fileURLWithPath: "/proc/version")
    let content = try Data(contentsOf: file)
    _ = try await session.upload(for: try request, fromFile: file)
    #expect(origin.requests.last.map { Data($0.body) } == content)
    #expect(origin.requests.last?.value("Transfer-Encoding") == "chunked")
  }

  @Test func aPipeWhoseWriterComesLateIsSentWhole() async throws {
    let pipe = try NamedPipe()
    let origin = origin
    let task = session.uploadTask(with: try request, fromFile: URL(fileURLWithPath: pipe.path))
    task.resume()
    await Eventually.expect("The request is under way.") { origin.connectionCount > 0 }
    let text = String(repeating: "0123456789", count: 50_000)
    try await detached { try pipe.write(text) }
    await Eventually.expect("It has arrived.") { origin.requests.last?.isComplete == true }
    #expect(origin.requests.last?.body == Array(text.utf8))
    #expect(origin.requests.last?.value("Transfer-Encoding") == "chunked")
    await Eventually.expect("The pipe is closed.") { pipe.descriptors.isEmpty }
  }

  @Test func aPipeThatNobodyWritesToCanBeCancelled() async throws {
    let pipe = try NamedPipe()
    let origin = origin
    let task = session.uploadTask(with: try request, fromFile: URL(fileURLWithPath: pipe.path))
    task.resume()
    await Eventually.expect("It waits.") { origin.connectionCount > 0 && !pipe.descriptors.isEmpty }
    // Programs that are started meanwhile do not inherit the file.
    #expect(pipe.descriptors.allSatisfy { fcntl($0, F_GETFD) & FD_CLOEXEC != 0 })
    task.cancel()
    await Eventually.expect("It has ended, and the pipe is closed.") {
      task.state == .completed && pipe.descriptors.isEmpty
    }
    #expect((task.error as? URLError)?.code == .cancelled)
    #expect(origin.requests.allSatisfy { !$0.isComplete })
  }

  @Test func anEmptyFileStatesItsLength() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("empty-\(UUID().uuidString)")
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    _ = try await session.upload(for: try request, fromFile: file)
    #expect(origin.requests.last?.value("Content-Length") == "0")
  }

  @Test func aDirectoryIsRefusedBeforeAnythingIsSent() async throws {
    let request = try request
    let error = await #expect(throws: URLError.self) {
      try await session.upload(for: request, fromFile: FileManager.default.temporaryDirectory)
    }
    #expect(error?.code == .fileIsDirectory)
    #expect(origin.connectionCount == 0)
  }
}
