// SPDX-License-Identifier: MIT
import Dispatch
import Testing

@testable import BluebonnetAuthentication

@Suite struct ExitGateTests {
  @Test func whoIsInsideIsWaitedFor() {
    let gate = ExitGate()
    let (entered, leave, left) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    DispatchQueue.global().async {
      gate.pass {
        entered.signal()
        leave.wait()
      }
      left.signal()
    }
    entered.wait()
    #expect(gate.pass { true } == true, "several may be inside")
    #expect(!gate.close(within: 0))
    leave.signal()
    left.wait()
    #expect(gate.close(within: 60))
    #expect(gate.pass { true } == nil, "it stays closed")
  }
}
