/// Bytes on their way to the socket: filled at the end, drained at the front.
///
/// Allocated on first use and given back by `reset`, so an idle connection holds none.
struct OutgoingBuffer: ~Copyable {
  private var storage = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  // Invariant: 0 <= start <= end <= storage.count.
  private var start = 0
  private var end = 0

  deinit {
    storage.deallocate()
  }

  var isEmpty: Bool { start == end }

  /// The bytes not yet sent; valid until the next mutation.
  var readable: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: storage[start..<end])
  }

  /// Room for at least `count` bytes behind what is there; valid until the next mutation.
  mutating func room(for count: Int) -> UnsafeMutableRawBufferPointer {
    if start == end {
      start = 0
      end = 0
    }
    if storage.count - end < count { grow(for: count) }
    return UnsafeMutableRawBufferPointer(rebasing: storage[end...])
  }

  mutating func filled(_ count: Int) {
    end += count
  }

  mutating func sent(_ count: Int) {
    start += count
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty else { return }
    room(for: bytes.count).copyMemory(from: bytes)
    filled(bytes.count)
  }

  mutating func reset() {
    storage.deallocate()
    storage = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    start = 0
    end = 0
  }

  private mutating func grow(for count: Int) {
    let held = end - start
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Swift.max(4096, held + count), alignment: 16)
    larger.copyMemory(from: readable)
    storage.deallocate()
    storage = larger
    start = 0
    end = held
  }
}
