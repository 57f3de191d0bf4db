// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Glibc
import Synchronization
import Testing

@testable import BluebonnetEventLoop

extension LiveTests {
  /// Loops without a thread of their own.
  @Suite struct EventLoopDrivingTests {
    private let loop = EventLoop(name: "driven", hasThread: false)

    /// Starts threads that each run the body, and waits for their ends.
    private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) throws {
      let threads = try (0..<count).map { number in
        try SystemThread.start(name: "waits") { body(number) }
      }
      for thread in threads { thread.join() }
    }

    @Test func everythingHappensOnTheWaitingThread() {
      defer { loop.stop() }
      let here = SystemThread.current
      let threads = Box<[UInt]>([])
      for _ in 0..<50 {
        let awaited = Awaited(on: loop)
        awaited.wait {
          threads.value.append(SystemThread.current)
          _ = loop.schedule(at: loop.now.adding(.microseconds(100))) { [loop] in
            threads.value.append(SystemThread.current)
            loop.enqueue {
              threads.value.append(SystemThread.current)
              awaited.happen()
            }
          }
        }
      }
      #expect(threads.value == Array(repeating: here, count: 150))
      #expect(loop.wakeUpsWritten == 0, "nobody else had to be woken")
      #expect(!loop.isDriven)
    }

    @Test func handlersAreTold() throws {
      defer { loop.stop() }
      let pair = try SocketPair()
      let handler = Recorder()
      let awaited = Awaited(on: loop)
      // One byte, sent by another thread while this one sleeps, ends the wait.
      let thread = try SystemThread.start(name: "sends") { [right = pair.right.rawValue] in
        Pause.take(microseconds: 1_000)
        var byte: UInt8 = 1
        _ = send(right, &byte, 1, 0)
      }
      let told = Box(false)
      handler.onReady = {
        guard $0.isReadable else { return }
        told.value = true
        awaited.happen()
      }
      awaited.wait {
        #expect(throws: Never.self) { try loop.register(pair.left.rawValue, handler: handler) }
      }
      thread.join()
      #expect(told.value)
    }

    @Test func anotherThreadEndsTheWait() throws {
      defer { loop.stop() }
      for isJob in [false, true] {
        let awaited = Awaited(on: loop)
        let driven = Signal()
        let thread = try SystemThread.start(name: "ends") { [loop] in
          #expect(driven.wait())
          if isJob { loop.execute { awaited.happen() } } else { awaited.happen() }
        }
        awaited.wait {
          #expect(loop.isDriven)
          driven.raise()
        }
        thread.join()
      }
    }

    /// Looks every millisecond whether somebody else waits, too.
    private final class Look: Sendable {
      private let (loop, signal, end): (EventLoop, Signal, Awaited)

      init(_ loop: EventLoop, _ signal: Signal, _ end: Awaited) {
        (self.loop, self.signal, self.end) = (loop, signal, end)
      }

      func again() {
        if signal.wait(for: 1, seconds: 0) { return end.happen() }
        _ = loop.schedule(at: loop.now.adding(.milliseconds(1))) { self.again() }
      }
    }

    /// The driver leaves first, and the other one takes its seat.
    @Test(arguments: 0..<20) func theNextOneTakesOver(round: Int) throws {
      defer { loop.stop() }
      let (first, second) = (Awaited(on: loop), Awaited(on: loop))
      let bothWait = Signal()
      let thread = try SystemThread.start(name: "second") { [loop] in
        second.wait {
          loop.execute {
            bothWait.raise()
            // Far behind the first one's end.
            _ = loop.schedule(at: loop.now.adding(.milliseconds(20))) { second.happen() }
          }
        }
      }
      // This one may come second: then it is not in loop context yet.
      first.wait { loop.execute { [loop] in Look(loop, bothWait, first).again() } }
      thread.join()
      #expect(second.hasHappened && !loop.isDriven)
    }

    @Test func manyThreadsWaitForManyThings() throws {
      defer { loop.stop() }
      let count = Box(0)
      try onThreads(8) { [loop] number in
        for turn in 0..<200 {
          let awaited = Awaited(on: loop)
          awaited.wait {
            loop.execute {
              let delay = Duration.microseconds((number * 37 + turn * 11) % 300)
              _ = loop.schedule(at: loop.now.adding(delay)) {
                count.value += 1
                awaited.happen()
              }
            }
          }
        }
      }
      #expect(loop.withLoop { count.value } == 1_600)
    }

