/// The one buffer into which the loop receives, allocated when it is first needed.
///
/// 256 KiB: a gigabyte takes 4,096 system calls, and the buffer stays in a core's second-level cache. (curl's default
/// is 16 KiB, hyper's at most 400 KiB, AsyncHTTPClient's grows to 64 KiB.)
struct ReceiveBuffer: ~Copyable {
  static let capacity = 256 * 1024

  private var memory: UnsafeMutableRawBufferPointer?
  private var isLent = false

  init() {}

  deinit {
    memory?.deallocate()
  }

  /// The buffer, until it is given back. A second borrower gets memory of its own rather than the first one's bytes.
  mutating func lend() -> UnsafeMutableRawBufferPointer {
    assert(!isLent, "the receive buffer is not for nested use")
    if isLent { return Self.allocate() }
    isLent = true
    if let memory { return memory }
    let fresh = Self.allocate()
    memory = fresh
    return fresh
  }

  mutating func giveBack(_ buffer: UnsafeMutableRawBufferPointer) {
    if buffer.baseAddress == memory?.baseAddress { isLent = false } else { buffer.deallocate() }
  }

  private static func allocate() -> UnsafeMutableRawBufferPointer {
    .allocate(byteCount: capacity, alignment: 64)
  }
}
