// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestClock
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetTransport
import Glibc
import Synchronization
import Testing

@testable import BluebonnetEventLoop
@testable import BluebonnetURLLoading

/// `URLSessionConfiguration.requestLimit`, `requestLimitPerHost` and the wait for a turn, against the origin.
@Suite struct RequestLimitTests {
  let origin: Origin

  init() {
    origin = Origin.inMemory()
    origin.handle("/held") { _ in ScriptedReply([.hang], at: .head) }
  }

  private func url(_ path: String, host: String = "127.0.0.1") throws -> URL {
    try #require(URL(string: "http://\(host):\(origin.port)\(path)"))
  }

  private func session(
    _ limit: Int?, perHost: Int? = nil, _ change: (URLSessionConfiguration) -> Void = { _ in }
  ) -> URLSession {
    let configuration = URLSessionConfiguration.inMemory
    configuration.requestLimit = limit
    configuration.requestLimitPerHost = perHost
    configuration.httpMaximumConnectionsPerHost = 64
    configuration.timeoutIntervalForRequest = 600
    change(configuration)
    return URLSession(configuration: configuration)
  }

  private func paths() -> [String] { origin.requests.map(\.target) }

  /// Begins a request that is not answered, and waits until it is under way.
  private func hold(_ session: URLSession, host: String = "127.0.0.1") async throws -> URLSessionDataTask {
    let count = origin.requests.count
    let task = session.dataTask(with: try url("/held", host: host)) { _, _, _ in }
    task.resume()
    await Eventually.expect("it is under way") { [origin] in origin.requests.count == count + 1 }
    return task
  }

  // MARK: The limits

