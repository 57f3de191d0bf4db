// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetURLLoading

/// Answers challenges with what it was given, and writes down what it was asked.
final class ChallengeAnswerer: URLSessionDataDelegate {
  typealias Answer =
    @Sendable (URLAuthenticationChallenge) -> (URLSession.AuthChallengeDisposition, URLCredential?)

  private let asked = Locked<[URLAuthenticationChallenge]>([])
  private let answer: Answer

  init(_ answer: @escaping Answer) { self.answer = answer }

  /// Answers once with a credential, whatever the scheme is.
  convenience init(_ credential: URLCredential) {
    self.init { $0.previousFailureCount == 0 ? (.useCredential, credential) : (.rejectProtectionSpace, nil) }
  }

  var challenges: [URLAuthenticationChallenge] { asked.withLock { $0 } }

  /// The methods that were asked about, without their common beginning, and how many answers had been refused.
  var questions: [String] {
    challenges.map {
      let name = $0.protectionSpace.authenticationMethod.dropFirst("NSURLAuthenticationMethod".count)
      return "\(name) \($0.previousFailureCount)"
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    asked.withLock { $0.append(challenge) }
    let (disposition, credential) = answer(challenge)
    completionHandler(disposition, credential)
  }
}
