// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// A redirect that nobody follows, and a challenge that nobody meets, are responses like any other.
@Suite struct FinalResponseTests {
  private let origin: Origin

  init() throws { origin = Origin.inMemory() }

  private static let heads = [
    "HTTP/1.1 302 Found\r\nLocation: /get\r\n",
    "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\n",
  ]

  /// Asked on a queue of its own.
  private final class OwnCache: URLCache, @unchecked Sendable {}

  private func session(_ delegate: RecordingDelegate, ownCache: Bool = false) -> URLSession {
    let configuration = URLSessionConfiguration.inMemory
    if ownCache {
      configuration.urlCache = OwnCache(memoryCapacity: 100_000, diskCapacity: 0, diskPath: nil)
    }
    return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  @Test(arguments: heads, [false, true])
  func itsLengthIsKnown(head: String, ownCache: Bool) async throws {
    origin.script("/r", .text(head + "Content-Length: 4\r\n\r\nbody"))
    let url = try #require(URL(string: origin.baseURL + "/r"))
    for isDownload in [false, true] {
      let delegate = RecordingDelegate(followsRedirects: false)
      let session = session(delegate, ownCache: ownCache)
      let task: URLSessionTask = isDownload ? session.downloadTask(with: url) : session.dataTask(with: url)
      task.resume()
      await Eventually.expect("it completes") { delegate.record.isComplete }
      #expect(task.countOfBytesExpectedToReceive == 4)
      #expect(task.countOfBytesReceived == 4)
      session.invalidateAndCancel()
    }
  }

  @Test(arguments: heads) func itsProgressIs(head: String) async throws {
    let half = String(repeating: "h", count: 50)
    origin.script("/r", .text(head + "Content-Length: 100\r\n\r\n" + half).then(.hang))
    let delegate = RecordingDelegate(followsRedirects: false)
    let session = session(delegate)
    let task = session.dataTask(with: try #require(URL(string: origin.baseURL + "/r")))
    task.resume()
    await Eventually.expect("half of it is there") { task.countOfBytesReceived == 50 }
    #expect(task.progress.completedUnitCount == 50)
    session.invalidateAndCancel()
  }

  @Test(arguments: heads) func withoutALengthItIsUnknown(head: String) async throws {
    origin.script("/r", .text(head + "Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n"))
    let delegate = RecordingDelegate(followsRedirects: false)
    let session = session(delegate)
    let task = session.dataTask(with: try #require(URL(string: origin.baseURL + "/r")))
    task.resume()
    await Eventually.expect("it completes") { delegate.record.isComplete }
    #expect(task.countOfBytesExpectedToReceive == NSURLSessionTransferSizeUnknown)
    #expect(delegate.record.data == Data("body".utf8))
    session.invalidateAndCancel()
  }
}
