// SPDX-License-Identifier: MIT
import Synchronization

/// The pieces of a streamed body, and whether they may be iterated once more.
final class PieceSequence: Sendable {
  let length: Int?
  let isReplayable: Bool
  let produce: @Sendable (inout PieceWriter) async throws -> Void
  private let isBegun = Atomic(false)

  init(
    length: Int?, isReplayable: Bool, _ produce: @escaping @Sendable (inout PieceWriter) async throws -> Void
  ) {
    self.length = length
    self.isReplayable = isReplayable
    self.produce = produce
  }

  /// - Returns: false if it has been iterated, and that is possible once only.
  func begin() -> Bool {
    !isBegun.exchange(true, ordering: .acquiringAndReleasing) || isReplayable
  }
}
