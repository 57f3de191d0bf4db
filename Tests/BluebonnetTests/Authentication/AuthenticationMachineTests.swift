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
