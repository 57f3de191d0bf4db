// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetURLLoading
import BluebonnetLocks
import Testing

@Suite struct CallbackExecutorTests {
  private static func executors() -> [CallbackExecutor] {
    let operations = OperationQueue()
    operations.maxConcurrentOperationCount = 1
    return [.loop, .queue(DispatchQueue(label: "executor")), .operations(operations)]
  }

  @Test(arguments: [0, 1, 2]) func stepsRunInOrder(_ index: Int) async {
    let executor = Self.executors()[index]
    let seen = Locked<[Int]>([])
    let all = await withCheckedContinuation { continuation in
      for step in 0..<100 {
        executor.async {
          let result = seen.withLock { seen in
            seen.append(step)
            return seen
          }
          if step == 99 { continuation.resume(returning: result) }
        }
      }
    }
    #expect(all == Array(0..<100))
  }

  @Test func onTheLoopRunIsAtOnceAndAsyncLater() async {
    let order = await withCheckedContinuation { (continuation: CheckedContinuation<[String], Never>) in
      CallbackExecutor.loop.run {
        let held = EventLoop.shared.isHeld
        let seen = Box()
        CallbackExecutor.loop.async {
          seen.add("later")
          continuation.resume(returning: seen.all)
        }
        CallbackExecutor.loop.run { seen.add("at once") }
        seen.add(held ? "held" : "elsewhere")
      }
    }
    #expect(order == ["at once", "held", "later"])
  }

  @Test func aLoopOfItsOwnRunsItsSteps() async {
    let loop = EventLoop(name: "test")
    defer { loop.stop() }
    let isHeld = await withCheckedContinuation { (continuation: CheckedContinuation<[Bool], Never>) in
      CallbackExecutor.loop(loop).async {
        continuation.resume(returning: [loop.isHeld, EventLoop.shared.isHeld])
      }
    }
    #expect(isHeld == [true, false])
  }

  /// A queue of the user's own class.
  private final class Noting: OperationQueue, @unchecked Sendable {
    let calledAsLoop = Locked<[Bool]>([])

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      calledAsLoop.withLock { $0.append(EventLoop.shared.isHeld) }
      super.addOperation(block)
    }
  }

  /// A subclass is the user's code: it is called elsewhere, and in order all the same.
  @Test func aQueueOfTheUsersIsNotCalledAsTheLoop() async {
    let queue = Noting()
    queue.maxConcurrentOperationCount = 1
    let executor = CallbackExecutor.operations(queue)
    let seen = Locked<[Int]>([])
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      CallbackExecutor.loop.async {
        for step in 0..<100 {
          executor.run {
            seen.withLock { $0.append(step) }
            if step == 99 { continuation.resume() }
          }
        }
      }
    }
    #expect(seen.withLock { $0 } == Array(0..<100))
    #expect(queue.calledAsLoop.withLock { $0 } == Array(repeating: false, count: 100))
  }

  private final class Box: Sendable {
    private let words = Locked<[String]>([])
    func add(_ word: String) { words.withLock { $0.append(word) } }
    var all: [String] { words.withLock { $0 } }
  }
}
