// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Testing

@testable import BluebonnetTransport

@Suite struct WaitingQueueTests {
  /// The order, read without taking anybody out.
  private func order<Key, Value>(_ queue: WaitingQueue<Key, Value>) -> [Key] {
    var queue = queue
    var keys: [Key] = []
    while let (key, _) = queue.removeFirst() { keys.append(key) }
    return keys
  }

  @Test func servesInTheOrderOfJoining() {
    var queue = WaitingQueue<String, Int>()
    #expect(queue.isEmpty && queue.first == nil && queue.removeFirst() == nil)
    for (index, name) in ["a", "b", "c"].enumerated() { queue.append(name, index) }
    #expect(queue.first?.key == "a" && queue.first?.value == 0)
    queue.prepend("z", 9)
    #expect(order(queue) == ["z", "a", "b", "c"])
    let (removed, again) = (queue.remove("a"), queue.remove("a"))
    #expect(removed && !again)
    queue.append("a", 3)
    #expect(order(queue) == ["z", "b", "c", "a"])
    #expect(queue.count == 4)
  }

  @Test func theUrgentOvertakeTheLessUrgentOnly() {
    var queue = WaitingQueue<Int, Void>()
    // Tens are the urgency, units the order of arrival.
    for arrival in [10, 30, 11, 20, 31, 12, 21] {
      queue.append(arrival, (), overtaking: { arrival / 10 > $0 / 10 })
    }
    #expect(order(queue) == [30, 31, 20, 21, 10, 11, 12])
  }

  @Test func whoBecomesMoreUrgentStandsAmongEqualsInOrderOfArrival() {
    var urgency = ["a": 1, "b": 1, "c": 1, "d": 1, "z": 1]
    var queue = WaitingQueue<String, Void>()
    for name in ["a", "b", "c", "d"] { queue.append(name, ()) }
    queue.prepend("z", ())
    func move(_ name: String, to level: Int) {
      urgency[name] = level
      queue.move(name) { [urgency] in urgency[$0] ?? 0 > urgency[$1] ?? 0 }
    }
    move("c", to: 2)
    #expect(order(queue) == ["c", "z", "a", "b", "d"])
    move("z", to: 0)
    move("a", to: 2)
    #expect(order(queue) == ["a", "c", "b", "d", "z"])
    move("z", to: 1)
    move("c", to: 1)
    #expect(order(queue) == ["a", "z", "b", "c", "d"])
    move("nobody", to: 9)
    #expect(queue.count == 5)
    var alone = WaitingQueue<String, Void>()
    alone.append("a", ())
    alone.move("a") { _, _ in true }
    #expect(order(alone) == ["a"])
  }

  @Test(arguments: 1...10) func isAnArrayUnderRandomEvents(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var queue = WaitingQueue<Int, Int>()
    var model: [Int] = []
    for number in 0..<3_000 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        let overtaken = Int.random(in: 0..<4, using: &random)
        let place = model.count - min(overtaken, model.count)
        let passed = Set(model[place...])
        model.insert(number, at: place)
        queue.append(number, -number, overtaking: { passed.contains($0) })
      case 2:
        model.insert(number, at: 0)
        queue.prepend(number, -number)
      case 3:
        let first = queue.removeFirst()
        #expect(first?.key == model.first && first?.value == model.first.map(-))
        if !model.isEmpty { model.removeFirst() }
      default:
        let chosen = model.randomElement(using: &random) ?? -1
        let wasThere = queue.remove(chosen)
        #expect(wasThere == (chosen >= 0))
        model.removeAll { $0 == chosen }
      }
      #expect(queue.count == model.count && queue.isEmpty == model.isEmpty)
      #expect(queue.first?.key == model.first)
    }
    #expect(order(queue) == model)
  }

  /// Counts how often it is compared.
  private struct Counted: Hashable {
    nonisolated(unsafe) static var comparisons = 0
    let number: Int

    static func == (left: Counted, right: Counted) -> Bool {
      comparisons += 1
      return left.number == right.number
    }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  /// A hundred thousand requests wait and are cancelled in any order: a search from the front would take ten thousand
  /// million comparisons.
  @Test func leavingDoesNotDependOnHowManyWait() {
    let count = 100_000
    var machine = PoolMachine<Int, Counted>(limit: 1)
    for number in 0...count { _ = machine.acquire(Counted(number: number)) }
    #expect(machine.waitingCount == count)
    var random = SeededGenerator(seed: 1)
    let leaving = Array(1...count).shuffled(using: &random)
    // Every hundredth stays.
    Counted.comparisons = 0
    for number in leaving where !number.isMultiple(of: 100) {
      let wasWaiting = machine.cancel(Counted(number: number))
      if !wasWaiting { Issue.record("\(number) did not wait") }
    }
    #expect(Counted.comparisons < 10 * count)
    #expect(machine.waitingCount == count / 100)
    // Those are still in order.
    for number in stride(from: 100, through: count, by: 100) {
      let action = machine.release(1, reusable: true, at: .init(nanoseconds: 0))
      if action != .serve(Counted(number: number)) { Issue.record("\(number) is not next: \(action)") }
    }
    #expect(machine.waitingCount == 0)
  }
}
