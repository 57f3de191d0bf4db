// SPDX-License-Identifier: MIT

/// Gathers the answers of the loops asked for an idle connection. Touched only while the asking loop is held.
final class IdlePoll {
  private var unanswered: Int
  private var completion: ((Bool) -> Void)?

  init(asked: Int, _ completion: @escaping (Bool) -> Void) {
    unanswered = asked
    self.completion = completion
  }

  func answered(_ found: Bool) {
    unanswered -= 1
    guard found || unanswered == 0 else { return }
    completion.take()?(found)
  }
}
