// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetContentEncoding
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Synchronization
import Testing

/// How far a coded body may expand, by where it goes.
@Suite struct DecompressionTests {
  private static let size = 3 << 20
  private static let text = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n"

  let origin: Origin
  let url: URL

  init() throws {
    origin = Origin.inMemory()
    // 1000:1, as deflate does at its best.
    let body = try ContentEncoder.encode([UInt8](repeating: 0, count: Self.size), as: .gzip)
    origin.script("/bomb", ScriptedReply([.bytes(Array(Self.text.utf8) + body), .close]))
    url = try #require(URL(string: origin.baseURL + "/bomb"))
  }

  private func session(_ change: (URLSessionConfiguration) -> Void) -> URLSession {
    let configuration = URLSessionConfiguration.inMemory
    configuration.urlCache = nil
    change(configuration)
    return URLSession(configuration: configuration)
  }

  private static let tight = URLSessionConfiguration.DecompressionLimit(ratio: 100, ratioThreshold: 1 << 20)

  private func expectRefused(_ error: URLError?, by setting: String) throws {
    let error = try #require(error)
    #expect(error.code == .dataLengthExceedsMaximum)
    #expect(error.transportFailure?.cause == .decompressionLimit)
    let text = try #require(error.transportFailure?.description)
    #expect(text.contains("URLSessionConfiguration.\(setting)"))
    #expect(text.contains("100:1 beyond 1048576 bytes"))
    #expect(!text.contains("broken"))
  }

  @Test func whatIsKeptInMemoryIsLimited() async throws {
    let session = session { $0.decompressionLimitInMemory = Self.tight }
    let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
    try expectRefused(error, by: "decompressionLimitInMemory")
  }

  @Test func whatGoesIntoAFileIsNot() async throws {
    let session = session { $0.decompressionLimitInMemory = Self.tight }
    let (file, _) = try await session.download(from: url)
    #expect(try Data(contentsOf: file).count == Self.size)
    try FileManager.default.removeItem(at: file)
  }

  @Test func norWhatGoesToADelegate() async throws {
    let session = session { $0.decompressionLimitInMemory = Self.tight }
    let delegate = RecordingDelegate()
    let task = session.dataTask(with: url)
    task.delegate = delegate
    task.resume()
    await Eventually.expect("it is complete") { delegate.record.isComplete }
    #expect(delegate.record.error == nil)
    #expect(delegate.record.data.count == Self.size)
  }

  @Test func unlessThatHasALimitToo() async throws {
    let session = session { $0.decompressionLimitWhenStreaming = Self.tight }
    let error = await #expect(throws: URLError.self) { try await session.download(from: url) }
    try expectRefused(error, by: "decompressionLimitWhenStreaming")
    #expect(try await session.data(from: url).0.count == Self.size)
  }

  @Test func anAbsoluteLimitIsNamed() async throws {
    let session = session { $0.decompressionLimitInMemory = .init(bytes: 1000) }
    let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
    #expect(error?.code == .dataLengthExceedsMaximum)
    #expect(error?.transportFailure?.description.contains("the limit is 1000 bytes") == true)
  }

  @Test func theDefaultsLetHonestLogsThrough() async throws {
    let configuration = URLSessionConfiguration.inMemory
    #expect(configuration.decompressionLimitInMemory == .inMemory)
    #expect(configuration.decompressionLimitWhenStreaming == .none)
    #expect(try await session { _ in }.data(from: url).0.count == Self.size)
    // 148 MB at 147:1; and what no log can be.
    #expect(DecompressionLimit.inMemory.allows(148_000_000, from: 148_000_000 / 147))
    #expect(DecompressionLimit.inMemory.allows(10 << 30, from: 10 << 30 / 20))
    #expect(!DecompressionLimit.inMemory.allows(300 << 20, from: 300 << 10))
  }
}
