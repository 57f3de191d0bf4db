// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Glibc
import Synchronization
import Testing

@testable import BluebonnetEventLoop

extension LiveTests {
  @Suite struct EventLoopJobsTests {
    @Test func sleepingLoopIsTakenByTheCaller() {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      #expect(loop.waitUntilParked())
      let thread = Box<UInt>(0)
      #expect(!loop.isHeld)
      loop.execute {
        #expect(loop.isHeld)
        thread.value = SystemThread.current
      }
      #expect(thread.value == SystemThread.current, "done on this thread, before execute returned")
      #expect(loop.wakeUpsWritten == 0)
    }

    @Test func executeInLoopContextIsInline() {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      let order = Box<[Int]>([])
      let done = Signal()
      loop.enqueue {
        loop.execute {
          order.value.append(1)
          loop.execute { order.value.append(2) }
        }
        order.value.append(3)
        done.raise()
      }
      #expect(done.wait())
      #expect(order.value == [1, 2, 3])
    }

    @Test func enqueueIsNeverInline() {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      let order = Box<[Int]>([])
      let done = Signal()
      loop.execute {
        loop.enqueue {
          order.value.append(2)
          done.raise()
        }
        order.value.append(1)
      }
      #expect(done.wait())
      #expect(order.value == [1, 2])
    }

    @Test func enqueueFromOutsideRunsOnTheLoopsThreadWithOneWakeUp() {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      #expect(loop.waitUntilParked())
      let thread = Box<UInt>(0)
      let done = Signal()
      loop.enqueue {
        thread.value = SystemThread.current
        done.raise()
      }
      #expect(done.wait())
      #expect(thread.value != SystemThread.current)
      #expect(loop.wakeUpsWritten == 1)
    }

    /// While the loop's thread is busy nothing wakes it: it looks into the mailbox before it sleeps.
    @Test func jobsForABusyLoopCostNoWakeUp() {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      let started = Signal()
      let release = Signal()
      let done = Signal()
      loop.enqueue {
        started.raise()
        _ = release.wait()
      }
      #expect(started.wait())
      let before = loop.wakeUpsWritten
      for _ in 0..<1_000 {
        loop.execute { done.raise() }
        loop.enqueue { done.raise() }
      }
      release.raise()
      #expect(done.wait(for: 2_000))
      #expect(loop.wakeUpsWritten == before)
    }

    /// Jobs that arrive while another thread visits the sleeping loop are done by the visitor, not left lying.
    @Test func visitorDoesJobsThatArriveMeanwhile() throws {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      #expect(loop.waitUntilParked())
      let inside = Signal()
      let release = Signal()
      let done = Signal()
      let visitor = try SystemThread.start(name: "visitor") {
        loop.execute {
          inside.raise()
          _ = release.wait()
        }
      }
      #expect(inside.wait())
      loop.execute { done.raise() }
      release.raise()
      #expect(done.wait())
      visitor.join()
      #expect(loop.wakeUpsWritten == 0)
    }

    /// A job that finds the loop taken, and the loop free by the time it is in the mailbox, has missed the last holder's
    /// look: its own thread has to do it. The test plays that holder with bare hands.
    @Test func jobThatMissesTheHoldersLookIsDoneByItsOwnThread() throws {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      #expect(loop.waitUntilParked())
      loop.ownership.lock()
      loop.mailboxMutex.lock()
      let done = Signal()
      let visitor = try SystemThread.start(name: "visitor") { loop.execute { done.raise() } }
      // Mostly long enough for the visitor to be turned away and to wait for the mailbox; otherwise the test shows less.
      Pause.take(microseconds: 50_000)
      loop.ownership.unlock()
      loop.mailboxMutex.unlock()
      #expect(done.wait())
      visitor.join()
    }

    /// A job that waits in the mailbox of a sleeping loop goes before one that is brought later.
    @Test func visitorDoesNotOvertake() {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      #expect(loop.waitUntilParked())
      let order = Box<[Int]>([])
      loop.withMailbox { mailbox in mailbox.push { order.value.append(1) } }
      loop.execute { order.value.append(2) }
      #expect(order.value == [1, 2])
    }

    /// A visitor that finds endless work leaves it to the loop's thread.
    @Test func visitIsBounded() {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      #expect(loop.waitUntilParked())
      let caller = SystemThread.current
      let here = Box(0)
      let done = Signal()
      loop.execute {
        for _ in 0..<1_000 {
          loop.enqueue {
            if SystemThread.current == caller { here.value += 1 }
            done.raise()
          }
        }
      }
      #expect(done.wait(for: 1_000))
      #expect(here.value <= EventLoop.jobsPerVisit)
      #expect(loop.wakeUpsWritten <= 1)
    }

    @Test func withLoopAnswers() {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      #expect(loop.withLoop { loop.isHeld })
      #expect(loop.withLoop { loop.withLoop { 7 } } == 7)
      #expect(!loop.isHeld)
    }

    /// Nothing is lost, nothing runs at the same time as something else, and each thread's jobs keep their order.
    @Test(arguments: [2, 8])
    func manyThreads(threadCount: Int) throws {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      let perThread = 5_000
      let last = Box([Int](repeating: -1, count: threadCount))
      let disorder = Box(0)
      let inside = Atomic<Int>(0)
      let overlaps = Atomic<Int>(0)
      let done = Signal()
      let threads = try (0..<threadCount).map { thread in
        try SystemThread.start(name: "hammer") {
          var random = SeededGenerator(seed: UInt64(thread))
          for number in 0..<perThread {
            let job: @Sendable () -> Void = {
              if inside.add(1, ordering: .relaxed).newValue != 1 { overlaps.add(1, ordering: .relaxed) }
              if last.value[thread] != number - 1 { disorder.value += 1 }
              last.value[thread] = number
              inside.subtract(1, ordering: .relaxed)
              done.raise()
            }
            if random.next() % 4 == 0 { loop.enqueue(job) } else { loop.execute(job) }
          }
        }
      }
      for thread in threads { thread.join() }
      #expect(done.wait(for: threadCount * perThread))
      loop.withLoop {
        #expect(last.value == [Int](repeating: perThread - 1, count: threadCount))
        #expect(disorder.value == 0)
      }
      #expect(overlaps.load(ordering: .relaxed) == 0)
    }

    /// One thread at a time against a loop that keeps falling asleep: the window in which a wake-up could get lost.
    @Test func noJobIsLostAtTheEdgeOfSleep() {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      for round in 0..<5_000 {
        let done = Signal()
        if round.isMultiple(of: 2) { loop.enqueue { done.raise() } } else { loop.execute { done.raise() } }
        guard done.wait() else {
          Issue.record("job \(round) was lost")
          return
        }
      }
    }
  }
}
