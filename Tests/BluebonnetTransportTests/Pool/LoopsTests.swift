// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetOrigin
import BluebonnetTLS
import BluebonnetTestSupport
import Testing

@testable import BluebonnetTransport

/// Two loops in one process have nothing to do with each other.
@Suite struct LoopsTests {
  /// The job ends when all requests on the other loop have ended: were there any way from one loop to the other, it would
  /// not.
  @Test func aJobOnOneLoopKeepsNobodyOnTheOther() async throws {
    let origin = try Origin.start()
    let busy = EventLoop(name: "busy")
    let free = EventLoop(name: "free")
    defer {
      busy.stop()
      free.stop()
    }
    let pools = [busy, free].map { loop in
      ConnectionPool(configuration: .init(tls: TLSClientConfiguration()), loop: loop)
    }
    defer { for pool in pools { pool.loop.withLoop { pool.invalidate() } } }
    let ended = Signal()
    let (outcome, answer) = AsyncStream.makeStream(of: Bool.self)
    let started = Signal()
    busy.enqueue {
      started.raise()
      answer.yield(ended.wait(for: 100, seconds: 60))
    }
    #expect(started.wait())
    // Waits behind the job.
    let late = ExchangeProbe()
    pools[0].loop.enqueue { [pool = pools[0]] in late.exchange(with: origin, path: "/get", in: pool).start() }
    let probes = (0..<100).map { _ in ExchangeProbe { ended.raise() } }
    for probe in probes {
      free.execute { [pool = pools[1]] in probe.exchange(with: origin, path: "/get", in: pool).start() }
    }
    #expect(await outcome.first { _ in true } == true, "all of them end before the job does")
    #expect(probes.allSatisfy { $0.record.status == 200 })
    await Eventually.expect("the busy loop goes on") { late.record.status == 200 }
  }

  /// What is idle elsewhere is closed by a job on its own loop. In a process of its own, where nobody else has anything idle.
  @Test func idleConnectionsOfAnotherLoopAreGivenUp() async throws {
    let server = try ThreadedServer()
    await #expect(processExitsWith: .success) { [port = server.port as UInt16] in
      let loops = [EventLoop(name: "one"), EventLoop(name: "two")]
      let pools = loops.map { ConnectionPool(configuration: .init(tls: TLSClientConfiguration()), loop: $0) }
      await withCheckedContinuation { ended in
        let probe = ExchangeProbe { ended.resume() }
        loops[1].execute { [pool = pools[1]] in
          RequestDriver(.plain(to: port), in: pool, client: probe).start()
        }
      }
      #expect(loops[1].withLoop { pools[1].occupied } == 1)
      for isThere in [true, false] {
        let found = await withCheckedContinuation { (answer: CheckedContinuation<Bool, Never>) in
          loops[0].withLoop {
            let isAsked = pools[0].giveUpIdleOnOtherLoops { found in
              #expect(loops[0].isHeld)
              answer.resume(returning: found)
            }
            #expect(isAsked)
          }
        }
        #expect(found == isThere)
        #expect(loops[1].withLoop { pools[1].occupied } == 0)
      }
    }
  }

  @Test func theFirstYesOrTheLastNoIsTheAnswer() {
    for (answers, expected) in [
      ([false, false, true], [true]), ([true, false, true], [true]), ([false, false, false], [false]),
      ([true, true, true], [true]),
    ] {
      var told: [Bool] = []
      let poll = IdlePoll(asked: 3) { told.append($0) }
      for answer in answers { poll.answered(answer) }
      #expect(told == expected)
    }
  }
}
