import BluebonnetLoading
import BluebonnetTransport

// Why the body is held back: one answer, wherever it comes from.
extension LoadDriver {
  var isSuspended: Bool { state.incoming.holds.contains(.caller) }

  func hold(_ reasons: Holds) {
    state.incoming.holds.formUnion(reasons)
    state.source?.hold(reasons)
  }

  /// The body waits for the answer to a question, unless there is one already.
  func holdWhileDeciding() { if case .deciding = state.phase { hold(.decision) } }

  /// Lets the body flow if nothing else holds it back.
  func release(_ reasons: Holds) {
    state.incoming.holds.subtract(reasons)
    state.source?.release(reasons)
  }

  /// Whether an answer of the listener's counts; one that does not is a mistake of the caller's, unless the load has ended meanwhile.
  func take(_ question: QuestionLog.Question) -> Bool {
    if state.machine.take(question) { return true }
    if !state.machine.endedWithout(question) { reportIgnoredAnswer(to: question.subject) }
    return false
  }

  func reportIgnoredAnswer(to subject: QuestionSubject) {
    subject.reportIgnoredAnswer(by: listener?.ownerName ?? "nothing", about: state.request.url?.shown)
  }

  /// A question has been answered. What the answer has led to may have been the next question.
  func releaseDecision() {
    if case .deciding = state.phase { return }
    release(.decision)
  }

  /// A reader has more in hand than it works off, or has caught up.
  func readerChanged(isSlow: Bool) {
    if isSlow { hold(.slowReader) } else { release(.slowReader) }
  }
}
