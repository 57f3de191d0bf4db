// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Testing

@testable import BluebonnetEventLoop

private func at(_ nanoseconds: UInt64) -> MonotonicTime {
  MonotonicTime(nanoseconds: nanoseconds)
}

@Suite struct TimerHeapTests {
  struct Order: CustomTestStringConvertible {
    var deadlines: [UInt64]
    var now: UInt64
    var fired: [Int]
    var testDescription: String { "\(deadlines) at \(now)" }
  }

  @Test(arguments: [
    Order(deadlines: [], now: 9, fired: []),
    Order(deadlines: [5], now: 4, fired: []),
    Order(deadlines: [5], now: 5, fired: [0]),
    Order(deadlines: [3, 1, 2], now: 9, fired: [1, 2, 0]),
    Order(deadlines: [7, 7, 7, 7], now: 7, fired: [0, 1, 2, 3]),
    Order(deadlines: [9, 1, 8, 2, 7, 3], now: 7, fired: [1, 3, 5, 4]),
  ])
  func firesByDeadlineThenAge(_ row: Order) {
    var heap = TimerHeap<Int>()
    for (index, deadline) in row.deadlines.enumerated() { _ = heap.schedule(at: at(deadline), index) }
    var fired: [Int] = []
    while let payload = heap.popDue(at: at(row.now)) { fired.append(payload) }
    #expect(fired == row.fired)
    #expect(heap.count == row.deadlines.count - row.fired.count)
  }

  @Test func tokenIsVoidOnceFiredOrCancelled() {
    var heap = TimerHeap<String>()
    let fired = heap.schedule(at: at(1), "fired")
    #expect(heap.popDue(at: at(1)) == "fired")
    let successor = heap.schedule(at: at(2), "successor")
    #expect(fired.slot == successor.slot)
    #expect(heap.cancel(fired) == nil)
    #expect(heap.cancel(successor) == "successor")
    #expect(heap.cancel(successor) == nil)
    #expect(heap.cancel(TimerToken(slot: 77, generation: 0)) == nil)
    #expect(heap.count == 0)
  }

  @Test func releasesPayloadOnCancel() {
    final class Probe {}
    var heap = TimerHeap<Probe>()
    weak var probe: Probe?
    let token: TimerToken
    do {
      let fresh = Probe()
      probe = fresh
      token = heap.schedule(at: at(1), fresh)
    }
    #expect(probe != nil)
    heap.cancel(token)
    #expect(probe == nil)
  }

  /// Against a model that keeps a plain list: any mix of scheduling, cancelling and firing gives the same answers.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func agreesWithModel(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var heap = TimerHeap<Int>()
    var model: [(deadline: UInt64, id: Int, token: TimerToken)] = []
    var spent: [TimerToken] = []
    for id in 0..<2_000 {
      switch random.next() % 8 {
      case 0..<4:
        let deadline = random.next() % 100
        model.append((deadline, id, heap.schedule(at: at(deadline), id)))
      case 4, 5:
        guard !model.isEmpty else { continue }
        let victim = model.remove(at: Int(random.next() % UInt64(model.count)))
        #expect(heap.cancel(victim.token) == victim.id)
        spent.append(victim.token)
      case 6:
        guard let token = spent.randomElement(using: &random) else { continue }
        #expect(heap.cancel(token) == nil)
      default:
        let now = random.next() % 100
        let due = model.filter { $0.deadline <= now }.min { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
        #expect(heap.popDue(at: at(now)) == due?.id)
        if let due {
          model.removeAll { $0.id == due.id }
          spent.append(due.token)
        }
      }
      #expect(heap.count == model.count)
      #expect(heap.earliest == model.map(\.deadline).min().map(at))
    }
  }

  /// A hundred thousand pending timers. With linear work per operation this would take minutes.
  @Test(.timeLimit(.minutes(5)))
  func scales() {
    var random = SeededGenerator(seed: 7)
    var heap = TimerHeap<Int>()
    var tokens = (0..<100_000).map { heap.schedule(at: at(random.next() % 1_000_000), $0) }
    tokens.shuffle(using: &random)
    for token in tokens.prefix(50_000) { heap.cancel(token) }
    #expect(heap.count == 50_000)
    var last = at(0)
    while let earliest = heap.earliest {
      #expect(earliest >= last)
      last = earliest
      _ = heap.popDue(at: earliest)
    }
    #expect(heap.count == 0)
  }
}
