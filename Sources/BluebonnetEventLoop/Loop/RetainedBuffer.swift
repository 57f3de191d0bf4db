// SPDX-License-Identifier: MIT

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
