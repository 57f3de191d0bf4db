// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import Testing

@testable import BluebonnetTransport

@Suite struct TimeBudgetTests {
  private func at(_ nanoseconds: UInt64) -> MonotonicTime { MonotonicTime(nanoseconds: nanoseconds) }

  @Test(
    arguments: [
      (TransportError.Phase.resolving, 1), (.connecting, 1), (.securing, 2), (.evaluatingTrust, 7),
      (.sending, 3),
      (.waiting, 4), (.receivingHead, 5), (.receivingBody, 5), (.waitingForConnection, 6),
    ] as [(TransportError.Phase, UInt64)])
  func eachPhaseHasItsOwnLimit(phase: TransportError.Phase, limit: UInt64) {
    var budget = TimeBudget(
      Timeouts(
        waiting: 6, connect: 1, handshake: 2, trustEvaluation: 7, sending: 3, firstByte: 4, betweenBytes: 5))
    budget.begin(phase, at: at(100))
    #expect(budget.phase == phase)
    #expect(budget.deadline == at(100 + limit))
    #expect(!budget.isExpired(at: at(100 + limit - 1)))
    #expect(budget.isExpired(at: at(100 + limit)))
  }

  @Test func progressMovesTheDeadline() {
    var budget = TimeBudget(Timeouts(everyPhase: 10))
    budget.begin(.receivingBody, at: at(0))
    budget.progress(at: at(7))
    #expect(!budget.isExpired(at: at(16)))
    #expect(budget.isExpired(at: at(17)))
  }

  @Test func aSuspendedTaskMayWaitForItsConnection() {
    var budget = TimeBudget(Timeouts(everyPhase: 10))
    budget.begin(.waitingForConnection, at: at(0))
    #expect(budget.deadline == at(10))
    budget.hold()
    #expect(budget.deadline == nil)
    budget.release(at: at(50))
    #expect(budget.deadline == at(60))
  }

  @Test func aPausedResponseDoesNotRunOut() {
    var budget = TimeBudget(Timeouts(everyPhase: 10))
    budget.begin(.sending, at: at(0))
    budget.hold()
    #expect(!budget.isExpired(at: at(1_000)))
    // The request goes on.
    budget.progress(at: at(1_000))
    budget.begin(.waiting, at: at(1_000))
    #expect(budget.deadline == nil)
    budget.release(at: at(2_000))
    #expect(budget.deadline == at(2_010))
  }

  @Test(arguments: [TransportError.Phase.resolving, .connecting, .securing, .evaluatingTrust])
  func aConnectionForAResponseThatIsHeldBackMayBeLate(phase: TransportError.Phase) {
    var budget = TimeBudget(Timeouts(everyPhase: 10))
    budget.hold()
    budget.begin(phase, at: at(0))
    #expect(budget.deadline == at(10))
    budget.release(at: at(5))
    #expect(budget.deadline == at(10))
  }

  @Test func anEvaluatorIsNeitherHurriedNorGivenTimeByWhoHoldsTheResponseBack() {
    var budget = TimeBudget(Timeouts(trustEvaluation: 10))
    budget.begin(.securing, at: at(0))
    #expect(budget.deadline == nil)
    budget.begin(.evaluatingTrust, at: at(100))
    budget.hold()
    #expect(budget.deadline == at(110))
    budget.release(at: at(105))
    #expect(budget.deadline == at(110))
  }
}
