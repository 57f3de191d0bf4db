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

/// A receive buffer that is kept instead of copying from it: the bytes it is kept for are only read from here on. It
/// goes back to its store with the last reference.
///
/// Bytes received behind them may still be moved about, within the loan.
package final class RetainedBuffer: Sendable {
  private let owned: ReceiveMemory
  private let store: BufferStore

  var memory: UnsafeMutableRawBufferPointer { owned.bytes }

  init(_ memory: ReceiveMemory, from store: BufferStore) {
    owned = memory
    self.store = store
  }

  deinit {
    store.giveBack(owned)
  }
}

/// The memory of one receive buffer, freed with the last reference.
///
/// `@unchecked Sendable`: the pointer never changes. Only its lender, a `ReceiveBuffer`, writes to it; all other references
/// only read the bytes that it was retained for (`RetainedBuffer`), or keep it unused (`BufferStore`).
final class ReceiveMemory: @unchecked Sendable {
  let bytes: UnsafeMutableRawBufferPointer

  init(capacity: Int) {
    bytes = .allocate(byteCount: capacity, alignment: 64)
  }

  deinit {
    bytes.deallocate()
  }
}
