// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetURLLoading

/// Answers each question rightly and once, keeps one of the completion handlers, and calls it again with something else.
final class RepeatingDelegate: URLSessionDataDelegate, URLSessionDownloadDelegate {
  /// Which handler is called again, and when. A question is named by its subject and by how often that has been asked.
  struct Plan: Sendable, CustomStringConvertible {
    var kept = ""
    /// The number of the other answer.
    var answer = 0
    /// The question that is open, or has just been answered; nil for the end of the task.
    var moment: String?
    /// Before the right answer to that question.
    var isEarly = false

    var description: String {
      "the handler of \(kept), answer \(answer), \(isEarly ? "during" : "after") \(moment ?? "the end")"
    }
  }

  struct Record: Sendable, Equatable {
    var questions: [String] = []
    var data = Data()
    var status: Int?
    var errorCode: URLError.Code?
  }

  private struct State {
    var record = Record()
    var again: (@Sendable () -> Void)?
    var repetitions = 0
    var answers: [String: Int] = [:]
    var isComplete = false
  }

  /// The answers that would be right for the flow at hand, and what stands for a wrong one.
  struct Answers: Sendable {
    var disposition = URLSession.ResponseDisposition.allow
    var body = Data("content".utf8)
    var identity: URLCredential?
    /// Leads where nothing may be sent.
    var elsewhere: URLRequest
  }

  private let state = Locked(State())
  private let plan: Plan
  private let answers: Answers

  init(_ answers: Answers, _ plan: Plan = Plan()) {
    (self.answers, self.plan) = (answers, plan)
  }

  var record: Record { state.withLock { $0.record } }
  var isComplete: Bool { state.withLock { $0.isComplete } }
  var repetitions: Int { state.withLock { $0.repetitions } }
  /// How many other answers each question has.
  var otherAnswers: [String: Int] { state.withLock { $0.answers } }

  private func asked(
    _ subject: String, others: [@Sendable () -> Void], answer: @Sendable () -> Void
  ) {
    let name = state.withLock { state in
      let count = state.record.questions.count { $0.hasPrefix(subject + " ") }
      let name = "\(subject) \(count + 1)"
      state.record.questions.append(name)
      state.answers[name] = others.count
      return name
    }
    if plan.moment == name, plan.isEarly { answerAgain() }
    // Where the delegate is called on the loop, the next question may be asked before this one's handler returns.
    if plan.kept == name { state.withLock { $0.again = others[plan.answer] } }
    answer()
    if plan.moment == name, !plan.isEarly { answerAgain() }
  }

  private func answerAgain() {
    let again = state.withLock { state in
      if state.again != nil { state.repetitions += 1 }
      return state.again
    }
    again?()
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
  ) {
    asked(
      "delay",
      others: [
        { [answers] in completionHandler(.useNewRequest, answers.elsewhere) },
        { completionHandler(.cancel, nil) },
      ]
    ) { completionHandler(.continueLoading, nil) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    asked(
      "redirect", others: [{ [answers] in completionHandler(answers.elsewhere) }, { completionHandler(nil) }]
    ) { completionHandler(request) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    let space = challenge.protectionSpace
    let other = URLCredential(user: "mallory", password: "wrong", persistence: .forSession)
    let others: [@Sendable () -> Void] = [
      { completionHandler(.cancelAuthenticationChallenge, nil) },
      { completionHandler(.useCredential, other) },
      { completionHandler(.rejectProtectionSpace, nil) },
    ]
    if let trust = space.serverTrust {
      asked("trust", others: others) { completionHandler(.useCredential, URLCredential(trust: trust)) }
    } else if space.authenticationMethod == NSURLAuthenticationMethodClientCertificate {
      asked("certificate", others: others) { [answers] in
        completionHandler(.useCredential, answers.identity)
      }
    } else {
      let user = space.realm ?? ""
      asked(space.isProxy() ? "proxy" : "credential", others: others) {
        completionHandler(
          .useCredential, URLCredential(user: user, password: "secret", persistence: .forSession))
      }
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    asked(
      "stream",
      others: [{ completionHandler(InputStream(data: Data("another".utf8))) }, { completionHandler(nil) }]
    ) { [answers] in completionHandler(InputStream(data: answers.body)) }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    state.withLock { $0.record.status = (response as? HTTPURLResponse)?.statusCode }
    asked(
      "response",
      others: [
        { completionHandler(.cancel) }, { completionHandler(.becomeDownload) }, { completionHandler(.allow) },
      ]
    ) { [answers] in completionHandler(answers.disposition) }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask,
    willCacheResponse proposedResponse: CachedURLResponse,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    asked("cache", others: [{ completionHandler(nil) }, { completionHandler(proposedResponse) }]) {
      completionHandler(proposedResponse)
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    state.withLock { $0.record.data.append(data) }
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    let data = try? Data(contentsOf: location)
    state.withLock { $0.record.data.append(data ?? Data("no file".utf8)) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let isAtEnd = plan.moment == nil
    if isAtEnd { answerAgain() }
    state.withLock {
      $0.record.errorCode = (error as? URLError)?.code
      $0.isComplete = true
    }
  }
}
