// SPDX-License-Identifier: MIT
import BluebonnetTLS
import CBluebonnetOpenSSL

/// The keyed hash of NTLMv2 (RFC 2104 over MD5).
package enum HMACMD5 {
  /// Nil where a policy of the system forbids MD5.
  package static func code(_ bytes: [UInt8], key: [UInt8]) -> [UInt8]? {
    OpenSSLLibrary.initialize()
    return OpenSSLLibrary.hash {
      HMAC(EVP_md5(), key, Int32(key.count), bytes, bytes.count, $0, &$1) != nil
    }
  }
}
