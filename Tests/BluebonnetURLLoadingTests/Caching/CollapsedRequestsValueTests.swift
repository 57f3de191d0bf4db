// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

@testable import BluebonnetURLLoading

@Suite struct CollapsedRequestsValueTests {
  private func name(_ target: String, _ fields: [String: String] = [:]) -> CollapsedRequests<Int>.Name {
    .init(key: .init(method: "GET", target: target), fields: HeaderFields(fields))
  }

  @Test func theFirstLeadsAndTheOthersWait() {
    var collapsed = CollapsedRequests<Int>()
    let waits = [
      collapsed.join(name("a"), 1, mayLead: true, now: 5),
      collapsed.join(name("a"), 2, mayLead: true, now: 6),
      collapsed.join(name("a"), 3, mayLead: false, now: 7),
      collapsed.join(name("b"), 4, mayLead: true, now: 8),
      collapsed.join(name("a", ["X": "1"]), 5, mayLead: true, now: 9),
    ]
    #expect(waits == [false, true, true, false, false])
    let landed = [collapsed.complete(name("a")), collapsed.complete(name("a"))]
    #expect(landed.map(\.waiters) == [[2, 3], []] && landed[0].start == 5)
    let waitsAgain = collapsed.join(name("a"), 6, mayLead: true, now: 10)
    #expect(!waitsAgain)
  }

  @Test func nobodyWaitsForWhoMayNotLead() {
    var collapsed = CollapsedRequests<Int>()
    let waits = [
      collapsed.join(name("a"), 1, mayLead: false, now: 5),
      collapsed.join(name("a"), 2, mayLead: true, now: 5),
    ]
    #expect(waits == [false, false])
    let landed = collapsed.complete(name("a"))
    #expect(landed.waiters.isEmpty)
  }
}
