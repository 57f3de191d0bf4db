// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// What a task is told about its load: when to begin, how to deliver, how far it is.
@Suite(.serialized) struct TaskWishesTests {
  let origin: Origin

  init() throws { origin = Origin.inMemory() }

  private func url(_ path: String = "/get") throws -> URL { try #require(URL(string: origin.baseURL + path)) }

  private func start(
    _ delegate: AnsweringDelegate, in seconds: Double
  ) throws -> (session: URLSession, task: URLSessionTask) {
    let session = URLSession(configuration: .inMemory, delegate: delegate, delegateQueue: nil)
    let task = session.dataTask(with: try url())
    task.earliestBeginDate = Date(timeIntervalSinceNow: seconds)
    task.resume()
    return (session, task)
  }

  /// What was decided in order may be carried out in any.
  @Test func resumptionsAndSuspensionsOfAnOwnerCommute() throws {
    let session = URLSession(configuration: .inMemory)
    // The first resumption; then suspended, resumed and suspended and resumed again.
    for late in 0..<2 {
      let task = session.dataTask(with: try url("/delay/10"))
      task.resumeInAnyOrder()
      #expect(task.state == .running)
      task.resumeInAnyOrder()
      if late == 0 { task.resumeInAnyOrder() }
      task.suspend()
      #expect(task.state == .running)
      task.suspend()
      if late == 1 {
        #expect(task.state == .suspended)
        task.resumeInAnyOrder()
      }
      #expect(task.state == .running)
      task.suspend()
      #expect(task.state == .suspended)
      task.resume()
      #expect(task.state == .running)
      // The usual resumption leaves nothing behind.
      task.resume()
      task.suspend()
      #expect(task.state == .suspended)
    }
    session.invalidateAndCancel()
  }

  @Test func aTaskBeginsNoEarlierThanItMay() async throws {
    let delegate = AnsweringDelegate()
    let begin = Date()
    let (session, _) = try start(delegate, in: 0.3)
    await Eventually.expect("it completes") { delegate.record.isComplete }
    #expect(Date().timeIntervalSince(begin) >= 0.29)
    #expect(delegate.record.events.prefix(3) == ["created 1", "delayed", "response"])
    session.invalidateAndCancel()
  }

  /// A date that has passed delays nothing, and nobody is asked.
  @Test func aPastDateDelaysNothing() async throws {
    let delegate = AnsweringDelegate()
    let (session, _) = try start(delegate, in: -5)
    await Eventually.expect("it completes") { delegate.record.isComplete }
    #expect(!delegate.record.events.contains("delayed"))
    session.invalidateAndCancel()
  }

  @Test func aDelayedTaskIsCancelledAtOnce() async throws {
    let delegate = AnsweringDelegate()
    let (session, task) = try start(delegate, in: 3600)
    task.cancel()
    await Eventually.expect("it completes") { delegate.record.isComplete }
    #expect((delegate.record.error as? URLError)?.code == .cancelled)
    #expect(origin.connectionCount == 0)
    session.invalidateAndCancel()
  }

  @Test func theDelegateSendsAnotherRequest() async throws {
    let other = try url("/uuid")
    let delegate = AnsweringDelegate(delayed: { _ in (.useNewRequest, URLRequest(url: other)) })
    let (session, task) = try start(delegate, in: 0.01)
    await Eventually.expect("it completes") { delegate.record.isComplete }
    #expect(origin.requests.map(\.target) == ["/uuid"])
    #expect(task.currentRequest?.url == other)
    session.invalidateAndCancel()
  }

  @Test(arguments: [URLSession.DelayedRequestDisposition.cancel, .useNewRequest])
  func theDelegateSendsNothing(_ disposition: URLSession.DelayedRequestDisposition) async throws {
    let delegate = AnsweringDelegate(delayed: { _ in (disposition, nil) })
    let (session, _) = try start(delegate, in: 0.01)
    await Eventually.expect("it completes") { delegate.record.isComplete }
    #expect((delegate.record.error as? URLError)?.code == .cancelled)
    #expect(origin.connectionCount == 0)
    session.invalidateAndCancel()
  }

  private final class SilentDelegate: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    let codes = Locked<[URLError.Code?]>([])

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
    ) {}

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      codes.withLock { $0.append((error as? URLError)?.code) }
    }
  }

  /// As with any other question, the time for the resource runs while the delegate is asked.
  @Test func aDelegateThatNeverDecides() async throws {
    let configuration = URLSessionConfiguration.inMemory
    configuration.timeoutIntervalForResource = 0.05
    let delegate = SilentDelegate()
    let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    let task = session.dataTask(with: try url())
    task.earliestBeginDate = Date(timeIntervalSinceNow: 0.01)
    task.resume()
    await Eventually.expect("it completes") { delegate.codes.withLock { $0.count } == 1 }
    #expect(delegate.codes.withLock { $0 } == [.timedOut])
    session.invalidateAndCancel()
  }

  /// Whether a body arrives in pieces or as one.
  @Test(arguments: [true, false]) func aBodyIsDeliveredAsPreferred(incrementally: Bool) async throws {
    let delegate = AnsweringDelegate()
    let session = URLSession(configuration: .inMemory, delegate: delegate, delegateQueue: nil)
    let task = session.dataTask(with: try url("/manyBytes/3000000"))
    task.prefersIncrementalDelivery = incrementally
    task.resume()
    await Eventually.expect("it completes") { delegate.record.isComplete }
    #expect(delegate.record.data.count == 3_000_000)
    #expect(incrementally ? delegate.record.pieces.count > 1 : delegate.record.pieces.count == 1)
    #expect(delegate.record.events.last == "complete")
    session.invalidateAndCancel()
  }

  @Test func anEmptyBodyIsNoPiece() async throws {
    let delegate = AnsweringDelegate()
    let session = URLSession(configuration: .inMemory, delegate: delegate, delegateQueue: nil)
    let task = session.dataTask(with: try url("/status/204"))
    task.prefersIncrementalDelivery = false
    task.resume()
    await Eventually.expect("it completes") { delegate.record.isComplete }
    #expect(delegate.record.pieces.isEmpty)
    session.invalidateAndCancel()
  }

  @Test func progressFollowsTheDownload() async throws {
    origin.script("/half", .text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello").then(.hang))
    let session = URLSession(configuration: .inMemory)
    let task = session.dataTask(with: try url("/half")) { _, _, _ in }
    let progress = task.progress
    #expect(progress.fractionCompleted == 0)
    task.resume()
    await Eventually.expect("half of it") { progress.fractionCompleted == 0.5 }
    task.cancel()
    await Eventually.expect("it completes") { task.state == .completed }
    #expect(!progress.isFinished)
    let whole = session.dataTask(with: try url()) { _, _, _ in }
    let complete = whole.progress
    whole.resume()
    await Eventually.expect("all of it") { complete.fractionCompleted == 1 && complete.isFinished }
    // Asked for at the end only, it says the end.
    let late = session.dataTask(with: try url()) { _, _, _ in }
    late.resume()
    await Eventually.expect("it completes") { late.state == .completed }
    #expect(late.progress.fractionCompleted == 1)
    session.invalidateAndCancel()
  }

  /// A body on its way out is the first half, the answer the second.
  @Test func progressFollowsTheUpload() async throws {
    let session = URLSession(configuration: .inMemory)
    let task = session.uploadTask(
      with: URLRequest(url: try url("/silent")), from: Data(count: 100_000)
    ) { _, _, _ in }
    origin.script("/silent", .silence)
    let progress = task.progress
    task.resume()
    await Eventually.expect("the body is sent") { progress.fractionCompleted == 0.5 }
    #expect(!progress.isFinished)
    task.cancel()
    await Eventually.expect("it completes") { task.state == .completed }
    #expect(!progress.isFinished)
    session.invalidateAndCancel()
  }

  @Test func cancellingTheProgressCancelsTheTask() async throws {
    let session = URLSession(configuration: .inMemory)
    let task = session.dataTask(with: try url("/delay/10")) { _, _, _ in }
    let progress = task.progress
    task.resume()
    progress.cancel()
    await Eventually.expect("it completes") { task.state == .completed }
    #expect((task.error as? URLError)?.code == .cancelled)
    session.invalidateAndCancel()
  }

  /// Who waits for a connection is served by priority, and in order where that is equal.
  @Test func theMoreUrgentGoFirst() async throws {
    origin.script("/blocker", .silence)
    let configuration = URLSessionConfiguration.inMemory
    configuration.httpMaximumConnectionsPerHost = 1
    let session = URLSession(configuration: configuration)
    let blocker = session.dataTask(with: try url("/blocker")) { _, _, _ in }
    blocker.resume()
    let origin = origin
    await Eventually.expect("it is under way") { origin.requests.count == 1 }
    let order: [(path: String, priority: Float)] = [
      ("/anything/1", URLSessionTask.lowPriority), ("/anything/2", URLSessionTask.defaultPriority),
      ("/anything/3", URLSessionTask.highPriority), ("/anything/4", URLSessionTask.defaultPriority),
      ("/anything/5", URLSessionTask.lowPriority), ("/anything/6", URLSessionTask.highPriority),
    ]
    for (path, priority) in order {
      let task = session.dataTask(with: try url(path)) { _, _, _ in }
      task.priority = priority
      task.resume()
    }
    blocker.cancel()
    await Eventually.expect("all are answered") { origin.requests.count == 7 }
    #expect(origin.requests.dropFirst().compactMap { $0.target.last } == ["3", "6", "2", "4", "1", "5"])
    session.invalidateAndCancel()
  }
}
