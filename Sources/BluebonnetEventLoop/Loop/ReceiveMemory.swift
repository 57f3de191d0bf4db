/// The memory of one receive buffer, freed with the last reference.
///
/// `@unchecked Sendable`: the pointer never changes. Only who lends it writes to it, a `ReceiveBuffer`; whoever else refers to
/// it only reads the bytes that it was retained for (`RetainedBuffer`), or keeps it unused (`BufferStore`).
final class ReceiveMemory: @unchecked Sendable {
  let bytes: UnsafeMutableRawBufferPointer

  init(capacity: Int) {
    bytes = .allocate(byteCount: capacity, alignment: 64)
  }

  deinit {
    bytes.deallocate()
  }
}
