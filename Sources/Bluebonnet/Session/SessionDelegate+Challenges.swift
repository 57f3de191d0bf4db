import BluebonnetFoundation
import BluebonnetURLLoading

extension SessionDelegate {
  typealias ChallengeAnswer =
    @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

  func answer(
    _ challenge: URLAuthenticationChallenge, of task: URLSessionTask, in session: URLSession,
    completion: @escaping ChallengeAnswer
  ) {
    switch challenge.protectionSpace.authenticationMethod {
    case NSURLAuthenticationMethodServerTrust:
      judgeTrust(challenge, of: task, completion: completion)
    case NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest,
      NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate,
      NSURLAuthenticationMethodClientCertificate:
      identify(challenge, of: task, in: session, completion: completion)
    default:
      completion(.performDefaultHandling, nil)
    }
  }

  /// What was refused once is not offered again.
  private func identify(
    _ challenge: URLAuthenticationChallenge, of task: URLSessionTask, in session: URLSession,
    completion: ChallengeAnswer
  ) {
    guard challenge.previousFailureCount == 0 else { return completion(.rejectProtectionSpace, nil) }
    let credential =
      request(for: task)?.credential(for: challenge.protectionSpace, of: task)
      ?? session.configuration.urlCredentialStorage?.defaultCredential(for: challenge.protectionSpace)
    if let credential {
      completion(.useCredential, credential)
    } else {
      completion(.performDefaultHandling, nil)
    }
  }

  private func judgeTrust(
    _ challenge: URLAuthenticationChallenge, of task: URLSessionTask, completion: @escaping ChallengeAnswer
  ) {
    guard let context, let manager = context.serverTrustManager,
      let trust = challenge.protectionSpace.serverTrust
    else { return completion(.performDefaultHandling, nil) }
    let host = challenge.protectionSpace.host
    // An evaluator may be anybody's, and take its time. Each has a queue, thus a thread, to itself: on one that is
    // shared, those of other hosts would wait, and a concurrent one has no more threads than there are processors.
    DispatchQueue(label: "\(context.rootQueue.label).evaluation").async {
      do {
        guard let evaluator = try manager.serverTrustEvaluator(forHost: host) else {
          return completion(.performDefaultHandling, nil)
        }
        try evaluator.evaluate(trust, forHost: host)
        completion(.useCredential, URLCredential(trust: trust))
      } catch {
        let reason = error.asAFError(
          or: .serverTrustEvaluationFailed(reason: .customEvaluationFailed(error: error)))
        // Back where the request's other events come from, so that they stay in order.
        context.step {
          self.request(for: task)?.didFailTask(task, earlyWithError: reason)
          completion(.cancelAuthenticationChallenge, nil)
        }
      }
    }
  }
}
