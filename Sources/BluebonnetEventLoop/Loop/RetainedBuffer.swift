/// A receive buffer that somebody keeps instead of copying from it. It goes back to its store with the last reference.
///
/// `@unchecked Sendable`: the bytes it is kept for are only read from here on, until nobody refers to it. What is received
/// behind them may still be moved about, within the loan.
package final class RetainedBuffer: @unchecked Sendable {
  let memory: UnsafeMutableRawBufferPointer
  private let store: BufferStore

  init(_ memory: UnsafeMutableRawBufferPointer, from store: BufferStore) {
    self.memory = memory
    self.store = store
  }

  deinit {
    store.giveBack(memory)
  }
}
