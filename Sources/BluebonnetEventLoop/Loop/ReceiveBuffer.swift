// SPDX-License-Identifier: MIT

/// The one buffer into which bytes are received, allocated when it is first needed.
///
///     lend ──▶ (keep)? ──▶ giveBack
///
/// 256 KiB: a gigabyte takes 4,096 system calls, and the buffer stays in a core's second-level cache. (curl's default
/// is 16 KiB, hyper's at most 400 KiB, AsyncHTTPClient's grows to 64 KiB.)
package struct ReceiveBuffer: ~Copyable {
  @inlinable
  package static var capacity: Int { 256 * 1024 }
  /// Whether so many bytes are better kept than copied: for less than half of a buffer that would waste more memory than a
  /// copy takes time.
  @inlinable
  package static func isWorthKeeping(_ count: Int) -> Bool { count >= capacity / 2 }

  private let store = BufferStore(capacity: capacity)
  private var memory: ReceiveMemory?
  private var isLent = false
  /// Of the present loan. Held until it ends, so that the borrower may go on reading whatever the keeper does.
  private var kept: RetainedBuffer?

  package init() {}

  /// The buffer, until it is given back. A second borrower gets memory of its own rather than the first one's bytes.
  package mutating func lend() -> UnsafeMutableRawBufferPointer {
    assert(!isLent, "the receive buffer is not for nested use")
    if isLent { return .allocate(byteCount: Self.capacity, alignment: 64) }
    isLent = true
    if let memory { return memory.bytes }
    let taken = store.take()
    memory = taken
    return taken.bytes
  }

  package mutating func giveBack(_ buffer: UnsafeMutableRawBufferPointer) {
    guard buffer.baseAddress == memory?.bytes.baseAddress else { return buffer.deallocate() }
    isLent = false
    guard kept != nil else { return }
    memory = nil
    kept = nil
  }

  /// Lets the caller keep the lent buffer for the sake of `bytes` in it; the next borrower gets another one. Nil if
  /// they are not in it, or so few that a copy is better.
  package mutating func keep(_ bytes: UnsafeRawBufferPointer) -> RetainedBuffer? {
    guard isLent, Self.isWorthKeeping(bytes.count), let memory, let base = memory.bytes.baseAddress,
      let start = bytes.baseAddress, start >= UnsafeRawPointer(base),
      start + bytes.count <= UnsafeRawPointer(base) + memory.bytes.count
    else { return nil }
    let buffer = kept ?? RetainedBuffer(memory, from: store)
    kept = buffer
    return buffer
  }
}
