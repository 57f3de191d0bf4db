// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetTransport
@testable import BluebonnetURLLoading

/// Uploads of files, small and large, whose contents are compared byte by byte.
@Suite struct FileUploadTests {
  private let origin: Origin
  private let session = URLSession(configuration: .ephemeral)

  init() throws {
    origin = try Origin.start()
    origin.script("/keep", .response())
  }

  private final class StoredFile: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID()).bin")

    init(_ contents: Data) throws { try contents.write(to: url) }

    deinit { unlink(url.path) }

    /// Whether it is among the descriptors of this process.
    var isOpen: Bool {
      let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
      return all.contains { number in
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")) == url.path
      }
    }
  }

  /// Whatever is put in another place differs: a prime number of bytes, over and over.
  private static func contents(_ count: Int) -> Data {
    var contents: [UInt8] = []
    while contents.count < count { contents += block }
    return Data(contents.prefix(count))
  }

  private static let block = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 11 &+ $0 >> 10) }

  private func request(_ path: String, method: String = "PUT") throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: origin.baseURL + path)))
    request.httpMethod = method
    return request
  }

  @Test(arguments: [0, 1, 262_144, 262_145, 999_983, 10_000_000], [false, true])
  func arrivesWholeAndIsCounted(size: Int, asksFirst: Bool) async throws {
    let contents = Self.contents(size)
    let file = try StoredFile(contents)
    var request = try request("/keep")
    if asksFirst { request.setValue("100-continue", forHTTPHeaderField: "Expect") }
    let task = session.uploadTask(with: request, fromFile: file.url)
    task.resume()
    await Eventually.expect("it completes") { task.state == .completed }
    #expect((task.response as? HTTPURLResponse)?.statusCode == 200)
    #expect(task.countOfBytesSent == Int64(size))
    #expect(origin.requests.last.map { Data($0.body) } == contents)
    #expect(origin.requests.last?.value("Content-Length") == "\(size)")
    await Eventually.expect("the file is closed") { !file.isOpen }
  }

  @Test func progressAddsUp() async throws {
    let size = 10_000_000
    let file = try StoredFile(Self.contents(size))
    let delegate = Counting()
    let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
    let task = session.uploadTask(with: try request("/keep"), fromFile: file.url)
    task.resume()
    await Eventually.expect("it completes") { task.state == .completed }
    await Eventually.expect("all is told") { delegate.told.withLock { $0.last?.total == Int64(size) } }
    let told = delegate.told.withLock { $0 }
    var sum: Int64 = 0
    for step in told {
      sum += step.count
      #expect(step.total == sum)
      #expect(step.count > 0)
    }
  }

  // Unchecked: a constant.
  private final class Counting: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    let told = Locked<[(count: Int64, total: Int64)]>([])

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
      totalBytesExpectedToSend: Int64
    ) {
      told.withLock { $0.append((bytesSent, totalBytesSent)) }
    }
  }

  @Test func isSentAgainAfterA307() async throws {
    let contents = Self.contents(3_000_001)
    let file = try StoredFile(contents)
    origin.script("/moved", .response(status: 307, fields: [("Location", "/further")]))
    origin.script("/further", .response(status: 307, fields: [("Location", "/keep")]))
    _ = try await session.upload(for: try request("/moved"), fromFile: file.url)
    #expect(origin.requests.map(\.path) == ["/moved", "/further", "/keep"])
    #expect(origin.requests.allSatisfy { Data($0.body) == contents })
  }

  /// What becomes of the file between the first sending and the second.
  enum Change: CaseIterable {
    case grows
    case shrinks
    case isReplaced
    case vanishes
  }

  @Test(arguments: Change.allCases) func isReadAnewWhenItIsSentAgain(change: Change) async throws {
    let size = 3_000_000
    let first = Self.contents(size)
    let second = Data(first.reversed())
    let file = try StoredFile(first)
    origin.handle("/changing") { _ in
      switch change {
      case .grows:
        let appending = open(file.url.path, O_WRONLY | O_APPEND)
        _ = write(appending, [UInt8](repeating: 1, count: 100_000), 100_000)
        close(appending)
      case .shrinks: truncate(file.url.path, off_t(size / 2 + 1))
      case .isReplaced: try? second.write(to: file.url, options: .atomic)
      case .vanishes: unlink(file.url.path)
      }
      return .response(status: 307, fields: [("Location", "/keep")])
    }
    let upload = try request("/changing")
    let result: Result<URLResponse, any Error>
    do {
      result = .success(try await session.upload(for: upload, fromFile: file.url).1)
    } catch {
      result = .failure(error)
    }
    switch (change, result) {
    case (.grows, .success):
      #expect(origin.requests.last.map { Data($0.body) } == first)
    case (.isReplaced, .success):
      #expect(origin.requests.last.map { Data($0.body) } == second)
    case (.shrinks, .failure(let error)):
      #expect(
        (error as? URLError)?.localizedDescription.contains(
          "it ended \(size / 2 - 1) bytes short of its declared length") == true)
    case (.vanishes, .failure(let error)):
      #expect((error as? URLError)?.localizedDescription.contains("the file cannot be opened") == true)
    default: Issue.record("\(change): \(result)")
    }
    // No byte too many has come: the connection, or a new one, takes the next request.
    let (_, response) = try await session.data(for: try request("/get", method: "GET"))
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
  }

  @Test func isSentOnceMoreOverANewConnection() async throws {
    let contents = Self.contents(2_000_003)
    let file = try StoredFile(contents)
    for round in 0..<5 {
      _ = try await session.data(for: try request("/get", method: "GET"))
      if round > 0 { origin.dropConnections(resetting: round % 2 == 0) }
      let (_, response) = try await session.upload(for: try request("/keep"), fromFile: file.url)
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
      #expect(origin.requests.last.map { Data($0.body) } == contents)
    }
  }

  @Test func aCancelledUploadLetsGoOfItsFile() async throws {
    origin.reception = .silence
    let file = try StoredFile(Data(count: 50_000_000))
    let task = session.uploadTask(with: try request("/upload"), fromFile: file.url)
    task.resume()
    await Eventually.expect("it is under way") { file.isOpen && task.countOfBytesSent > 0 }
    task.cancel()
    await Eventually.expect("it has ended, and the file is closed") {
      task.state == .completed && !file.isOpen
    }
    #expect((task.error as? URLError)?.code == .cancelled)
  }

  @Test func goesThroughAUnixDomainSocket() async throws {
    let contents = Self.contents(3_000_007)
    let file = try StoredFile(contents)
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "\(UUID().uuidString.prefix(8)).sock"
    ).path
    let local = try Origin.start(on: .unix(path: path))
    defer { local.stop() }
    local.script("/keep", .response())
    let configuration = URLSessionConfiguration.ephemeral
    configuration.unixSocketPath = path
    var request = URLRequest(url: try #require(URL(string: "http://somewhere.example/keep")))
    request.httpMethod = "PUT"
    _ = try await URLSession(configuration: configuration).upload(for: request, fromFile: file.url)
    #expect(local.requests.last.map { Data($0.body) } == contents)
  }
}
