// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Glibc
import Testing

/// Programs without Swift tasks: whoever waits drives the loop.
@Suite struct BlockingWaitTests {
  private let origin: Origin

  init() throws { origin = Origin.inMemory() }

  private func url(_ path: String) throws -> URL { try #require(URL(string: origin.baseURL + path)) }

  /// - Parameter isDriven: The loop has no thread of its own.
  private func makeSession(isDriven: Bool = true, _ change: (URLSessionConfiguration) -> Void = { _ in })
    -> URLSession
  {
    let configuration = URLSessionConfiguration.inMemory
    configuration.eventLoop = isDriven ? .drivenByCallers(name: "waiting") : .init(name: "threaded")
    change(configuration)
    return URLSession(configuration: configuration)
  }

  @Test(arguments: [true, false]) func requestsOneAfterTheOther(isDriven: Bool) throws {
    let (session, url) = (makeSession(isDriven: isDriven), try url("/get"))
    for _ in 0..<200 {
      let (data, response) = try session.dataTask(with: url).wait()
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
      #expect(!data.isEmpty)
    }
    #expect(origin.connectionCount == 1)
  }

  @Test(arguments: [true, false]) func bodiesBothWays(isDriven: Bool) throws {
    let session = makeSession(isDriven: isDriven)
    let body = Data([UInt8](cycling: 3_000_000))
    var request = URLRequest(url: try url("/post"))
    request.httpMethod = "POST"
    let (_, response) = try session.uploadTask(with: request, from: body).wait()
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    #expect(origin.requests.last.map { Data($0.body) } == body)
    let (file, _) = try session.downloadTask(with: try url("/bytes/100000")).wait()
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try Data(contentsOf: file).count == 100_000)
  }

