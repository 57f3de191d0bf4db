// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetMessages

/// A question from a peer or about one, to be answered with a disposition and perhaps a credential.
public final class URLAuthenticationChallenge: Sendable {
  /// The space that the challenge is for, and its scheme.
  public let protectionSpace: URLProtectionSpace
  /// The credential that the session would try.
  public let proposedCredential: URLCredential?
  /// The number of answers that the peer has refused.
  public let previousFailureCount: Int
  /// The response that carried the challenge, such as a 401; `nil` for a server's trust.
  public let failureResponse: URLResponse?
  /// Why the last answer failed, where a `URLProtocol` says so; `nil` otherwise.
  public let error: (any Error)?
  /// The receiver of the answer to a challenge that a `URLProtocol` raised; `nil` for others, to be answered with a
  /// disposition.
  public let sender: (any URLAuthenticationChallengeSender)?

  /// Makes a challenge, for a `URLProtocol` to hand to its client.
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

/// Takes the answers to challenges that a `URLProtocol` raises; called on the queue of the protocol's load.
public protocol URLAuthenticationChallengeSender: AnyObject, Sendable {
  /// Answers the challenge with a credential.
  func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge)
  /// Goes on without answering the challenge, as if it had not come.
  func continueWithoutCredential(for challenge: URLAuthenticationChallenge)
  /// Answers the challenge by giving up; the `URLProtocol` then ends its load with an error.
  func cancel(_ challenge: URLAuthenticationChallenge)
  /// Answers as if there were no delegate. By default the same as ``continueWithoutCredential(for:)``.
  func performDefaultHandling(for challenge: URLAuthenticationChallenge)
  /// Refuses to authenticate for this space. By default the same as ``continueWithoutCredential(for:)``.
  func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge)
}

extension URLAuthenticationChallengeSender {
  /// Goes on without a credential, so that the load does not wait for ever.
  public func performDefaultHandling(for challenge: URLAuthenticationChallenge) {
    continueWithoutCredential(for: challenge)
  }
  /// Goes on without a credential, so that the load does not wait for ever.
  public func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {
    continueWithoutCredential(for: challenge)
  }
}
