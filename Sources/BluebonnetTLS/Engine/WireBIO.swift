// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

/// The BIO through which OpenSSL reads and writes `WireBuffers`: no socket, and no copy besides OpenSSL's own.
enum WireBIO {
  /// Makes a BIO over `buffers`; they must outlive it.
  static func make(over buffers: WireBuffers) -> OpaquePointer? {
    guard let method, let bio = BIO_new(method) else { return nil }
    BIO_set_data(bio, Unmanaged.passUnretained(buffers).toOpaque())
    BIO_set_init(bio, 1)
    return bio
  }

  // Written once before other threads can see it; OpenSSL only reads it.
  nonisolated(unsafe) private static let method: OpaquePointer? = {
    let kind = BIO_get_new_index() | BIO_TYPE_SOURCE_SINK
    guard let method = BIO_meth_new(kind, "bluebonnet wire"),
      BIO_meth_set_read_ex(method, read) == 1,
      BIO_meth_set_write_ex(method, write) == 1,
      BIO_meth_set_ctrl(method, control) == 1
    else { return nil }
    return method
  }()

  private static let read:
    @convention(c) (OpaquePointer?, UnsafeMutablePointer<CChar>?, Int, UnsafeMutablePointer<Int>?) -> Int32 =
      {
        bio, target, count, taken in
        guard let buffers = buffers(of: bio), let target, let taken else { return 0 }
        BIO_clear_flags(bio, retryFlags)
        taken.pointee = buffers.take(into: UnsafeMutableRawBufferPointer(start: target, count: count))
        if taken.pointee > 0 { return 1 }
        if !buffers.hasEnded { BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY) }
        return 0
      }

  private static let write:
    @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, Int, UnsafeMutablePointer<Int>?) -> Int32 = {
      bio, source, count, written in
      guard let buffers = buffers(of: bio), let source, let written else { return 0 }
      BIO_clear_flags(bio, retryFlags)
      buffers.append(UnsafeRawBufferPointer(start: source, count: count))
      written.pointee = count
      return 1
    }

  private static let control: @convention(c) (OpaquePointer?, Int32, Int, UnsafeMutableRawPointer?) -> Int = {
    bio, command, _, _ in
    switch command {
    case BIO_CTRL_EOF:
      guard let buffers = buffers(of: bio) else { return 1 }
      return buffers.hasEnded && buffers.unreadCount == 0 ? 1 : 0
    case BIO_CTRL_FLUSH: return 1
    default: return 0
    }
  }

  private static let retryFlags =
    BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_IO_SPECIAL | BIO_FLAGS_SHOULD_RETRY

  private static func buffers(of bio: OpaquePointer?) -> WireBuffers? {
    BIO_get_data(bio).map { Unmanaged<WireBuffers>.fromOpaque($0).takeUnretainedValue() }
  }
}
