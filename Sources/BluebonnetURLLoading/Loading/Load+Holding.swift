// SPDX-License-Identifier: MIT
import BluebonnetLoading
import BluebonnetTransport

// Why the body is held back: one answer, wherever it comes from.
extension Load {
  var isSuspended: Bool { state.incoming.holds.contains(.caller) }

  func hold(_ reasons: Holds) {
    state.incoming.holds.formUnion(reasons)
    state.source?.hold(reasons)
  }

  /// Whether the body of the response is wanted now.
  var isReceiving: Bool { if case .receiving = state.phase { true } else { false } }

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

  // MARK: What the task asks for, on any thread (`TaskDriver`)

  func hold(while isHeld: @escaping @Sendable () -> Bool) {
    engine.loop.execute { [self] in
      guard isHeld() else { return release(.slowReader) }
      hold(.slowReader)
      letOthersGo()
    }
  }

  func priorityChanged() {
    engine.loop.execute { [self] in
      engine.requests?.urgencyChanged(of: self)
      state.source?.urgencyChanged()
    }
  }

  func endWithoutRest() {
    engine.loop.execute { [self] in
      guard case .receiving = state.phase else { return }
      // Half a body is no answer for the next request.
      state.incoming.dropCopy()
      discard(state.response, then: .finish)
    }
  }

  func cancel() {
    engine.loop.execute { self.endCancelled() }
  }
}
