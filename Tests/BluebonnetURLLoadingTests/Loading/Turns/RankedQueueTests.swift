// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Testing

@testable import BluebonnetURLLoading

/// The lowest rank first, whoever leaves meanwhile.
@Suite struct RankedQueueTests {
  @Test func servesByRank() {
    var queue = RankedQueue<String, Int>()
    for (name, rank) in [("c", 3), ("a", 1), ("d", 4), ("b", 2)] { queue.insert(name, rank: rank) }
    queue.insert("d", rank: 0)
    #expect(queue.count == 4)
    let removed = (queue.remove("c"), queue.remove("c"), queue.remove("x"))
    #expect(removed == (true, false, false))
    #expect(queue.first?.element == "d" && queue.first?.rank == 0)
    var order: [String] = []
    while let next = queue.popFirst() { order.append(next) }
    #expect(order == ["d", "a", "b"])
    #expect(queue.isEmpty)
  }

  @Test(arguments: 1...10) func isASortedArrayUnderRandomEvents(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var queue = RankedQueue<Int, Int>()
    var model: [Int: Int] = [:]
    for number in 0..<3_000 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        // Ranks differ.
        let rank = Int.random(in: 0..<100, using: &random) * 10_000 + number
        let name = Int.random(in: 0..<400, using: &random)
        queue.insert(name, rank: rank)
        model[name] = rank
      case 2:
        let first = model.min { $0.value < $1.value }
        #expect(queue.first?.element == first?.key)
        #expect(queue.popFirst() == first?.key)
        if let first { model[first.key] = nil }
      default:
        let name = Int.random(in: 0..<400, using: &random)
        #expect(queue.remove(name) == (model.removeValue(forKey: name) != nil))
      }
      #expect(queue.count == model.count)
    }
    var order: [Int] = []
    while let next = queue.popFirst() { order.append(next) }
    #expect(order == model.sorted { $0.value < $1.value }.map(\.key))
  }
}
