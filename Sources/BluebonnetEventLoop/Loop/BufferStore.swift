// SPDX-License-Identifier: MIT
import BluebonnetLocks

/// Unused buffers, to be used again: fresh memory would have to be faulted in page by page.
final class BufferStore: Sendable {
  /// As many as a fast download has on the way between the loop and its consumer.
  private static let limit = 4

  private let capacity: Int
  private let unused = Locked<[ReceiveMemory]>([])

  init(capacity: Int) {
    self.capacity = capacity
  }

  func take() -> ReceiveMemory {
    unused.withLock { $0.popLast() } ?? ReceiveMemory(capacity: capacity)
  }

  func giveBack(_ memory: ReceiveMemory) {
    unused.withLock { unused in
      if unused.count < Self.limit { unused.append(memory) }
    }
  }
}
