// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// A part of a request's body, between its reader or producer and the loop that sends it.
// Unchecked: it has one owner at a time, and is handed on under a mutex.
package final class BodyPiece: @unchecked Sendable {
  let memory: UnsafeMutableRawBufferPointer
  /// The number of bytes in it.
  package internal(set) var count = 0

  init(capacity: Int) {
    memory = .allocate(byteCount: capacity, alignment: 64)
  }

  deinit {
    memory.deallocate()
  }

  func bytes(from offset: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: memory[offset..<count])
  }

  /// There is room for the bytes.
  func append(_ bytes: UnsafeRawBufferPointer) {
    UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
    count += bytes.count
  }
}

extension BodyPiece: ContiguousBytes {
  package func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try body(bytes(from: 0))
  }
}
