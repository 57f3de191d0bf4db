// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// An interceptor's state, with the requests waiting for a refresh, as a value: events go in, the step to take comes
/// out. It calls no other code.
struct AuthenticationMachine<Credential: Sendable, Adaptation: Sendable, Retrial: Sendable> {
  enum State: Sendable {
    case idle
    case refreshing
    /// The last refresh failed; requests that fail with its credential share its fate until the next
    /// request is adapted.
    case failed(any Error)
  }

  enum AdaptStep: Sendable {
    case apply(Credential)
    case fail(AuthenticationError)
    /// Asks the credential whether it wants a refresh (that runs the user's code), then comes back with the answer.
    case ask(Credential, version: Int)
    /// Waits; with a credential it is also time to refresh that.
    case wait(refreshing: Credential?)
  }

  /// A credential's answer about itself.
  struct Answer: Sendable {
    let requiresRefresh: Bool
    /// The credential in question.
    let version: Int
  }

  enum RetryStep: Sendable {
    case retry
    case fail(any Error)
    case wait(refreshing: Credential?)
  }

  private(set) var credential: Credential?
  /// Changes with the credential, which need not be comparable.
  private(set) var version = 0
  private(set) var state = State.idle
  private var allowance: RefreshAllowance?
  private var adaptations: [Adaptation] = []
  private var retrials: [Retrial] = []

  init(credential: Credential?, allowance: RefreshAllowance?) {
    self.credential = credential
    self.allowance = allowance
  }

  mutating func replaceCredential(_ credential: Credential?) {
    self.credential = credential
    version += 1
    if case .failed = state { state = .idle }
  }

  /// A request is about to be sent.
  ///
  /// - Parameter answer: What came of `.ask`. About another credential than the current one it counts for nothing.
  mutating func adapt(
    _ adaptation: Adaptation, at now: TimeInterval, answer: Answer? = nil
  ) -> AdaptStep {
    if case .failed = state { state = .idle }
    if case .refreshing = state, !adaptations.isEmpty {
      adaptations.append(adaptation)
      return .wait(refreshing: nil)
    }
    guard let credential else { return .fail(.missingCredential) }
    // During a refresh that a failed request asked for, the old credential is still worth a try: if it
    // fails, the request comes back with the rest.
    guard case .idle = state else { return .apply(credential) }
    guard let answer, answer.version == version else { return .ask(credential, version: version) }
    guard answer.requiresRefresh else { return .apply(credential) }
    guard startRefresh(at: now) else { return .fail(.excessiveRefresh) }
    adaptations.append(adaptation)
    return .wait(refreshing: credential)
  }

  /// A request was refused with the credential that was current at `version`.
  mutating func retry(_ retrial: Retrial, refusedAt version: Int, at now: TimeInterval) -> RetryStep {
    guard let credential else { return .fail(AuthenticationError.missingCredential) }
    guard version == self.version else { return .retry }
    switch state {
    case .failed(let error):
      return .fail(error)
    case .refreshing:
      retrials.append(retrial)
      return .wait(refreshing: nil)
    case .idle:
      guard startRefresh(at: now) else { return .fail(AuthenticationError.excessiveRefresh) }
      retrials.append(retrial)
      return .wait(refreshing: credential)
    }
  }

  /// The refresh is over. Everything that waited goes on.
  mutating func refreshed(
    _ result: Result<Credential, any Error>
  ) -> (adaptations: [Adaptation], retrials: [Retrial]) {
    defer {
      adaptations = []
      retrials = []
    }
    switch result {
    case .success(let credential):
      self.credential = credential
      version += 1
      state = .idle
    case .failure(let error):
      state = .failed(error)
    }
    return (adaptations, retrials)
  }

  private mutating func startRefresh(at now: TimeInterval) -> Bool {
    guard allowance?.start(at: now) ?? true else { return false }
    state = .refreshing
    return true
  }
}