    @Test func betweenWaitsJobsAreDoneAndTimersRest() {
      defer { loop.stop() }
      let log = Box<[String]>([])
      loop.execute { [loop] in
        log.value.append("at once")
        _ = loop.schedule(at: loop.now) { log.value.append("timer") }
        loop.enqueue { log.value.append("by who lets go") }
      }
      #expect(log.value == ["at once", "by who lets go"])
      loop.enqueue { log.value.append("by the next one") }
      #expect(log.value.count == 2)
      loop.execute { log.value.append("next") }
      #expect(log.value.suffix(2) == ["by the next one", "next"])
      let awaited = Awaited(on: loop)
      awaited.wait { loop.enqueue { [loop] in loop.enqueue { awaited.happen() } } }
      #expect(log.value.last == "timer")
    }

    /// What had come before its time was over has come in time, though nobody looked.
    @Test func whatHasComeGoesBeforeTimersThatAreOver() throws {
      defer { loop.stop() }
      let pair = try SocketPair()
      let handler = Recorder()
      let log = Box<[String]>([])
      handler.onReady = { if $0.isReadable { log.value.append("bytes") } }
      let (first, second) = (Awaited(on: loop), Awaited(on: loop))
      let end = loop.instant.adding(.milliseconds(20))
      first.wait {
        #expect(throws: Never.self) { try loop.register(pair.left.rawValue, handler: handler) }
        _ = loop.schedule(at: end) { log.value.append("timer") }
        first.happen()
      }
      var byte: UInt8 = 1
      _ = send(pair.right.rawValue, &byte, 1, 0)
      #expect(Eventually.block { loop.instant > end })
      second.wait { loop.enqueue { second.happen() } }
      #expect(log.value == ["bytes", "timer"])
    }

    /// The next driver does not wait until a task that yields again and again has ended.
    @Test func whoLeavesIsNotKept() throws {
      defer { loop.stop() }
      let isOver = Atomic(false)
      let first = Awaited(on: loop)
      @Sendable func goOn() {
        if !isOver.load(ordering: .relaxed) { loop.enqueue { goOn() } }
      }
      first.wait {
        goOn()
        first.happen()
      }
      let second = Awaited(on: loop)
      second.wait {
        _ = loop.schedule(at: loop.now.adding(.milliseconds(1))) {
          isOver.store(true, ordering: .relaxed)
          second.happen()
        }
      }
      #expect(second.hasHappened)
    }

    @Test func onlyALoopWithAThreadGoesByItself() {
      #expect(!loop.goesByItself && !loop.firesTimers)
      let awaited = Awaited(on: loop)
      awaited.wait {
        #expect(!loop.goesByItself && loop.firesTimers)
        awaited.happen()
      }
      loop.stop()
      let own = EventLoop(name: "test")
      #expect(own.goesByItself && own.firesTimers)
      own.stop()
      #expect(!own.goesByItself && !own.firesTimers)
    }

    @Test func aStoppedLoopIsNotDriven() throws {
      let awaited = Awaited(on: loop)
      let thread = try SystemThread.start(name: "stops") { [loop] in
        Pause.take(microseconds: 2_000)
        loop.stop()
        // Whoever waits is not forgotten.
        Pause.take(microseconds: 2_000)
        awaited.happen()
      }
      awaited.wait {}
      thread.join()
      #expect(throws: SystemError.self) {
        try loop.withLoop { () throws(SystemError) in _ = try loop.register(0, handler: Recorder()) }
      }
      let later = Awaited(on: loop)
      later.wait { loop.enqueue { later.happen() } }
      #expect(later.hasHappened)
    }

    @Test func leavesNoDescriptorBehind() async {
      await #expect(processExitsWith: .success) {
        let before = openDescriptors()
        for _ in 0..<descriptorRounds {
          let loop = EventLoop(name: "test", hasThread: false)
          let awaited = Awaited(on: loop)
          awaited.wait { awaited.happen() }
          loop.stopLater()
          loop.stop()
        }
        #expect(openDescriptors() < before + descriptorRounds)
      }
    }

    @Test func whoRunsTheLoopDoesNotWaitForItself() async {
      await #expect(processExitsWith: .failure) {
        let loop = EventLoop(name: "test", hasThread: false)
        let outer = Awaited(on: loop)
        outer.wait { Awaited(on: loop).wait {} }
      }
    }

    @Test func withAThreadOfItsOwnTheLoopIsOnlyWaitedFor() {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      #expect(loop.isDriven)
      let awaited = Awaited(on: loop)
      awaited.wait { loop.enqueue { awaited.happen() } }
      #expect(awaited.hasHappened)
    }
  }
}
