/// A part of a request's body, between the queue that reads it and the loop that sends it.
// Unchecked: it has one owner at a time, and is handed on under a mutex.
final class BodyPiece: @unchecked Sendable {
  let memory: UnsafeMutableRawBufferPointer
  /// How many bytes there are in it.
  var count = 0

  init(capacity: Int) {
    memory = .allocate(byteCount: capacity, alignment: 64)
  }

  deinit {
    memory.deallocate()
  }

  func bytes(from offset: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: memory[offset..<count])
  }
}
