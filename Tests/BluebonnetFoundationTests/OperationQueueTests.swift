// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import Testing

/// What the API needs of `OperationQueue`, whether it is Foundation's or our own.
@Suite struct OperationQueueTests {
  @Test func aSerialQueueKeepsTheOrder() {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let seen = Recorder()
    for step in 0..<200 { queue.addOperation { seen.add(step) } }
    queue.waitUntilAllOperationsAreFinished()
    #expect(seen.all == Array(0..<200))
    #expect(queue.operationCount == 0)
  }

  @Test func aSuspendedQueueWaits() {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.isSuspended = true
    let seen = Recorder()
    queue.addOperation { seen.add(1) }
    #expect(queue.operationCount == 1)
    #expect(seen.all.isEmpty)
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    #expect(seen.all == [1])
  }

  @Test func blocksRunOnTheUnderlyingQueue() {
    let key = DispatchSpecificKey<Int>()
    let underlying = DispatchQueue(label: "underlying")
    underlying.setSpecific(key: key, value: 7)
    let queue = OperationQueue()
    queue.underlyingQueue = underlying
    queue.name = "name"
    let seen = Recorder()
    queue.addOperation { seen.add(DispatchQueue.getSpecific(key: key) ?? 0) }
    queue.waitUntilAllOperationsAreFinished()
    #expect(seen.all == [7])
    #expect(queue.name == "name")
    #expect(queue.underlyingQueue === underlying)
  }

  @Test(arguments: [1, 3]) func atMostSoManyRunAtATime(_ limit: Int) {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = limit
    #expect(queue.maxConcurrentOperationCount == limit)
    let running = Locked((now: 0, most: 0))
    for _ in 0..<50 {
      queue.addOperation {
        running.withLock {
          $0.now += 1
          $0.most = max($0.most, $0.now)
        }
        running.withLock { $0.now -= 1 }
      }
    }
    queue.waitUntilAllOperationsAreFinished()
    #expect(running.withLock { $0.now } == 0)
    #expect(running.withLock { 1...limit ~= $0.most })
  }

  @Test func whatHasNotStartedCanBeCancelled() {
    let queue = OperationQueue()
    queue.isSuspended = true
    let seen = Recorder()
    for step in 0..<10 { queue.addOperation { seen.add(step) } }
    queue.cancelAllOperations()
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    #expect(seen.all.isEmpty)
    #expect(queue.operationCount == 0)
    #expect(OperationQueue.defaultMaxConcurrentOperationCount == -1)
    queue.qualityOfService = .utility
    #expect(queue.qualityOfService == .utility)
  }

  @Test func theMainQueueIsThatOfTheMainThread() {
    #expect(OperationQueue.main.maxConcurrentOperationCount == 1)
    #expect(OperationQueue.main.underlyingQueue?.label == DispatchQueue.main.label)
  }

  private final class Recorder: Sendable {
    private let values = Locked<[Int]>([])
    func add(_ value: Int) { values.withLock { $0.append(value) } }
    var all: [Int] { values.withLock { $0 } }
  }
}