  @Test func failuresAreThrown() throws {
    let session = makeSession { $0.timeoutIntervalForRequest = 0.2 }
    var error = try #require(throws: URLError.self) {
      _ = try session.dataTask(with: try url("/delay/10")).wait()
    }
    #expect(error.code == .timedOut)
    let gone = try #require(URL(string: "http://127.0.0.1:1/"))
    error = try #require(throws: URLError.self) { _ = try session.dataTask(with: gone).wait() }
    #expect(error.code == .cannotConnectToHost)
    error = try #require(throws: URLError.self) { _ = try session.downloadTask(with: gone).wait() }
    #expect(error.code == .cannotConnectToHost)
    // The next request is none the worse for it.
    _ = try session.dataTask(with: try url("/get")).wait()
  }

  @Test(arguments: [true, false]) func anotherThreadCancels(isDriven: Bool) throws {
    origin.script("/silent", ScriptedReply([.hang]))
    let task = makeSession(isDriven: isDriven).dataTask(with: try url("/silent"))
    let canceller = DispatchQueue(label: "cancels")
    canceller.async { [origin] in
      _ = Eventually.block { !origin.requests.isEmpty }
      task.cancel()
    }
    let error = try #require(throws: URLError.self) { _ = try task.wait() }
    #expect(error.code == .cancelled)
  }

  @Test func whatCannotBeWaitedForIsRefused() throws {
    let session = makeSession()
    let handled = session.dataTask(with: try url("/get")) { _, _, _ in }
    var error = try #require(throws: URLError.self) { _ = try handled.wait() }
    #expect("\(error)".contains("completion handler"))
    handled.cancel()
    let begun = session.dataTask(with: try url("/get"))
    begun.resume()
    #expect(throws: URLError.self) { try begun.wait() }
    let task = session.dataTask(with: try url("/get"))
    _ = try task.wait()
    error = try #require(throws: URLError.self) { _ = try task.wait() }
    #expect(error.code == .cancelled)
    let cancelled = session.dataTask(with: try url("/get"))
    cancelled.cancel()
    error = try #require(throws: URLError.self) { _ = try cancelled.wait() }
    #expect(error.code == .cancelled)
  }

  /// Nobody would ever look after it.
  @Test func whatNobodyDrivesFails() async throws {
    let (session, url) = (makeSession(), try url("/get"))
    let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
    #expect(error.map { "\($0)" }?.contains("is not running") == true)
    // Not the network's fault, and nothing to try again for.
    #expect(error?.code == .resourceUnavailable && error?.loadingFault == .caller)
    let delayed = session.dataTask(with: url)
    delayed.earliestBeginDate = Date(timeIntervalSinceNow: 0.05)
    delayed.resume()
    await Eventually.expect("the delayed one fails, too") { delayed.state == .completed }
    #expect(delayed.error.map { "\($0)" }?.contains("is not running") == true)
    #expect(origin.requests.isEmpty)
  }

  /// One of them gets it, and the other one is told.
  @Test(arguments: 0..<20) func twoDoNotWaitForOneTask(round: Int) throws {
    let task = makeSession().dataTask(with: try url("/get"))
    let outcomes = Locked<[Bool]>([])
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      let isMine = (try? task.wait()) != nil
      outcomes.withLock { $0.append(isMine) }
    }
    #expect(outcomes.withLock { $0.filter { $0 }.count } == 1)
  }

  /// The delegate queue is not needed where nobody is to be told there.
  @Test func aBusyDelegateQueueIsNotWaitedFor() throws {
    let configuration = URLSessionConfiguration.inMemory
    configuration.eventLoop = .drivenByCallers(name: "waiting")
    let queue = OperationQueue()
    queue.isSuspended = true
    let session = URLSession(configuration: configuration, delegate: nil, delegateQueue: queue)
    #expect(try session.dataTask(with: try url("/bytes/10")).wait().0.count == 10)
    let (file, _) = try session.downloadTask(with: try url("/bytes/10")).wait()
    try FileManager.default.removeItem(at: file)
  }

  @Test(arguments: [true, false]) func threadsMayShareASession(isDriven: Bool) throws {
    let (session, url) = (makeSession(isDriven: isDriven), try url("/get"))
    let statuses = Locked<[Int?]>([])
    let queue = DispatchQueue(label: "share", attributes: .concurrent)
    let group = DispatchGroup()
    for _ in 0..<6 {
      queue.async(group: group) {
        for _ in 0..<50 {
          let response = try? session.dataTask(with: url).wait().1
          statuses.withLock { $0.append((response as? HTTPURLResponse)?.statusCode) }
        }
      }
    }
    group.wait()
    #expect(statuses.withLock { $0 } == Array(repeating: 200, count: 300))
  }

  @Test func aConnectionThatEndedMeanwhileIsNotUsed() throws {
    // The server says nothing of it, and nobody looks until the next request.
    let reply = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK".utf8)
    origin.script("/bye", ScriptedReply([.bytes(reply), .close]))
    let (session, url) = (makeSession(), try url("/bye"))
    for round in 1...5 {
      _ = try session.dataTask(with: url).wait()
      #expect(origin.connectionCount == round)
      #expect(Eventually.block { origin.openConnections == 0 })
    }
  }

  @Test func connectionsCloseWithTheirSession() async throws {
    func once() throws { _ = try makeSession().dataTask(with: try url("/get")).wait() }
    try once()
    await Eventually.expect("its connection is closed") { [origin] in origin.openConnections == 0 }
  }

  /// The delegate hears all of it before the wait is over, or at least in order, on its queue.
  @Test func delegatesAreToldAsEver() throws {
    // Unchecked: a constant.
    final class Ear: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
      let isMeasured = Locked(false)
      func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
      ) {
        isMeasured.withLock { $0 = true }
      }
    }
    let (session, url) = (makeSession(), try url("/get"))
    for _ in 0..<50 {
      let ear = Ear()
      let task = session.dataTask(with: url)
      task.delegate = ear
      _ = try task.wait()
      #expect(ear.isMeasured.withLock { $0 })
    }
  }

  // MARK: Bodies that are tasks

  @Test(arguments: [true, false]) func aTaskRunsOnTheLoop(isDriven: Bool) throws {
    let loop = isDriven ? URLSessionConfiguration.EventLoop.drivenByCallers(name: "run") : .init(name: "run")
    let configuration = URLSessionConfiguration.inMemory
    configuration.eventLoop = loop
    let session = URLSession(configuration: configuration)
    let url = try url("/get")
    let statuses = try loop.run {
      try await withThrowingTaskGroup(of: Int?.self) { group in
        for _ in 0..<20 {
          group.addTask { (try await session.data(from: url).1 as? HTTPURLResponse)?.statusCode }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
    }
    #expect(statuses == Array(repeating: 200, count: 20))
  }

  @Test func aTasksErrorIsThrown() {
    struct Mishap: Error, Equatable {}
    let loop = URLSessionConfiguration.EventLoop.drivenByCallers(name: "run")
    #expect(throws: Mishap()) {
      try loop.run { () async throws(Mishap) in
        await Task.yield()
        throw Mishap()
      }
    }
    #expect(loop.run { 42 } == 42)
  }

  /// On a thread of its own: the other executor may have as few as two, and what it waits for needs one of them.
  @Test func sleepsAndOtherExecutorsAreLeftAndComeBackFrom() async throws {
    let loop = URLSessionConfiguration.EventLoop.drivenByCallers(name: "run")
    let sum = try await detached {
      loop.run {
        await Pause.suspend(microseconds: 5000)
        return await Task.detached { 40 }.value + 2
      }
    }
    #expect(sum == 42)
  }
}
