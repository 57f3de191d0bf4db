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

  @Test(arguments: [
    \ReplayPolicy.Situation.reusedConnection, \.bodyIsReplayable, \.isIdempotent,
  ] as [WritableKeyPath<ReplayPolicy.Situation, Bool> & Sendable])
  func refusesWhenWhatMustHoldDoesNot(
    condition: WritableKeyPath<ReplayPolicy.Situation, Bool> & Sendable
  ) {
    var situation = safe
    situation[keyPath: condition] = false
    #expect(!ReplayPolicy.allowsReplay(situation))
  }

  @Test(arguments: [
    \ReplayPolicy.Situation.anyResponseByte, \.alreadyReplayed,
  ] as [WritableKeyPath<ReplayPolicy.Situation, Bool> & Sendable])
  func refusesWhenWhatMustNotHoldDoes(
    condition: WritableKeyPath<ReplayPolicy.Situation, Bool> & Sendable
  ) {
    var situation = safe
    situation[keyPath: condition] = true
    #expect(!ReplayPolicy.allowsReplay(situation))
  }

  @Test func aRequestOfWhichNothingWasSentMayAlwaysGoAgain() {
    var situation = safe
    situation.isIdempotent = false
    situation.anyRequestByteSent = false
    #expect(ReplayPolicy.allowsReplay(situation))
  }
}
