// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetLocks
import BluebonnetTLS
import BluebonnetTestSupport
import Dispatch
import Glibc
import Testing

@testable import BluebonnetTransport

/// Few file descriptors, in processes of their own.
@Suite struct DescriptorTests {
  /// The number of `rt_sigsuspend` (syscalls(2)), which is a macro that Swift does not see.
  #if arch(x86_64)
    private static let sigsuspend = 130
  #else
    private static let sigsuspend = 133
  #endif

  /// Opens descriptors until only `count` are left.
  ///
  /// Dispatch gives back the descriptor of the main queue when the main thread, at a time of its own, has nothing more to
  /// do and waits for signals. Before that, one more would be left in the end.
  ///
  /// - Returns: those that were opened.
  @discardableResult
  private static func leave(_ count: Int) -> [Int32] {
    #expect(Eventually.block { mainThreadIsDone })
    let opened = FewDescriptors.takeAll()
    for number in opened.suffix(count) { close(number) }
    return opened.dropLast(count)
  }

  private static var mainThreadIsDone: Bool {
    guard let file = fopen("/proc/self/task/\(getpid())/syscall", "re") else { return true }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 64)
    return fgets(&line, 64, file) != nil && strtol(line, nil, 10) == sigsuspend
  }

  private static func request(_ host: Int, _ port: UInt16) -> ExchangeRequest {
    var request = ExchangeRequest.plain(to: port, timeouts: Timeouts(everyPhase: 30_000_000_000))
    request.route = Route(isSecure: false, host: "127.0.0.\(host)", port: port)
    return request
  }

  /// Requests to these hosts, each of which keeps its connection when it has one.
  private static func hold(
    _ hosts: ClosedRange<Int>, _ port: UInt16, in pool: ConnectionPool
  ) -> [(driver: RequestDriver, probe: ExchangeProbe)] {
    hosts.map { host in
      let probe = ExchangeProbe(pauses: true)
      return pool.loop.withLoop {
        let driver = RequestDriver(request(host, port), in: pool, client: probe)
        driver.start()
        return (driver, probe)
      }
    }
  }

  private static func run(_ requests: [ExchangeRequest], in pool: ConnectionPool) -> [ExchangeProbe.Record] {
    let ended = Signal()
    let probes = requests.map { request in
      let probe = ExchangeProbe { ended.raise() }
      pool.loop.execute { RequestDriver(request, in: pool, client: probe).start() }
      return probe
    }
    _ = ended.wait(for: requests.count, seconds: 60)
    return probes.map(\.record)
  }

  @Test func manyHostsOneAfterTheOther() async throws {
    let server = try ThreadedServer()
    await #expect(processExitsWith: .success) { [port = server.port as UInt16] in
      FewDescriptors.begin(64)
      let pool = ConnectionPool(configuration: .evaluated)
      for host in 1...200 {
        let record = DescriptorTests.run([DescriptorTests.request(host, port)], in: pool)[0]
        #expect(record.status == 200, "\(host): \(String(describing: record.error))")
      }
    }
  }

  /// Somebody else has nearly all of them, which no limit of ours could know.
  @Test(arguments: [1, 2, 5]) func whereNearlyNoneAreLeft(count: Int) async throws {
    let server = try ThreadedServer()
    await #expect(processExitsWith: .success) { [port = server.port as UInt16, count = count as Int] in
      FewDescriptors.begin(128)
      let pool = ConnectionPool(configuration: .evaluated)
      // The loop's own descriptors.
      _ = pool.loop.isHeld
      DescriptorTests.leave(count)
      for host in 1...50 {
        let record = DescriptorTests.run([DescriptorTests.request(host, port)], in: pool)[0]
        #expect(record.status == 200, "\(host): \(String(describing: record.error))")
      }
      let records = DescriptorTests.run(
        (1...100).map { DescriptorTests.request($0 % 50 + 1, port) }, in: pool)
      for record in records { #expect(record.status == 200, "\(String(describing: record.error))") }
      let occupied = pool.loop.withLoop { pool.occupied }
      #expect(occupied <= count, "\(occupied) connections are open")
    }
  }

  /// What shows that there are descriptors again.
  enum Sign: String, CaseIterable, Sendable {
    case anotherEnds, aWaiterGivesUp, time
  }

  /// Those who wait are served while those who have connections keep them, all of them and not one after the other.
  @Test(arguments: Sign.allCases) func afterAMomentWithoutAny(sign: Sign) async throws {
    let server = try ThreadedServer()
    await #expect(processExitsWith: .success) {
      [port = server.port as UInt16, name = sign.rawValue as String] in
      let sign = try #require(Sign(rawValue: name))
      FewDescriptors.begin(128)
      var configuration = ConnectionPool.Configuration.evaluated
      configuration.descriptorDelay = sign == .time ? 10_000_000 : 600_000_000_000
      let pool = ConnectionPool(configuration: configuration)
      _ = pool.loop.isHeld
      let others = DescriptorTests.leave(2)
      let holders = DescriptorTests.hold(1...2, port, in: pool)
      #expect(Eventually.block { holders.allSatisfy { $0.probe.record.status == 200 } })
      let waiters = DescriptorTests.hold(3...14, port, in: pool)
      #expect(
        Eventually.block {
          pool.loop.withLoop {
            waiters.allSatisfy { if case .waiting = $0.driver.state.stage { true } else { false } }
          }
        })
      for number in others.suffix(60) { close(number) }
      switch sign {
      case .anotherEnds: pool.loop.withLoop { holders[0].driver.release(.caller) }
      case .aWaiterGivesUp: pool.loop.withLoop { waiters[0].driver.cancel() }
      case .time: break
      }
      let served = sign == .aWaiterGivesUp ? waiters.dropFirst() : waiters[...]
      #expect(Eventually.block { served.allSatisfy { $0.probe.record.status == 200 } })
      #expect(!holders[1].probe.record.isComplete && served.allSatisfy { !$0.probe.record.isComplete })
    }
  }

  /// The idle connections of one session are not worth the requests of another, whichever loops they are on.
  @Test(arguments: [false, true]) func whereAnotherSessionHasThem(onLoopsOfTheirOwn: Bool) async throws {
    let server = try ThreadedServer()
    await #expect(processExitsWith: .success) {
      [port = server.port as UInt16, onLoopsOfTheirOwn = onLoopsOfTheirOwn as Bool] in
      FewDescriptors.begin(128)
      let loops = [.shared, onLoopsOfTheirOwn ? EventLoop(name: "other") : .shared]
      let pools = loops.map { ConnectionPool(configuration: .evaluated, loop: $0) }
      DescriptorTests.leave(4)
      for round in 0..<6 {
        let pool = pools[round % 2]
        let records = DescriptorTests.run((1...10).map { DescriptorTests.request($0, port) }, in: pool)
        for record in records { #expect(record.status == 200, "\(String(describing: record.error))") }
      }
    }
  }

  /// Also while a few are left, which are not for connections: idle ones are given up on another loop at once, for as many
  /// requests as there are.
  @Test func theLastFewAreLeftWhereAnotherLoopHasIdleOnes() async throws {
    let server = try ThreadedServer()
    await #expect(processExitsWith: .success) { [port = server.port as UInt16] in
      FewDescriptors.begin(96)
      var configuration = ConnectionPool.Configuration.evaluated
      // Nothing but the other loop's helps.
      configuration.descriptorDelay = 600_000_000_000
      let pools = [EventLoop.shared, EventLoop(name: "other")].map {
        ConnectionPool(configuration: configuration, loop: $0)
      }
      let idle = DescriptorTests.run((1...40).map { DescriptorTests.request($0, port) }, in: pools[1])
      for record in idle { #expect(record.status == 200, "\(String(describing: record.error))") }
      let held = DescriptorTests.hold(1...48, port, in: pools[0])
      #expect(Eventually.block { held.allSatisfy { $0.probe.record.status == 200 } })
      #expect(held.allSatisfy { !$0.probe.record.isComplete })
    }
  }

  /// A loop that does not answer holds nobody up who can wait for a connection in use.
  @Test func anotherLoopIsNotWaitedForWithoutEnd() async throws {
    let server = try ThreadedServer()
    await #expect(processExitsWith: .success) { [port = server.port as UInt16] in
      FewDescriptors.begin(128)
      var configuration = ConnectionPool.Configuration.evaluated
      configuration.descriptorDelay = 10_000_000
      let pools = [EventLoop.shared, EventLoop(name: "other")].map {
        ConnectionPool(configuration: configuration, loop: $0)
      }
      let (pool, busy) = (pools[0], pools[1].loop)
      _ = pool.loop.isHeld
      let isBusy = Locked(false)
      DispatchQueue.global().async {
        busy.withLoop {
          isBusy.withLock { $0 = true }
          while true { Pause.take(microseconds: 1_000_000) }
        }
      }
      #expect(Eventually.block { isBusy.withLock { $0 } })
      DescriptorTests.leave(2)
      let holders = DescriptorTests.hold(1...2, port, in: pool)
      #expect(Eventually.block { holders.allSatisfy { $0.probe.record.status == 200 } })
      let waiters = DescriptorTests.hold(3...6, port, in: pool)
      #expect(
        Eventually.block {
          pool.loop.withLoop {
            waiters.contains { if case .waiting = $0.driver.state.stage { true } else { false } }
          }
        })
      pool.loop.withLoop { holders[0].driver.release(.caller) }
      #expect(Eventually.block { waiters.contains { $0.probe.record.status == 200 } })
    }
  }

  /// How many connections there may be is not settled when a pool is made.
  @Test func theLimitMayBeRaised() async throws {
    let server = try ThreadedServer()
    await #expect(processExitsWith: .success) { [port = server.port as UInt16] in
      FewDescriptors.begin(40, upTo: 256)
      let pool = ConnectionPool(configuration: .evaluated)
      FewDescriptors.allow(256)
      let held = DescriptorTests.hold(1...60, port, in: pool)
      #expect(Eventually.block { held.allSatisfy { $0.probe.record.status == 200 } })
    }
  }

  /// What is dialled in the place of sockets waits for none, however few there are.
  @Test func whatIsDialledTakesNone() async throws {
    await #expect(processExitsWith: .success) {
      FewDescriptors.begin(64)
      let calls = Locked(0)
      var configuration = ConnectionPool.Configuration.evaluated
      configuration.dial = { _, _ in
        calls.withLock { $0 += 1 }
        return .silence
      }
      let pool = ConnectionPool(configuration: configuration)
      _ = pool.loop.isHeld
      DescriptorTests.leave(0)
      _ = DescriptorTests.hold(1...60, 80, in: pool)
      #expect(calls.withLock { $0 } == 60)
    }
  }

  @Test func whereNoneIsLeftTheErrorSaysSo() async throws {
    let server = try ThreadedServer()
    await #expect(processExitsWith: .success) { [port = server.port as UInt16] in
      FewDescriptors.begin(64)
      let pool = ConnectionPool(configuration: .evaluated)
      _ = pool.loop.isHeld
      DescriptorTests.leave(0)
      let records = DescriptorTests.run((1...20).map { DescriptorTests.request($0, port) }, in: pool)
      for record in records {
        guard case .unconnected(let error)? = record.error?.cause else {
          Issue.record("\(record)")
          continue
        }
        #expect(error.isDescriptorShortage)
      }
      #expect(pool.loop.withLoop { pool.occupied } == 0)
    }
  }

  @Test func allDescriptorsAreClosedOnExec() async throws {
    let server = try ThreadedServer()
    await #expect(processExitsWith: .success) { [port = server.port as UInt16] in
      let before = Set((0..<1024).filter { fcntl($0, F_GETFD) >= 0 })
      let pool = ConnectionPool(configuration: .evaluated)
      var request = DescriptorTests.request(1, port)
      #expect(DescriptorTests.run([request], in: pool)[0].status == 200)
      request.route = Route(isSecure: false, host: "localhost", port: port)
      #expect(DescriptorTests.run([request], in: pool)[0].status == 200)
      let added = (0..<1024).filter { fcntl($0, F_GETFD) >= 0 && !before.contains($0) }
      #expect(added.count >= 3, "epoll, eventfd and a socket at least")
      for number in added { #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0) }
    }
  }
}
