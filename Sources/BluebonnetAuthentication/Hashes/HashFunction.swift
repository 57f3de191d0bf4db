// SPDX-License-Identifier: MIT
import BluebonnetTLS
import CBluebonnetOpenSSL

/// The hash functions of Digest authentication (RFC 7616 §6.1).
package enum HashFunction: String, Sendable, Hashable {
  case md5 = "MD5"
  case sha256 = "SHA-256"
  case sha512Half = "SHA-512-256"

  /// The digest of some bytes; nil where a policy of the system forbids the function (MD5 under FIPS).
  package func digest(_ bytes: [UInt8]) -> [UInt8]? {
    OpenSSLLibrary.initialize()
    return OpenSSLLibrary.hash { EVP_Digest(bytes, bytes.count, $0, &$1, function, nil) == 1 }
  }

  /// The digest in lower-case hexadecimal digits, as RFC 7616 §3.4 counts with it.
  package func hexadecimal(_ bytes: [UInt8]) -> [UInt8]? { digest(bytes).map(Self.hexadecimal) }

  /// The digits of a digest.
  package static func hexadecimal(_ digest: [UInt8]) -> [UInt8] {
    digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  }

  var function: OpaquePointer? {
    switch self {
    case .md5: EVP_md5()
    case .sha256: EVP_sha256()
    case .sha512Half: EVP_sha512_256()
    }
  }

  private static let digits = Array("0123456789abcdef".utf8)
}
