// SPDX-License-Identifier: MIT
import BluebonnetLoading
import Synchronization

#if DEBUG
  import BluebonnetLibc
#endif

package typealias QuestionSubject = BluebonnetLoading.QuestionSubject

extension QuestionSubject {
  /// Says on standard error, in debug builds, that a completion handler was called for a question that is not open. Nothing else comes
  /// of the call: it is a mistake in the caller's code.
  ///
  /// - Parameters:
  ///   - owner: The type with the completion handler.
  ///   - address: The address of the request in question.
  package func reportIgnoredAnswer(
    by owner: @autoclosure () -> String, about address: @autoclosure () -> String?
  ) {
    #if DEBUG
      let line =
        "bluebonnet: the completion handler of \(rawValue), which \(owner()) was given for \(address() ?? "a request"), was called "
        + "again, or after its question had been dropped; this answer is ignored\n"
      _ = write(STDERR_FILENO, line, line.utf8.count)
    #endif
  }
}

/// Lets the first answer to a question through, for questions of which several may be open at once.
package final class SingleAnswer: Sendable {
  private let isGiven = Atomic(false)

  package init() {}

  /// - Returns: Whether this is the first answer.
  package func take() -> Bool { !isGiven.exchange(true, ordering: .acquiringAndReleasing) }
}