  @Test func noMoreThanTheLimitAreUnderWay() async throws {
    for (limit, connections) in [(3, 3), (1, 1)] {
      let origin = Origin.inMemory()
      let session = session(limit)
      let url = try #require(URL(string: "http://127.0.0.1:\(origin.port)/delay/0.002"))
      try await withThrowingTaskGroup(of: Int?.self) { group in
        for _ in 0..<60 {
          group.addTask { (try await session.data(from: url).1 as? HTTPURLResponse)?.statusCode }
        }
        for try await status in group { #expect(status == 200) }
      }
      #expect(origin.requests.count == 60)
      // One for each that was ever under way beside others.
      #expect(origin.connectionCount <= connections)
      session.invalidateAndCancel()
    }
  }

  @Test func withoutALimitAllAreUnderWay() async throws {
    let configuration = URLSessionConfiguration.inMemory
    #expect(configuration.requestLimit == nil && configuration.requestLimitPerHost == nil)
    let session = session(nil)
    for _ in 0..<20 { session.dataTask(with: try url("/held")) { _, _, _ in }.resume() }
    await Eventually.expect("all are under way") { [origin] in origin.requests.count == 20 }
    session.invalidateAndCancel()
  }

  @Test func aBusyHostHoldsUpNobodyElse() async throws {
    let session = session(3, perHost: 1)
    let held = try await hold(session)
    let waiting = session.dataTask(with: try url("/get?waiting")) { _, _, _ in }
    waiting.resume()
    for index in 0..<3 {
      let (_, response) = try await session.data(from: try url("/get?\(index)", host: "other.test"))
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }
    #expect(!paths().contains("/get?waiting"))
    #expect(waiting.state == .running)
    held.cancel()
    await Eventually.expect("its turn comes") { waiting.state == .completed }
    #expect(waiting.error == nil && paths().last == "/get?waiting")
    session.invalidateAndCancel()
  }

  /// The host counts, whatever the port.
  @Test func portsOfAHostAreOneHost() async throws {
    let other = Origin.inMemory()
    let session = session(nil, perHost: 1)
    let held = try await hold(session)
    let second = session.dataTask(with: try #require(URL(string: other.baseURL + "/get"))) { _, _, _ in }
    second.resume()
    _ = try await session.data(from: try #require(URL(string: "data:,x")))
    #expect(other.requests.isEmpty)
    held.cancel()
    await Eventually.expect("its turn comes") { second.state == .completed }
    #expect(other.requests.count == 1)
    session.invalidateAndCancel()
  }

  // MARK: The order

  @Test func theMoreUrgentGoFirstAndTheRestInOrder() async throws {
    let session = session(1)
    let held = try await hold(session)
    let order: [(name: String, priority: Float)] = [
      ("1", 0.25), ("2", 0.5), ("3", 0.75), ("4", 0.5), ("5", 0.25), ("6", 0.75), ("7", .nan),
    ]
    var tasks: [URLSessionDataTask] = []
    for (name, priority) in order {
      let task = session.dataTask(with: try url("/anything/\(name)")) { _, _, _ in }
      task.priority = priority
      task.resume()
      tasks.append(task)
    }
    // While it waits.
    tasks[0].priority = 1
    held.cancel()
    await Eventually.expect("all are answered") { [tasks] in tasks.allSatisfy { $0.state == .completed } }
    #expect(Array(paths().dropFirst()) == ["1", "3", "6", "2", "4", "7", "5"].map { "/anything/\($0)" })
    session.invalidateAndCancel()
  }

  /// The same meaning where a connection is waited for.
  @Test func theOrderAtAConnectionFollowsThePriority() async throws {
    let session = session(nil) { $0.httpMaximumConnectionsPerHost = 1 }
    let held = try await hold(session)
    let tasks = try (1...5).map { session.dataTask(with: try url("/anything/\($0)")) { _, _, _ in } }
    for task in tasks { task.resume() }
    tasks[3].priority = 1
    tasks[0].priority = 0
    tasks[0].priority = 0.5
    tasks[1].priority = 0.25
    held.cancel()
    await Eventually.expect("all are answered") { tasks.allSatisfy { $0.state == .completed } }
    #expect(Array(paths().dropFirst()) == ["4", "1", "3", "5", "2"].map { "/anything/\($0)" })
    session.invalidateAndCancel()
  }

  @Test func whoIsSuspendedLetsOthersGoAndKeepsThePlace() async throws {
    let session = session(1)
    let held = try await hold(session)
    let tasks = try (1...4).map { session.dataTask(with: try url("/anything/\($0)")) { _, _, _ in } }
    tasks.forEach { $0.resume() }
    tasks[0].suspend()
    tasks[2].suspend()
    held.cancel()
    await Eventually.expect("the others go") {
      tasks[1].state == .completed && tasks[3].state == .completed
    }
    #expect(Array(paths().dropFirst()) == ["/anything/2", "/anything/4"])
    let blocker = try await hold(session)
    tasks[2].resume()
    tasks[0].resume()
    blocker.cancel()
    await Eventually.expect("they go") { tasks.allSatisfy { $0.state == .completed && $0.error == nil } }
    #expect(Array(paths().suffix(2)) == ["/anything/1", "/anything/3"])
    session.invalidateAndCancel()
  }

  /// What a redirect on the same host leads to goes before those who wait; so does an answer to a challenge.
  @Test func aRedirectGoesOnInItsPlace() async throws {
    let session = session(1, perHost: 1)
    let held = try await hold(session)
    let tasks = try ["/redirect/2", "/anything/later"].map {
      session.dataTask(with: try url($0)) { _, _, _ in }
    }
    tasks.forEach { $0.resume() }
    held.cancel()
    await Eventually.expect("both are answered") { tasks.allSatisfy { $0.state == .completed } }
    #expect(Array(paths().dropFirst()) == ["/redirect/2", "/redirect/1", "/get", "/anything/later"])
    session.invalidateAndCancel()
  }

  /// To another host it goes when that may have one more, and holds up nobody meanwhile.
  @Test func aRedirectToAnotherHostWaitsThere() async throws {
    let session = session(2, perHost: 1)
    let held = try await hold(session, host: "other.test")
    let port = origin.port
    origin.handle("/away") { _ in
      .response(
        status: 302, reason: "Found", fields: [(name: "Location", value: "http://other.test:\(port)/get")],
        body: [])
    }
    let task = session.dataTask(with: try url("/away")) { _, _, _ in }
    task.resume()
    await Eventually.expect("it is sent away") { task.currentRequest?.url?.host() == "other.test" }
    // One of the two places is free, and so is the host.
    _ = try await session.data(from: try url("/get?between"))
    #expect(task.state == .running)
    held.cancel()
    await Eventually.expect("it is answered") { task.state == .completed }
    #expect(task.error == nil && (task.response as? HTTPURLResponse)?.statusCode == 200)
    #expect(paths().last == "/get")
    session.invalidateAndCancel()
  }

  // MARK: The wait

  @Test func whoIsCancelledLeavesAtOnce() async throws {
    let session = session(1)
    let held = try await hold(session)
    let tasks = try (0..<1_000).map { session.dataTask(with: try url("/anything/\($0)")) { _, _, _ in } }
    tasks.forEach { $0.resume() }
    let last = session.dataTask(with: try url("/get?last")) { _, _, _ in }
    last.resume()
    tasks.forEach { $0.cancel() }
    await Eventually.expect("all have ended") { tasks.allSatisfy { $0.state == .completed } }
    #expect(tasks.allSatisfy { ($0.error as? URLError)?.code == .cancelled })
    #expect(held.state == .running)
    held.cancel()
    await Eventually.expect("the last one goes") { last.state == .completed }
    #expect(paths() == ["/held", "/get?last"], "Nothing of the others was sent.")
    session.invalidateAndCancel()
  }

  @Test func theWaitHasALimitOfItsOwn() async throws {
    for (limit, perHost, words) in [
      (1 as Int?, nil as Int?, "as many requests of the session are under way as may be, 1 (requestLimit)"),
      (
        nil, 1, "as many requests to 127.0.0.1 are under way as may be, 1 (requestLimitPerHost)"
      ),
    ] {
      var clock: EventLoop?
      let session = session(limit, perHost: perHost) {
        $0.timeoutIntervalForWaiting = 0.125
        clock = $0.stopClock()
      }
      let held = try await hold(session)
      let count = origin.requests.count
      let url = try url("/get")
      let waiting = Locked<(any Error)?>(nil)
      let task = session.dataTask(with: url) { _, _, error in waiting.withLock { $0 = error } }
      task.resume()
      clock?.advance(by: .microseconds(124_999))
      #expect(task.state == .running)
      clock?.advance(by: .microseconds(1))
      await Eventually.expect("it ends") { waiting.withLock { $0 } != nil }
      let error = try #require(waiting.withLock { $0 } as? URLError)
      #expect(error.code == .timedOut)
      #expect(error.loadingPhase == .waitingForTurn)
      #expect(error.loadingFault == .local)
      #expect(error.transportFailure == nil, "The network had no part in it.")
      #expect(
        error.localizedDescription
          == "GET http://127.0.0.1:\(origin.port)/get timed out while waiting for its turn: "
          + "it was not its turn for 0.125 s (timeoutIntervalForWaiting); \(words).")
      #expect(origin.requests.count == count)
      #expect(held.state == .running)
      // Who is under way has gone when the next one comes, so that does not wait.
      held.cancel()
      await Eventually.expect("it ends") { held.state == .completed }
      #expect((try await session.data(from: url).1 as? HTTPURLResponse)?.statusCode == 200)
      session.invalidateAndCancel()
    }
  }

  /// The request's own time-out is for silence on the network.
  @Test func theTimeoutForSilenceDoesNotCountWhileWaiting() async throws {
    var clock: EventLoop?
    let session = session(1) { clock = $0.stopClock() }
    let held = try await hold(session)
    var request = URLRequest(url: try url("/get"))
    request.timeoutInterval = 0.05
    let task = session.dataTask(with: request) { _, _, _ in }
    task.resume()
    let other = session.dataTask(with: request) { _, _, _ in }
    other.earliestBeginDate = Date(timeIntervalSinceNow: 0.2)
    other.priority = 1
    other.resume()
    for _ in 0..<100 { clock?.advance(by: .seconds(1)) }
    #expect(task.state == .running && other.state == .running)
    held.cancel()
    await Eventually.expect("they end") { task.state == .completed && other.state == .completed }
    #expect(task.error == nil && other.error == nil)
    session.invalidateAndCancel()
  }

  @Test func whoIsSuspendedDoesNotRunOutOfTime() async throws {
    var clock: EventLoop?
    let session = session(1) {
      $0.timeoutIntervalForWaiting = 0.1
      clock = $0.stopClock()
    }
    let held = try await hold(session)
    let suspended = session.dataTask(with: try url("/get?suspended")) { _, _, _ in }
    suspended.resume()
    suspended.suspend()
    let other = session.dataTask(with: try url("/get")) { _, _, _ in }
    other.resume()
    clock?.advance(by: .seconds(1))
    await Eventually.expect("the other's time is up") { other.state == .completed }
    #expect(other.error != nil && suspended.state == .suspended)
    held.cancel()
    suspended.resume()
    await Eventually.expect("it goes") { suspended.state == .completed }
    #expect(suspended.error == nil)
    session.invalidateAndCancel()
  }

  @Test func theResourceMayRunOutOfTimeInTheQueue() async throws {
    let session = session(1) { $0.timeoutIntervalForResource = 0.2 }
    let held = session.dataTask(with: try url("/held")) { _, _, _ in }
    held.resume()
    // The one before it ends a moment earlier, so its turn may have come; an answer may not.
    let url = try url("/held")
    let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
    #expect(error?.code == .timedOut)
    #expect(error?.loadingPhase != .preparing)
    await Eventually.expect("the other, too") { held.state == .completed }
    session.invalidateAndCancel()
  }

  /// How long it waited is the time between the task and its first transaction.
  @Test func metricsShowTheWait() async throws {
    let delegate = RecordingDelegate()
    let configuration = URLSessionConfiguration.inMemory
    configuration.requestLimit = 1
    let clock = configuration.stopClock()
    let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    let held = session.dataTask(with: try url("/held"))
    held.resume()
    await Eventually.expect("it is under way") { [origin] in origin.requests.count == 1 }
    let task = session.dataTask(with: try url("/get"))
    task.resume()
    clock.advance(by: .seconds(20))
    held.cancel()
    await Eventually.expect("it is answered") {
      task.state == .completed && delegate.record.events.count { $0 == "complete" } == 2
    }
    let metrics = try #require(delegate.record.metrics)
    let fetch = try #require(metrics.transactionMetrics.first?.fetchStartDate)
    // By two clocks, which were read one after the other when the task began.
    #expect(abs(fetch.timeIntervalSince(metrics.taskInterval.start) - 20) < 1)
    session.invalidateAndCancel()
  }

  // MARK: Who has no place

  @Test func whoWaitsForANetworkHasNoPlace() async throws {
    let lookups = Atomic(0)
    let session = session(1) {
      $0.waitsForConnectivity = true
      $0.firstConnectivityPause = 3_600_000_000_000
      $0.dial = { route, loop in
        guard route.host == "a.test" else { return MemoryNetwork.dial(route, on: loop) }
        lookups.add(1, ordering: .relaxed)
        return .failed(.unresolved(LookupFailure(host: route.host, code: EAI_AGAIN, errno: 0)))
      }
    }
    let waiting = session.dataTask(with: try url("/get", host: "a.test")) { _, _, _ in }
    waiting.resume()
    await Eventually.expect("it has looked") { lookups.load(ordering: .relaxed) == 1 }
    #expect((try await session.data(from: try url("/get")).1 as? HTTPURLResponse)?.statusCode == 200)
    #expect(waiting.state == .running)
    session.invalidateAndCancel()
  }

  @Test func anOpenWebSocketHasNoPlace() async throws {
    let session = session(1)
    let socket = session.webSocketTask(with: try url("/websocket/echo"))
    socket.resume()
    try await socket.send(.string("before"))
    _ = try await socket.receive()
    #expect((try await session.data(from: try url("/get")).1 as? HTTPURLResponse)?.statusCode == 200)
    socket.cancel(with: .normalClosure, reason: nil)
    session.invalidateAndCancel()
  }

  @Test func anInvalidSessionStillServesWhoWaits() async throws {
    let session = session(1)
    let tasks = try (0..<10).map { session.dataTask(with: try url("/anything/\($0)")) { _, _, _ in } }
    tasks.forEach { $0.resume() }
    session.finishTasksAndInvalidate()
    await Eventually.expect("all are answered") { tasks.allSatisfy { $0.state == .completed } }
    #expect(tasks.allSatisfy { $0.error == nil })
  }

  // MARK: Many at once

  /// Threads begin, suspend, resume, cancel and hurry: nothing is lost, and no more than the limit are under way.
  @Test(arguments: 0..<100) func manyThreadsAtOnce(seed: Int) async throws {
    let session = session(3, perHost: 2)
    let hosts = ["127.0.0.1", "a.test", "b.test"]
    let urls = try hosts.map { try url("/get", host: $0) }
    let tasks = await withTaskGroup(of: [URLSessionDataTask].self) { group in
      for worker in 0..<4 {
        group.addTask {
          var random = SeededGenerator(seed: UInt64(seed * 10 + worker + 1))
          var tasks: [URLSessionDataTask] = []
          for _ in 0..<15 {
            let url = urls[Int.random(in: 0..<urls.count, using: &random)]
            let task = session.dataTask(with: url) { _, _, _ in }
            task.priority = Float.random(in: 0...1, using: &random)
            tasks.append(task)
            task.resume()
            guard let other = tasks.randomElement(using: &random) else { continue }
            switch Int.random(in: 0..<6, using: &random) {
            case 0: other.cancel()
            case 1: other.suspend()
            case 2: other.priority = Float.random(in: 0...1, using: &random)
            default: break
            }
          }
          for task in tasks { while task.state == .suspended { task.resume() } }
          return tasks
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    await Eventually.expect("all have ended") { tasks.allSatisfy { $0.state == .completed } }
    #expect(tasks.allSatisfy { $0.error == nil || ($0.error as? URLError)?.code == .cancelled })
    // Nobody has left a place taken.
    for url in urls {
      for _ in 0..<2 {
        #expect((try await session.data(from: url).1 as? HTTPURLResponse)?.statusCode == 200)
      }
    }
    session.invalidateAndCancel()
  }
}
