// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import BluebonnetLocks
import Testing

/// While a body is held back nobody reads the socket. What comes in meanwhile must not answer the next request.
@Suite struct HeldBackBodyTests {
  /// Suspends its task at the last byte of the body, before the end of the response is noticed.
  private final class Suspender: URLSessionDataDelegate {
    let hasSuspended = Locked(false)
    let hasCompleted = Locked(false)

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      dataTask.suspend()
      hasSuspended.withLock { $0 = true }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      hasCompleted.withLock { $0 = true }
    }
  }

  @Test(arguments: [false, true])
  func plantedBytesAnswerNobody(waits: Bool) async throws {
    // What goes into a Unix-domain socket is in the client's at once.
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString.prefix(8)).sock").path
    let origin = try Origin.start(on: .unix(path: path))
    origin.script("/first", .text("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst"))
    let configuration = URLSessionConfiguration.ephemeral
    configuration.unixSocketPath = path
    configuration.httpMaximumConnectionsPerHost = 1
    let delegate = Suspender()
    let session = URLSession(configuration: configuration, delegate: delegate, executor: .loop)
    let first = session.dataTask(with: try #require(URL(string: origin.baseURL + "/first")))
    let second = try #require(URL(string: origin.baseURL + "/get?second"))
    first.resume()
    await Eventually.expect("it is suspended") { delegate.hasSuspended.withLock { $0 } }
    let (answers, answer) = AsyncStream.makeStream(of: String.self)
    let asking = session.dataTask(with: second) { data, _, _ in
      answer.yield(String(decoding: data ?? Data(), as: UTF8.self))
    }
    if waits { asking.resume() }
    #expect(origin.interject(Array("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nplanted".utf8), on: 1))
    first.resume()
    if !waits {
      await Eventually.expect("the first is complete") { delegate.hasCompleted.withLock { $0 } }
      asking.resume()
    }
    let text = await answers.first { _ in true }
    #expect(text?.contains("/get?second") == true)
    #expect(origin.connectionCount == 2)
  }
}
