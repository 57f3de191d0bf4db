// SPDX-License-Identifier: MIT
#if ServiceLifecycle
  import Bluebonnet
  import BluebonnetFoundation
  import BluebonnetLocks
  import BluebonnetOrigin
  import BluebonnetServiceLifecycle
  import BluebonnetTestClock
  import BluebonnetTestNetwork
  import BluebonnetTestSupport
  import Logging
  import ServiceLifecycle
  import ServiceLifecycleTestKit
  import Testing

  @Suite struct SessionServiceTests {
    private let origin = Origin.inMemory()
    private static let reply = Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody".utf8)

    /// A request that the origin has, and does not answer.
    private func begin(_ session: Session, _ path: String = "/slow") async -> DataTask<String> {
      let (origin, count) = (origin, origin.requests.count)
      origin.script(path, .silence)
      let request = session.request(origin.baseURL + path)
      let task = request.serializingString()
      request.resume()
      await Eventually.expect("it has been sent") { origin.requests.count > count }
      return task
    }

    private func answer() {
      for request in origin.requests { _ = origin.interject(Self.reply, on: request.connection) }
    }

    /// The shutdown has begun: no request is taken.
    private func refuses(_ session: Session) async {
      for _ in 0..<Eventually.limit * 200 {
        // An address at which nothing listens: a request that is taken ends at once.
        let error = await session.request("http://nothing.invalid/").serializingData().response.error
        if error?.isSessionInvalidatedError == true { return }
        await Pause.suspend(microseconds: 5000)
      }
      Issue.record("the session takes requests")
    }

    @Test func requestsUnderWayGoOn() async {
      let session = Session(configuration: .patientInMemory)
      await testGracefulShutdown { trigger in
        let service = Task { await SessionService(session).run() }
        let task = await begin(session)
        let early = await session.request(origin.baseURL + "/get").serializingData().response
        #expect(early.error == nil)
        trigger.triggerGracefulShutdown()
        await refuses(session)
        answer()
        #expect(await task.response.value == "body")
        await service.value
      }
      let statistics = await session.statistics
      #expect(statistics.openConnections == 0 && statistics.requestsUnderWay == 0)
    }

    @Test func theRestIsCancelledAtTheDeadline() async {
      let configuration = URLSessionConfiguration.inMemory
      let clock = configuration.stopClock()
      let session = Session(configuration: configuration)
      await testGracefulShutdown { trigger in
        let isOver = Locked(false)
        let service = Task {
          await SessionService(session, deadline: .seconds(10)).run()
          isOver.withLock { $0 = true }
        }
        let task = await begin(session)
        trigger.triggerGracefulShutdown()
        await refuses(session)
        #expect(!isOver.withLock { $0 })
        await clock.advance(by: .seconds(1), until: "the deadline ends it") { isOver.withLock { $0 } }
        #expect(await task.response.error?.isExplicitlyCancelledError == true)
        await service.value
      }
    }

    @Test func cancellingTheTaskCancelsTheRest() async {
      let session = Session(configuration: .patientInMemory)
      let service = Task { await SessionService(session).run() }
      let task = await begin(session)
      service.cancel()
      await service.value
      #expect(await task.response.error?.isExplicitlyCancelledError == true)
      let late = await session.request(origin.baseURL + "/get").serializingData().response
      #expect(late.error?.isSessionInvalidatedError == true)
    }

    @Test func cancellingDuringTheShutdown() async {
      let session = Session(configuration: .patientInMemory)
      await testGracefulShutdown { trigger in
        let service = Task { await SessionService(session, deadline: .seconds(Int64.max)).run() }
        let task = await begin(session)
        trigger.triggerGracefulShutdown()
        await refuses(session)
        service.cancel()
        await service.value
        #expect(await task.response.error?.isExplicitlyCancelledError == true)
      }
    }

    @Test func twice() async {
      let session = Session(configuration: .patientInMemory)
      await testGracefulShutdown { trigger in
        let service = SessionService(session)
        let both = [Task { await service.run() }, Task { await service.run() }]
        let task = await begin(session)
        trigger.triggerGracefulShutdown()
        await refuses(session)
        answer()
        #expect(await task.response.value == "body")
        for one in both { await one.value }
        // And once more, when all is over.
        await service.run()
      }
    }

    /// Services are shut down in reverse order: the one behind still has its session.
    @Test func aServiceThatNeedsTheSession() async throws {
      let session = Session(configuration: .patientInMemory)
      let last = Locked<[Int?]>([])
      let worker = Worker { [origin] in
        let response = await session.request(origin.baseURL + "/get").serializingData().response
        last.withLock { $0.append(response.response?.statusCode) }
      }
      let group = ServiceGroup(
        services: [SessionService(session, deadline: .seconds(600)), worker],
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      let running = Task { try await group.run() }
      await Eventually.expect("it runs") { last.withLock { $0.count } == 1 }
      await group.triggerGracefulShutdown()
      try await running.value
      #expect(last.withLock { $0 } == [200, 200])
      #expect(await session.statistics.openConnections == 0)
    }

    @Test func aGroupThatIsCancelled() async throws {
      let session = Session(configuration: .patientInMemory)
      let group = ServiceGroup(
        services: [SessionService(session)], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      let running = Task { try await group.run() }
      let task = await begin(session)
      running.cancel()
      _ = await running.result
      #expect(await task.response.error?.isExplicitlyCancelledError == true)
    }

    /// An origin that never comes to an end, and one whose body never does.
    @Test func originsThatGoOnForEver() async {
      let configuration = URLSessionConfiguration.inMemory
      let clock = configuration.stopClock()
      let session = Session(configuration: configuration)
      origin.script(
        "/endless",
        ScriptedReply([.bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\nabc".utf8)), .hang]))
      await testGracefulShutdown { trigger in
        let isOver = Locked(false)
        let service = Task {
          await SessionService(session, deadline: .seconds(1)).run()
          isOver.withLock { $0 = true }
        }
        let silent = await begin(session)
        let endless = session.request(origin.baseURL + "/endless")
        let body = endless.serializingData()
        endless.resume()
        await Eventually.expect("both have been sent") { [origin] in origin.requests.count == 2 }
        trigger.triggerGracefulShutdown()
        await refuses(session)
        await clock.advance(by: .seconds(1), until: "the deadline ends it") { isOver.withLock { $0 } }
        #expect(await silent.response.error != nil)
        #expect(await body.response.error?.isExplicitlyCancelledError == true)
        await service.value
      }
    }

    @Test func aThousandUnderWay() async {
      let session = Session(configuration: .patientInMemory)
      let responses = Locked(0)
      await testGracefulShutdown { trigger in
        let service = Task { await SessionService(session).run() }
        var tasks: [DataTask<Data>] = []
        for _ in 0..<1000 {
          let request = session.request(origin.baseURL + "/get")
          tasks.append(request.serializingData())
          request.resume()
        }
        trigger.triggerGracefulShutdown()
        await service.value
        for task in tasks {
          let response = await task.response
          // Each has its end: its response, or the refusal of one that came too late.
          if response.error == nil {
            responses.withLock { $0 += 1 }
          } else {
            #expect(response.error?.isSessionInvalidatedError == true)
          }
        }
      }
      #expect(responses.withLock { $0 } == origin.requests.count)
      #expect(await session.statistics.requestsUnderWay == 0)
    }
  }

  /// Works once when it begins, and once more when it is told to end.
  private struct Worker: Service {
    let work: @Sendable () async -> Void

    func run() async throws {
      await work()
      try await gracefulShutdown()
      await work()
    }
  }
#endif
