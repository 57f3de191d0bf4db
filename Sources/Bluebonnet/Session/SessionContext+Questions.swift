// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

// A task's questions, answered by the request that it belongs to, if it does to one, or else by the session.
extension SessionContext {
  /// Asks the request's redirect handler, or else the session's.
  func follow(
    _ response: HTTPURLResponse, with next: URLRequest, _ task: URLSessionTask, of request: Request?,
    answer: @escaping @Sendable (URLRequest?) -> Void
  ) {
    observer?.urlSession(task.session, task: task, willPerformHTTPRedirection: response, newRequest: next)
    guard let handler = request?.redirectHandler ?? redirectHandler else { return answer(next) }
    userCode { handler.task(task, willBeRedirectedTo: next, for: response, completion: answer) }
  }

  /// Asks the request's handler of cached responses, or else the session's.
  func cache(
    _ response: CachedURLResponse, _ task: URLSessionDataTask, of request: Request?,
    answer: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    observer?.urlSession(task.session, dataTask: task, willCacheResponse: response)
    guard let handler = request?.cachedResponseHandler ?? cachedResponseHandler else {
      return answer(response)
    }
    userCode { handler.dataTask(task, willCacheResponse: response, completion: answer) }
  }

  typealias ChallengeAnswer =
    @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

  /// Evaluates the server's trust, or looks for a credential.
  func meet(
    _ challenge: URLAuthenticationChallenge, _ task: URLSessionTask, of request: Request?,
    answer: @escaping ChallengeAnswer
  ) {
    observer?.urlSession(task.session, task: task, didReceive: challenge)
    switch challenge.protectionSpace.authenticationMethod {
    case NSURLAuthenticationMethodServerTrust:
      evaluateTrust(challenge, task, of: request, answer: answer)
    case NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest,
      NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate,
      NSURLAuthenticationMethodClientCertificate:
      identify(challenge, task, of: request, answer: answer)
    default:
      answer(.performDefaultHandling, nil)
    }
  }

  /// A credential that was refused once is not offered again.
  private func identify(
    _ challenge: URLAuthenticationChallenge, _ task: URLSessionTask, of request: Request?,
    answer: @escaping ChallengeAnswer
  ) {
    guard challenge.previousFailureCount == 0 else { return answer(.rejectProtectionSpace, nil) }
    let credential =
      request?.credential(for: challenge.protectionSpace, of: task)
      ?? task.session.settings.urlCredentialStorage?.defaultCredential(for: challenge.protectionSpace)
    if let credential {
      answer(.useCredential, credential)
    } else {
      answer(.performDefaultHandling, nil)
    }
  }

  private func evaluateTrust(
    _ challenge: URLAuthenticationChallenge, _ task: URLSessionTask, of request: Request?,
    answer: @escaping ChallengeAnswer
  ) {
    guard let manager = serverTrustManager, let trust = challenge.protectionSpace.serverTrust else {
      return answer(.performDefaultHandling, nil)
    }
    let host = challenge.protectionSpace.host
    // An evaluator may be the caller's, and take its time. Each has a queue, thus a thread, to itself: on one that is
    // shared, those of other hosts would wait, and a concurrent one has no more threads than there are processors.
    DispatchQueue(label: "\(rootQueue.label).evaluation").async {
      do {
        guard let evaluator = try manager.serverTrustEvaluator(forHost: host) else {
          return answer(.performDefaultHandling, nil)
        }
        try evaluator.evaluate(trust, forHost: host)
        answer(.useCredential, URLCredential(trust: trust))
      } catch {
        let reason = error.asAFError(
          or: .serverTrustEvaluationFailed(reason: .customEvaluationFailed(error: error)))
        // Back where the request's other events come from, so that they stay in order.
        self.step {
          request?.didFailTask(task, earlyWithError: reason)
          answer(.cancelAuthenticationChallenge, nil)
        }
      }
    }
  }
}
