import BluebonnetTLS
import CBluebonnetOpenSSL

/// The hash functions of digest authentication (RFC 7616 §6.1).
enum MessageDigest: String {
  case md5 = "MD5"
  case sha256 = "SHA-256"
  case sha512Half = "SHA-512-256"

  /// The digest of `bytes` as lower-case hexadecimal text.
  func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
    OpenSSLLibrary.initialize()
    let function =
      switch self {
      case .md5: EVP_md5()
      case .sha256: EVP_sha256()
      case .sha512Half: EVP_sha512_256()
      }
    let input = Array(bytes)
    var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var length: UInt32 = 0
    // Fails only where a policy forbids the function (MD5 under FIPS); the empty text then matches none.
    guard EVP_Digest(input, input.count, &output, &length, function, nil) == 1 else { return "" }
    return Hexadecimal.text(output.prefix(Int(length)))
  }

  func hexadecimal(_ text: String) -> String { hexadecimal(text.utf8) }
}
