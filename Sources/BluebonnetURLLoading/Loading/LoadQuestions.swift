/// Numbers the questions of a load to its listener. The newest one may be open; an answer counts while its question is, and once.
///
///     ask() ──▶ open ── take() ──▶ answered
///                │
///                └── ask() ──▶ superseded
///
/// A delegate may keep its completion handlers, and call one when another question is open. What it says then is not about that one:
/// it would send one origin the credentials that are meant for another.
struct LoadQuestions {
  /// One question; only the value that made it knows whether it is open.
  struct Question: Sendable {
    let subject: QuestionSubject
    fileprivate let number: UInt32
  }

  private var newest: UInt32 = 0
  private var isOpen = false

  /// Opens the next question.
  mutating func ask(_ subject: QuestionSubject) -> Question {
    newest &+= 1
    isOpen = true
    return Question(subject: subject, number: newest)
  }

  /// Closes a question.
  ///
  /// - Returns: false if it is not open: it has been answered, or another one has taken its place.
  mutating func take(_ question: Question) -> Bool {
    guard isOpen(question) else { return false }
    isOpen = false
    return true
  }

  func isOpen(_ question: Question) -> Bool { isOpen && question.number == newest }
}
