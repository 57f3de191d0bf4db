/// Buffers that nobody uses at the moment, to be used again: fresh memory would have to be faulted in page by page.
///
/// `@unchecked Sendable`: the list is guarded by the mutex, and a buffer is either in it or has one owner.
final class BufferStore: @unchecked Sendable {
  /// As many as a fast download has on the way between the loop and its consumer.
  private static let limit = 4

  private let capacity: Int
  private let mutex = AdaptiveMutex()
  private var unused: [UnsafeMutableRawBufferPointer] = []

  init(capacity: Int) {
    self.capacity = capacity
  }

  deinit {
    for buffer in unused { buffer.deallocate() }
  }

  func take() -> UnsafeMutableRawBufferPointer {
    mutex.withLock { unused.popLast() } ?? .allocate(byteCount: capacity, alignment: 64)
  }

  func giveBack(_ buffer: UnsafeMutableRawBufferPointer) {
    let isStored = mutex.withLock {
      guard unused.count < Self.limit else { return false }
      unused.append(buffer)
      return true
    }
    if !isStored { buffer.deallocate() }
  }
}
