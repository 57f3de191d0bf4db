// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetTransport

@Suite struct ReplayPolicyTests {
  /// A stale connection that took an idempotent request and answered nothing: the one safe case.
  private let safe = ReplayPolicy.Situation(
    reusedConnection: true, anyResponseByte: false, anyRequestByteSent: true, isIdempotent: true,
    bodyIsReplayable: true, alreadyReplayed: false)

  @Test func replaysWhenItIsSafe() {
    #expect(ReplayPolicy.allowsReplay(safe))
  }

  /// One thing changed against the safe case.
  enum Change: CaseIterable {
    case freshConnection, oneShotBody, notIdempotent, responseBegan, replayedBefore

    func apply(to situation: inout ReplayPolicy.Situation) {
      switch self {
      case .freshConnection: situation.reusedConnection = false
      case .oneShotBody: situation.bodyIsReplayable = false
      case .notIdempotent: situation.isIdempotent = false
      case .responseBegan: situation.anyResponseByte = true
      case .replayedBefore: situation.alreadyReplayed = true
      }
    }
  }

  @Test(arguments: Change.allCases) func refusesOtherwise(change: Change) {
    var situation = safe
    change.apply(to: &situation)
    #expect(!ReplayPolicy.allowsReplay(situation))
  }

  @Test func aRequestOfWhichNothingWasSentMayAlwaysGoAgain() {
    var situation = safe
    situation.isIdempotent = false
    situation.anyRequestByteSent = false
    #expect(ReplayPolicy.allowsReplay(situation))
  }
}
