// SPDX-License-Identifier: MIT

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
