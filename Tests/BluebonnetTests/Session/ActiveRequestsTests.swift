// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Testing

@testable import Bluebonnet

/// The books of a session, with numbers for requests.
@Suite struct ActiveRequestsTests {
  private let settled = Recorder<Bool>()

  /// - Returns: Whether there is something to wait for.
  private func waits(_ active: inout ActiveRequests<Int>) -> Bool {
    active.waits { [settled] in settled.note(true) }
  }

  private func call(_ actions: [@Sendable () -> Void]?) -> Int {
    actions?.forEach { $0() }
    return actions?.count ?? 0
  }

  @Test func thereIsNothingToWaitFor() {
    var active = ActiveRequests<Int>()
    #expect(!waits(&active))
    #expect(active.insert(1) && call(active.remove(1)) == 0)
    #expect(!waits(&active) && settled.entries.isEmpty)
  }

  /// Every order of two requests' ends and of their handlers' returns.
  @Test(arguments: [[1, 2], [2, 1]], [0, 1, 3])
  func theLastHandlerEndsTheWait(order: [Int], handlers: Int) {
    var active = ActiveRequests<Int>()
    #expect(active.insert(1) && active.insert(2))
    #expect(waits(&active) && waits(&active))
    var called = 0
    for request in order {
      #expect(called == 0)
      called += call(active.remove(request, calling: handlers))
      for _ in 0..<handlers {
        #expect(called == 0)
        called += call(active.handlerReturned())
      }
    }
    #expect(called == 2 && settled.entries.count == 2)
    #expect(!waits(&active))
  }

  @Test func handlersOfARequestThatIsOver() {
    var active = ActiveRequests<Int>()
    #expect(active.insert(1) && call(active.remove(1, calling: 2)) == 0)
    #expect(active.count == 0 && waits(&active))
    #expect(call(active.handlerReturned()) == 0)
    #expect(call(active.handlerReturned()) == 1)
  }

  /// The URLSession goes first: its requests are let go, and are waited for until their handlers have returned.
  @Test func requestsThatAreLetGo() {
    var active = ActiveRequests<Int>()
    #expect(active.insert(1) && active.insert(2))
    #expect(active.close() == (abandoned: [1, 2], orphans: []))
    #expect(active.count == 0 && active.refuseFurther() == [1, 2])
    #expect(waits(&active))
    #expect(call(active.remove(2)) == 0)
    #expect(call(active.remove(1, calling: 1)) == 0)
    #expect(active.refuseFurther().isEmpty)
    #expect(call(active.handlerReturned()) == 1)
  }

  @Test func noOtherRequestJoins() {
    var active = ActiveRequests<Int>()
    #expect(active.insert(1) && active.insert(2))
    #expect(active.refuseFurther() == [1, 2])
    #expect(active.insert(1) && active.insert(2) && !active.insert(3))
    #expect(call(active.remove(1)) == 0 && !active.insert(1))
  }

  /// Their session is gone: they are told apart until the URLSession is gone, too.
  @Test func requestsWithoutTheirSession() {
    var active = ActiveRequests<Int>()
    #expect(active.insert(1) && active.orphan() == [1])
    #expect(active.count == 0 && !waits(&active))
    #expect(active.close() == (abandoned: [], orphans: [1]))
    #expect(active.close() == (abandoned: [], orphans: []))
  }
}
