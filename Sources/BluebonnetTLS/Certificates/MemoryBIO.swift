// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

/// Text on its way between Swift and OpenSSL's PEM functions.
enum MemoryBIO {
  /// Lets `body` read `bytes` as a BIO.
  static func reading<R>(_ bytes: [UInt8], _ body: (OpaquePointer) -> R?) -> R? {
    OpenSSLLibrary.initialize()
    guard let count = Int32(exactly: bytes.count) else { return nil }
    return bytes.withUnsafeBytes { buffer -> R? in
      guard let bio = BIO_new_mem_buf(buffer.baseAddress, count) else { return nil }
      defer { BIO_free(bio) }
      return body(bio)
    }
  }

  /// The bytes written by `body`, or `nil` if it reports a failure.
  static func writing(_ body: (OpaquePointer) -> Bool) -> [UInt8]? {
    OpenSSLLibrary.initialize()
    guard let bio = BIO_new(BIO_s_mem()) else { return nil }
    defer { BIO_free(bio) }
    guard body(bio) else { return nil }
    var start: UnsafeMutableRawPointer?
    let count = BIO_ctrl(bio, BIO_CTRL_INFO, 0, &start)
    return Array(UnsafeRawBufferPointer(start: start, count: max(count, 0)))
  }
}

/// The DER that an `i2d_…` function writes.
///
/// The functions come in two steps: without a target they tell the size, with one they move it along.
func derBytes(_ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8]? {
  let size = Int(encode(nil))
  guard size > 0 else {
    ERR_clear_error()
    return nil
  }
  return [UInt8](unsafeUninitializedCapacity: size) { buffer, written in
    var cursor = buffer.baseAddress
    written = max(Int(encode(&cursor)), 0)
  }
}
