// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading
import BluebonnetLocks

// @unchecked: not final, but its stored properties are immutable or inside a mutex.
/// Authenticates requests, and refreshes the credential when it is old or refused: once for all requests that
/// wait for it, which then go on.
public class AuthenticationInterceptor<AuthenticatorType: Authenticator>: RequestInterceptor,
  @unchecked Sendable
{
  /// The authenticator's kind of credential.
  public typealias Credential = AuthenticatorType.Credential

  /// The limit on refreshes in a span of time, so that a server that refuses every credential
  /// does not keep the client busy.
  public struct RefreshWindow: Sendable {
    /// The span of time, in seconds; 30 by default.
    public let interval: TimeInterval
    /// The number of refreshes that may start within ``interval``; 5 by default. One more fails with
    /// ``AuthenticationError/excessiveRefresh``.
    public let maximumAttempts: Int

    /// Makes a window; by default five refreshes in thirty seconds.
    public init(interval: TimeInterval = 30.0, maximumAttempts: Int = 5) {
      self.interval = interval
      self.maximumAttempts = maximumAttempts
    }
  }

  private struct Adaptation: Sendable {
    let urlRequest: URLRequest
    let session: Session
    let completion: @Sendable (Result<URLRequest, any Error>) -> Void
  }

  private typealias Machine = AuthenticationMachine<
    Credential, Adaptation, @Sendable (RetryResult) -> Void
  >

  private let authenticator: AuthenticatorType
  private let machine: Locked<Machine>
  private let queue = DispatchQueue(label: "bluebonnet.authentication")

  /// The current credential. A new one takes the place of whatever there was.
  public var credential: Credential? {
    get { machine.withLock { $0.credential } }
    set { change { $0.replaceCredential(newValue) } }
  }

  /// Makes an interceptor.
  ///
  /// - Parameters:
  ///   - authenticator: Knows how credentials are used.
  ///   - credential:    The first one.
  ///   - refreshWindow: How many refreshes are too many; with `nil` there are never too many.
  public init(
    authenticator: AuthenticatorType, credential: Credential? = nil,
    refreshWindow: RefreshWindow? = RefreshWindow()
  ) {
    self.authenticator = authenticator
    machine = Locked(
      Machine(
        credential: credential,
        allowance: refreshWindow.map {
          RefreshAllowance(interval: $0.interval, maximumAttempts: $0.maximumAttempts)
        }))
  }

  /// Applies the credential, after a refresh if need be.
  public func adapt(
    _ urlRequest: URLRequest, for session: Session,
    completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
  ) {
    let adaptation = Adaptation(urlRequest: urlRequest, session: session, completion: completion)
    var answer: Machine.Answer?
    while true {
      switch change({ [answer] in $0.adapt(adaptation, at: Self.now, answer: answer) }) {
      // Without a lock: the credential may want to know something of this interceptor, or give it another one.
      case .ask(let credential, let version):
        answer = Machine.Answer(requiresRefresh: credential.requiresRefresh, version: version)
      case .apply(let credential): return apply(credential, to: adaptation)
      case .fail(let error): return completion(.failure(error))
      case .wait(let credential): return refresh(credential, for: session)
      }
    }
  }

  /// Decides whether a new credential makes a failed request worth another attempt.
  public func retry(
    _ request: Request, for session: Session, dueTo error: any Error,
    completion: @escaping @Sendable (RetryResult) -> Void
  ) {
    guard let urlRequest = request.request, let response = request.response,
      authenticator.didRequest(urlRequest, with: response, failDueToAuthenticationError: error)
    else { return completion(.doNotRetry) }
    let (current, version) = machine.withLock { ($0.credential, $0.version) }
    guard let current else {
      return completion(.doNotRetryWithError(AuthenticationError.missingCredential))
    }
    guard authenticator.isRequest(urlRequest, authenticatedWith: current) else {
      return completion(.retry)
    }
    switch change({ $0.retry(completion, refusedAt: version, at: Self.now) }) {
    case .retry: completion(.retry)
    case .fail(let error): completion(.doNotRetryWithError(error))
    case .wait(let credential): refresh(credential, for: session)
    }
  }

  /// Gives the machine an event. A credential and an error that it forgets go when the lock is free: they are the
  /// user's, and their end may ask this interceptor.
  private func change<Step: Sendable>(_ event: (inout Machine) -> Step) -> Step {
    let (step, spent) = machine.withLock { machine in
      let spent = (machine.credential, machine.state)
      return (event(&machine), spent)
    }
    withExtendedLifetime(spent) {}
    return step
  }

  private func apply(_ credential: Credential, to adaptation: Adaptation) {
    var urlRequest = adaptation.urlRequest
    authenticator.apply(credential, to: &urlRequest)
    adaptation.completion(.success(urlRequest))
  }

  private func refresh(_ credential: Credential?, for session: Session) {
    guard let credential else { return }
    // On a queue, so that an authenticator that answers at once does not do so inside its caller.
    queue.async {
      let first = SingleAnswer()
      self.authenticator.refresh(credential, for: session) { result in
        // A later refresh may be on its way, for which this credential is too old.
        guard first.take() else {
          return QuestionSubject.refresh.reportIgnoredAnswer(
            by: "\(type(of: self.authenticator))", about: nil)
        }
        let (adaptations, retrials) = self.change { $0.refreshed(result) }
        switch result {
        case .success:
          // The new credential may want a refresh, too, until there have been too many.
          for adaptation in adaptations {
            self.adapt(adaptation.urlRequest, for: adaptation.session, completion: adaptation.completion)
          }
          for completion in retrials { completion(.retry) }
        case .failure(let error):
          for adaptation in adaptations { adaptation.completion(.failure(error)) }
          for completion in retrials { completion(.doNotRetryWithError(error)) }
        }
      }
    }
  }

  private static var now: TimeInterval { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }
}
