// SPDX-License-Identifier: MIT
extension Request {
  /// The state of a request, as its owner sees it.
  public enum State: Sendable {
    /// The request was made, and nothing else has happened yet.
    case initialized
    /// Running, or about to run as soon as there is a task.
    case resumed
    /// The request does nothing until it is resumed.
    case suspended
    /// Cancelled by its owner or by the library. There is no way back.
    case cancelled
    /// Everything is over and all handlers have been served. There is no way back.
    case finished

    /// The one table of legal transitions. Staying where one is counts as illegal, so that a repeated
    /// call has no second effect.
    func canTransitionTo(_ state: State) -> Bool {
      switch (self, state) {
      case (_, .initialized), (.cancelled, _), (.finished, _): false
      case (.initialized, _): true
      case (.resumed, .suspended), (.suspended, .resumed): true
      case (.resumed, .cancelled), (.suspended, .cancelled): true
      case (.resumed, .finished), (.suspended, .finished): true
      case (.resumed, .resumed), (.suspended, .suspended): false
      }
    }
  }
}
