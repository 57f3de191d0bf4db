import BluebonnetFoundation

/// A question from a peer or about one, to be answered with a disposition and perhaps a credential.
public final class URLAuthenticationChallenge: Sendable {
  /// What is asked for.
  public let protectionSpace: URLProtectionSpace
  /// The credential that the session would try.
  public let proposedCredential: URLCredential?
  /// How many answers the peer has refused.
  public let previousFailureCount: Int
  /// The response that carried the question.
  public let failureResponse: URLResponse?
  /// Why the last answer failed.
  public let error: (any Error)?
  /// Whoever takes answers from a `URLProtocol`.
  public let sender: (any URLAuthenticationChallengeSender)?

  /// Makes a challenge.
  public init(
    protectionSpace space: URLProtectionSpace, proposedCredential credential: URLCredential?,
    previousFailureCount: Int, failureResponse response: URLResponse?, error: (any Error)?,
    sender: (any URLAuthenticationChallengeSender)?
  ) {
    protectionSpace = space
    proposedCredential = credential
    self.previousFailureCount = previousFailureCount
    failureResponse = response
    self.error = error
    self.sender = sender
  }

  /// Makes the same challenge for another sender.
  public convenience init(
    authenticationChallenge challenge: URLAuthenticationChallenge,
    sender: any URLAuthenticationChallengeSender
  ) {
    self.init(
      protectionSpace: challenge.protectionSpace, proposedCredential: challenge.proposedCredential,
      previousFailureCount: challenge.previousFailureCount, failureResponse: challenge.failureResponse,
      error: challenge.error, sender: sender)
  }
}

/// Takes the answers to challenges that a `URLProtocol` raises.
public protocol URLAuthenticationChallengeSender: AnyObject, Sendable {
  /// Answers with a credential.
  func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge)
  /// Goes on without one.
  func continueWithoutCredential(for challenge: URLAuthenticationChallenge)
  /// Gives up.
  func cancel(_ challenge: URLAuthenticationChallenge)
  /// Leaves it to the system.
  func performDefaultHandling(for challenge: URLAuthenticationChallenge)
  /// Tries the next space.
  func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge)
}

extension URLAuthenticationChallengeSender {
  /// Goes on without a credential, so that nobody waits for ever.
  public func performDefaultHandling(for challenge: URLAuthenticationChallenge) {
    continueWithoutCredential(for: challenge)
  }
  /// Goes on without a credential, so that nobody waits for ever.
  public func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {
    continueWithoutCredential(for: challenge)
  }
}
