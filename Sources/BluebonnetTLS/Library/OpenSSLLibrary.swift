// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

/// The library as a whole.
package enum OpenSSLLibrary {
  /// Initialises OpenSSL, once and in our way. Whatever may be the first to touch OpenSSL calls this before.
  ///
  /// By default OpenSSL frees its tables in a handler of `exit()`, while the loops' threads may be in the middle of a
  /// handshake: the process then dies of a signal. The kernel takes the memory back anyway.
  package static func initialize() { _ = isInitialized }

  /// The first of all calls decides about the handler, hence nothing else may come before it.
  private static let isInitialized = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

  /// The result of a hash function; nil if it fails. `body` puts it into the buffer, and its length beside it.
  package static func hash(_ body: (UnsafeMutablePointer<UInt8>?, inout UInt32) -> Bool) -> [UInt8]? {
    var isDone = false
    let digest = [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
      var length: UInt32 = 0
      isDone = body(buffer.baseAddress, &length)
      count = isDone ? Int(length) : 0
    }
    return isDone ? digest : nil
  }
}
