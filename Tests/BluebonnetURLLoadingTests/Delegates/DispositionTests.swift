// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// `.becomeDownload` makes a download of a data task; `.becomeStream` is refused.
@Suite(.serialized) struct DispositionTests {
  let origin: Origin

  init() throws { origin = Origin.inMemory() }

  private func run(
    _ disposition: URLSession.ResponseDisposition, _ path: String, executor: CallbackExecutor? = nil,
    _ configuration: URLSessionConfiguration = .inMemory
  ) async throws -> AnsweringDelegate.Record {
    let delegate = AnsweringDelegate(disposition: disposition)
    let session =
      if let executor {
        URLSession(configuration: configuration, delegate: delegate, executor: executor)
      } else {
        URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
      }
    var request = URLRequest(url: try #require(URL(string: origin.baseURL + path)))
    request.cachePolicy = .returnCacheDataElseLoad
    let task = session.dataTask(with: request)
    task.taskDescription = "mine"
    task.resume()
    await Eventually.expect("it completes") { delegate.record.isComplete }
    let left = await session.allTasks
    #expect(left.isEmpty)
    session.invalidateAndCancel()
    return delegate.record
  }

  @Test(arguments: [true, false]) func aDataTaskBecomesADownload(onTheLoop: Bool) async throws {
    let record = try await run(.becomeDownload, "/manyBytes/3000000", executor: onTheLoop ? .loop : nil)
    #expect(record.error == nil)
    #expect(record.file?.count == 3_000_000)
    #expect(record.pieces.isEmpty)
    #expect(
      record.events == ["created 1", "response", "created 2", "became", "file", "download complete"])
    let download = try #require(record.download)
    #expect(download.state == .completed)
    #expect(download.taskDescription == "mine")
    #expect(download.countOfBytesReceived == 3_000_000)
    #expect((download.response as? HTTPURLResponse)?.statusCode == 200)
  }

  @Test func anEmptyBodyBecomesAnEmptyFile() async throws {
    let record = try await run(.becomeDownload, "/status/204")
    #expect(record.error == nil)
    #expect(record.file?.isEmpty == true)
  }

  /// A response that was kept goes to a file as well.
  @Test func aCachedResponseBecomesADownload() async throws {
    let configuration = URLSessionConfiguration.inMemory
    origin.script("/kept", .response(body: "kept".utf8))
    _ = try await run(.allow, "/kept", configuration)
    let (cache, url) = (configuration.urlCache, try #require(URL(string: origin.baseURL + "/kept")))
    await Eventually.expect("it is kept") { cache?.cachedResponse(for: URLRequest(url: url)) != nil }
    let record = try await run(.becomeDownload, "/kept", configuration)
    #expect(record.file == Data("kept".utf8))
    #expect(origin.requests.count == 1)
  }

  @Test func aDownloadOfADataTaskCanBeCancelled() async throws {
    let delegate = AnsweringDelegate(disposition: .becomeDownload)
    let session = URLSession(configuration: .inMemory, delegate: delegate, delegateQueue: nil)
    origin.script("/half", .text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello").then(.hang))
    session.dataTask(with: try #require(URL(string: origin.baseURL + "/half"))).resume()
    await Eventually.expect("it is a download") { delegate.record.download != nil }
    delegate.record.download?.cancel()
    await Eventually.expect("it completes") { delegate.record.isComplete }
    #expect((delegate.record.error as? URLError)?.code == .cancelled)
    #expect(delegate.record.events.filter { $0.hasSuffix("complete") } == ["download complete"])
    session.invalidateAndCancel()
  }

  /// Invalidates its session in the middle of the change.
  private final class Invalidating: URLSessionDownloadDelegate, URLSessionDataDelegate {
    let isInvalid = Locked(false)

    func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {
      if task is URLSessionDownloadTask { session.invalidateAndCancel() }
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      completionHandler(.becomeDownload)
    }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {}

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
      isInvalid.withLock { $0 = true }
    }
  }

  @Test(arguments: [true, false]) func aSessionThatIsInvalidatedMeanwhileEnds(onTheLoop: Bool) async throws {
    let delegate = Invalidating()
    let session =
      onTheLoop
      ? URLSession(configuration: .inMemory, delegate: delegate, executor: .loop)
      : URLSession(configuration: .inMemory, delegate: delegate, delegateQueue: nil)
    origin.script("/half", .text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello").then(.hang))
    session.dataTask(with: try #require(URL(string: origin.baseURL + "/half"))).resume()
    await Eventually.expect("the session is invalid") { delegate.isInvalid.withLock { $0 } }
  }

  @Test func aDownloadOfAnInvalidatedSessionCanBeCancelled() async throws {
    let delegate = AnsweringDelegate(disposition: .becomeDownload)
    let session = URLSession(configuration: .inMemory, delegate: delegate, delegateQueue: nil)
    origin.script("/half", .text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello").then(.hang))
    session.dataTask(with: try #require(URL(string: origin.baseURL + "/half"))).resume()
    session.finishTasksAndInvalidate()
    await Eventually.expect("it is a download") { delegate.record.download != nil }
    session.invalidateAndCancel()
    await Eventually.expect("it completes") { delegate.record.isComplete }
  }

  /// Has seen enough when it has the head.
  private final class Ending: URLSessionDataDelegate {
    let record = Locked<(isComplete: Bool, error: (any Error)?, count: Int)>((false, nil, 0))

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      completionHandler(.allow)
      dataTask.endWithoutRest()
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      record.withLock { $0.count += data.count }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      record.withLock { ($0.isComplete, $0.error) = (true, error) }
    }
  }

  /// Whatever would still come: nothing, for a long time or without an end.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      "", "Content-Length: 10\r\n", "Content-Length: 99999999\r\n", "Transfer-Encoding: chunked\r\n",
    ],
    [true, false])
  func aTaskEndsWithoutTheRest(framing: String, onTheLoop: Bool) async throws {
    let delegate = Ending()
    let session =
      onTheLoop
      ? URLSession(configuration: .inMemory, delegate: delegate, executor: .loop)
      : URLSession(configuration: .inMemory, delegate: delegate, delegateQueue: nil)
    origin.script("/silent", .text("HTTP/1.1 200 OK\r\n\(framing)\r\n").then(.hang))
    session.dataTask(with: try #require(URL(string: origin.baseURL + "/silent"))).resume()
    await Eventually.expect("it completes") { delegate.record.withLock { $0.isComplete } }
    #expect(delegate.record.withLock { $0.error } == nil)
    session.invalidateAndCancel()
  }

  @Test func aDataTaskBecomesNoStream() async throws {
    let record = try await run(.becomeStream, "/get")
    let error = try #require(record.error as? URLError)
    #expect(error.code == .unsupportedURL)
    #expect((error.errorUserInfo[NSLocalizedDescriptionKey] as? String)?.contains("becomeStream") == true)
    // The head had come: nobody may conclude that nothing was sent.
    #expect((error.errorUserInfo[NSLocalizedDescriptionKey] as? String)?.contains("not sent") == false)
    #expect(record.pieces.isEmpty)
  }
}
