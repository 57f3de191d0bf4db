// SPDX-License-Identifier: MIT
import Synchronization

/// Counts, on any thread.
final class Counter: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .acquiring) }

  func count() {
    number.add(1, ordering: .acquiringAndReleasing)
  }
}
