import CBluebonnetOpenSSL

/// Which signatures are believed that no chain contains, for OpenSSL weighs only those of certificates.
enum SignatureStrength {
  /// Whether a signature's hash function is one for which somebody could make another message with the same hash.
  static func isWeak(algorithm identifier: Int32) -> Bool {
    var digest: Int32 = 0
    guard OBJ_find_sigid_algs(identifier, &digest, nil) == 1 else { return true }
    switch digest {
    case NID_md2, NID_md4, NID_md5, NID_sha1: return true
    default: return false
    }
  }
}
