import BluebonnetTLS
import CBluebonnetOpenSSL

/// The keyed hash of NTLMv2 (RFC 2104 over MD5).
package enum HMACMD5 {
  /// Nil where a policy of the system forbids MD5.
  package static func code(_ bytes: [UInt8], key: [UInt8]) -> [UInt8]? {
    OpenSSLLibrary.initialize()
    var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var length: UInt32 = 0
    guard HMAC(EVP_md5(), key, Int32(key.count), bytes, bytes.count, &output, &length) != nil else {
      return nil
    }
    return Array(output.prefix(Int(length)))
  }
}
