// SPDX-License-Identifier: MIT
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct AuthenticationMachineTests {
  private typealias Machine = AuthenticationMachine<String, Int, Int>

  private func machine(_ credential: String? = "old", attempts: Int = 5) -> Machine {
    Machine(
      credential: credential, allowance: RefreshAllowance(interval: 30, maximumAttempts: attempts))
  }

  private func text(_ step: Machine.AdaptStep) -> String {
    switch step {
    case .ask(let credential, let version): "ask \(credential) \(version)"
    case .apply(let credential): "apply \(credential)"
    case .fail(let error): "fail \(error)"
    case .wait(let credential): "wait \(credential ?? "-")"
    }
  }

  private func text(_ step: Machine.RetryStep) -> String {
    switch step {
    case .retry: "retry"
    case .fail(let error): "fail \(error)"
    case .wait(let credential): "wait \(credential ?? "-")"
    }
  }

  private struct Refusal: Error {}

  /// The credential is asked when there is nobody who refreshes it, and an answer about another one is none.
  @Test func anAnswerIsAboutOneCredential() {
    var machine = machine()
    #expect(text(machine.adapt(1, at: 0)) == "ask old 0")
    machine.replaceCredential("new")
    let late = Machine.Answer(requiresRefresh: true, version: 0)
    #expect(text(machine.adapt(1, at: 0, answer: late)) == "ask new 1")
    #expect(text(machine.adapt(1, at: 0, answer: .init(requiresRefresh: false, version: 1))) == "apply new")
    // Two have asked at once: the second to come back waits for the first one's refresh, and for no other.
    let due = Machine.Answer(requiresRefresh: true, version: 1)
    #expect(text(machine.adapt(1, at: 0, answer: due)) == "wait new")
    #expect(text(machine.adapt(2, at: 0, answer: due)) == "wait -")
    #expect(machine.refreshed(.success("newer")).adaptations == [1, 2])
    #expect(text(machine.adapt(3, at: 0, answer: due)) == "ask newer 2")
  }

  @Test func withoutACredentialNothingIsSent() {
    var machine = machine(nil)
    #expect(text(machine.adapt(1, at: 0) { _ in false }) == "fail missingCredential")
    #expect(text(machine.retry(1, refusedAt: 0, at: 0)) == "fail missingCredential")
  }

  @Test func anOldCredentialIsRefreshedOnceForAll() {
    var machine = machine()
    #expect(text(machine.adapt(1, at: 0) { _ in true }) == "wait old")
    #expect(text(machine.adapt(2, at: 0) { _ in true }) == "wait -")
    #expect(text(machine.retry(3, refusedAt: 0, at: 0)) == "wait -")
    let (adaptations, retrials) = machine.refreshed(.success("new"))
    #expect(adaptations == [1, 2] && retrials == [3])
    #expect(text(machine.adapt(4, at: 0) { $0 == "old" }) == "apply new")
  }

  @Test func theOldCredentialIsTriedDuringARefreshForARefusedRequest() {
    var machine = machine()
    #expect(text(machine.retry(1, refusedAt: 0, at: 0)) == "wait old")
    #expect(text(machine.adapt(2, at: 0) { _ in false }) == "apply old")
    #expect(machine.refreshed(.success("new")).retrials == [1])
  }

  @Test func aRequestRefusedWithAnEarlierCredentialIsSimplyRetried() {
    var machine = machine()
    machine.replaceCredential("new")
    #expect(text(machine.retry(1, refusedAt: 0, at: 0)) == "retry")
  }

  @Test func aFailedRefreshFailsWhoSharesItUntilTheNextRequest() {
    var machine = machine()
    _ = machine.retry(1, refusedAt: 0, at: 0)
    #expect(machine.refreshed(.failure(Refusal())).retrials == [1])
    #expect(text(machine.retry(2, refusedAt: 0, at: 0)) == "fail Refusal()")
    #expect(text(machine.adapt(3, at: 0) { _ in false }) == "apply old")
    #expect(text(machine.retry(4, refusedAt: 0, at: 0)) == "wait old")
  }

  @Test func thereCanBeTooManyRefreshes() {
    var machine = machine(attempts: 2)
    for time in [0.0, 1] {
      #expect(text(machine.adapt(1, at: time) { _ in true }) == "wait old")
      _ = machine.refreshed(.success("old"))
    }
    #expect(text(machine.adapt(1, at: 29) { _ in true }) == "fail excessiveRefresh")
    #expect(text(machine.retry(1, refusedAt: machine.version, at: 30)) == "fail excessiveRefresh")
    #expect(text(machine.adapt(1, at: 31) { _ in true }) == "wait old")
  }
}

extension AuthenticationMachine {
  /// Asks the credential as often as the machine wants to know.
  fileprivate mutating func adapt(
    _ adaptation: Adaptation, at now: TimeInterval, needsRefresh: (Credential) -> Bool
  ) -> AdaptStep {
    var answer: Answer?
    while true {
      let step = adapt(adaptation, at: now, answer: answer)
      guard case .ask(let credential, let version) = step else { return step }
      answer = Answer(requiresRefresh: needsRefresh(credential), version: version)
    }
  }
}
