/// A receive buffer that somebody keeps instead of copying from it. It goes back to its store with the last reference.
///
/// `@unchecked Sendable`: what has been received into the memory is only read from here on, until nobody refers to it.
package final class KeptBuffer: @unchecked Sendable {
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
