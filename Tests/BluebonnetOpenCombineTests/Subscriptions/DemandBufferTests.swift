// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetOpenCombine

@Suite struct DemandBufferTests {
  /// What is handed over until nothing more is due.
  private func taken(_ buffer: inout DemandBuffer<Int>, asking more: Int? = 0) -> [Int] {
    var elements: [Int] = []
    while let next = buffer.next(adding: more) { elements.append(next.element) }
    return elements
  }

  @Test func theFirstDemandStartsAndLaterOnesDoNot() {
    var buffer = DemandBuffer<Int>()
    #expect(buffer.request(0) == .none)
    #expect(buffer.request(1) == .start)
    #expect(buffer.request(1) == .none)
    #expect(buffer.request(nil) == .none)
  }

  @Test func nothingArrivesBeforeTheFirstDemand() {
    var buffer = DemandBuffer<Int>()
    #expect(buffer.receive(1, isLast: false) == false)
    #expect(buffer.next(adding: nil) == nil)
  }

  @Test func noMoreIsHandedOverThanWasAskedFor() {
    var buffer = DemandBuffer<Int>()
    #expect(buffer.request(2) == .start)
    #expect(buffer.receive(1, isLast: false) == true)
    #expect(buffer.receive(2, isLast: false) == false, "Somebody hands over.")
    #expect(buffer.receive(3, isLast: false) == false)
    #expect(taken(&buffer) == [1, 2])
    #expect(buffer.receive(4, isLast: false) == false, "It was not asked for.")
    #expect(buffer.request(1) == .handOver)
    #expect(buffer.request(1) == .none, "Somebody is about to hand over.")
    #expect(taken(&buffer) == [3, 4])
    #expect(buffer.request(nil) == .none)
    #expect(buffer.receive(5, isLast: false) == true)
    #expect(taken(&buffer) == [5])
    #expect(buffer.receive(6, isLast: false) == true, "All are asked for.")
  }

  @Test func whatIsAskedForWithAnElementCounts() {
    var buffer = DemandBuffer<Int>()
    #expect(buffer.request(1) == .start)
    for element in 1...5 { _ = buffer.receive(element, isLast: false) }
    #expect(buffer.next(adding: 0)?.element == 1)
    #expect(buffer.next(adding: 2)?.element == 2)
    #expect(taken(&buffer) == [3])
    #expect(buffer.request(1) == .handOver)
    #expect(taken(&buffer, asking: 1) == [4, 5])
  }

  @Test func demandDoesNotOverflow() {
    var buffer = DemandBuffer<Int>()
    #expect(buffer.request(.max - 1) == .start)
    #expect(buffer.request(.max - 1) == .none)
    #expect(buffer.request(nil) == .none)
    #expect(buffer.receive(1, isLast: false) == true)
    #expect(taken(&buffer, asking: nil) == [1])
  }

  @Test func theLastOneEndsIt() {
    var buffer = DemandBuffer<Int>()
    #expect(buffer.request(1) == .start)
    #expect(buffer.receive(1, isLast: false) == true)
    #expect(buffer.receive(2, isLast: true) == false)
    #expect(buffer.receive(3, isLast: false) == false, "There is nothing behind the last one.")
    let first = buffer.next(adding: 1)
    #expect(first?.element == 1 && first?.isLast == false)
    let last = buffer.next(adding: 1)
    #expect(last?.element == 2 && last?.isLast == true)
    #expect(buffer.next(adding: 1) == nil)
    #expect(buffer.request(1) == .none)
    #expect(buffer.cancel() == nil)
  }

  @Test func cancellingLetsGoOfWhatWaits() {
    var buffer = DemandBuffer<Int>()
    #expect(buffer.request(1) == .start)
    #expect(buffer.receive(1, isLast: false) == true)
    #expect(buffer.cancel() != nil)
    #expect(buffer.next(adding: 1) == nil)
    #expect(buffer.receive(2, isLast: true) == false)
    #expect(buffer.request(1) == .none)
    #expect(buffer.cancel() == nil)
    var fresh = DemandBuffer<Int>()
    #expect(fresh.cancel() != nil)
    #expect(fresh.request(1) == .none)
  }
}
