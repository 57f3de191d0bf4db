// SPDX-License-Identifier: MIT
import BluebonnetLocks
import Testing

@testable import Bluebonnet

@Suite struct ConsumptionTokenTests {
  private final class Count: Sendable {
    let value = Locked(0)
    func add() { value.withLock { $0 += 1 } }
    var now: Int { value.withLock { $0 } }
  }

  @Test func aHandlerConsumesByReturning() {
    let count = Count()
    let receipt = ConsumptionToken { count.add() }
    receipt.handlerReturned()
    #expect(count.now == 1)
    receipt.give()
    #expect(count.now == 1)
  }

  @Test func aReaderConsumesByTaking() {
    let count = Count()
    let receipt = ConsumptionToken { count.add() }
    receipt.awaitReader()
    receipt.handlerReturned()
    #expect(count.now == 0)
    receipt.give()
    #expect(count.now == 1)
  }

  @Test func whatIsThrownAwayUnreadIsConsumed() {
    let count = Count()
    do {
      let receipt = ConsumptionToken { count.add() }
      receipt.awaitReader()
      receipt.handlerReturned()
    }
    #expect(count.now == 1)
  }
}
