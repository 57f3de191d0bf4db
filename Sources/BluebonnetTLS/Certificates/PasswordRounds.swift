// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

/// The rounds of hashing needed before a password is known to be right. The writer of a file
/// chooses them, so they are counted before any are made.
struct PasswordRounds {
  /// Tools ask for 2,048 up to a million or so, once for each part.
  private static let limit = 4_000_000
  /// Safes within safes.
  private static let deepest = 4

  private var count = 0

  /// Whether an archive can be opened in reasonable time.
  ///
  /// - Parameter password: Opens encrypted parts that may contain further ones.
  static func areReasonable(in archive: OpaquePointer, password: String) -> Bool {
    defer { ERR_clear_error() }
    var rounds = PasswordRounds()
    var ofAuthentication: UnsafePointer<ASN1_INTEGER>?
    var authentication: UnsafePointer<X509_ALGOR>?
    PKCS12_get0_mac(nil, &authentication, nil, &ofAuthentication, archive)
    return rounds.add(ofAuthentication) && rounds.add(authentication)
      && rounds.addSafes(of: archive, password)
  }

  /// Whether a file can be, in whatever form it has a key.
  static func areReasonable(inFile bytes: [UInt8], password: String) -> Bool {
    guard areReasonable(inPEM: bytes), areReasonable(inDER: bytes) else { return false }
    guard let archive = DER.readFirst(in: bytes, { d2i_PKCS12(nil, $0, $1) }) else { return true }
    defer { PKCS12_free(archive) }
    return areReasonable(in: archive, password: password)
  }

  /// Whether a key in DER can be.
  static func areReasonable(inDER bytes: [UInt8]) -> Bool {
    var rounds = PasswordRounds()
    return rounds.addKey(bytes)
  }

  /// Whether all keys of a PEM text can be: OpenSSL goes on to the next where one cannot be opened, whatever they are called.
  static func areReasonable(inPEM text: [UInt8]) -> Bool {
    var rounds = PasswordRounds()
    return PEMFile.blocks(in: text).allSatisfy { rounds.addKey($0.bytes) }
  }

  private mutating func addKey(_ bytes: [UInt8]) -> Bool {
    defer { ERR_clear_error() }
    guard let key = DER.readFirst(in: bytes, { d2i_X509_SIG(nil, $0, $1) }) else { return true }
    defer { X509_SIG_free(key) }
    return add(encrypted: key)
  }

  private mutating func addSafes(of archive: OpaquePointer, _ password: String) -> Bool {
    guard let safes = PKCS12_unpack_authsafes(archive) else { return true }
    defer { OPENSSL_sk_pop_free(safes) { PKCS7_free($0?.assumingMemoryBound(to: PKCS7.self)) } }
    for safe in OpenSSLStack.members(of: safes).map({ $0.assumingMemoryBound(to: PKCS7.self) }) {
      let bags: OpaquePointer?
      switch OBJ_obj2nid(safe.pointee.type) {
      case NID_pkcs7_data: bags = PKCS12_unpack_p7data(safe)
      case NID_pkcs7_encrypted:
        let content = safe.pointee.d.encrypted?.pointee.enc_data
        guard add(content?.pointee.algorithm) else { return false }
        bags = Self.opened(safe, password)
      default: bags = nil
      }
      guard let bags else { continue }
      defer { OPENSSL_sk_pop_free(bags) { PKCS12_SAFEBAG_free(OpaquePointer($0)) } }
      guard add(bags, depth: 0) else { return false }
    }
    return true
  }

  /// As `PKCS12_parse` does: no password may be an empty one, or none.
  private static func opened(_ safe: UnsafeMutablePointer<PKCS7>, _ password: String) -> OpaquePointer? {
    PKCS12_unpack_p7encdata(safe, password, Int32(clamping: password.utf8.count))
      ?? (password.isEmpty ? PKCS12_unpack_p7encdata(safe, nil, 0) : nil)
  }

  private mutating func add(_ bags: OpaquePointer, depth: Int) -> Bool {
    for bag in OpenSSLStack.members(of: bags).map({ OpaquePointer($0) }) {
      switch PKCS12_SAFEBAG_get_nid(bag) {
      case NID_pkcs8ShroudedKeyBag:
        guard let key = PKCS12_SAFEBAG_get0_pkcs8(bag), add(encrypted: key) else { return false }
      case NID_safeContentsBag:
        guard depth < Self.deepest else { return false }
        if let inner = PKCS12_SAFEBAG_get0_safes(bag), !add(inner, depth: depth + 1) { return false }
      default: break
      }
    }
    return true
  }

  private mutating func add(encrypted key: OpaquePointer) -> Bool {
    var algorithm: UnsafePointer<X509_ALGOR>?
    X509_SIG_get0(key, &algorithm, nil)
    return add(algorithm)
  }

  /// Adds the rounds of an algorithm (RFC 8018 §A, and RFC 9579 for that of authentication); one without rounds adds none.
  private mutating func add(_ algorithm: UnsafePointer<X509_ALGOR>?) -> Bool {
    guard let algorithm else { return true }
    let identifier = OBJ_obj2nid(algorithm.pointee.algorithm)
    // The parameters of both begin with the same field.
    guard identifier == NID_pbes2 || identifier == NID_pbmac1 else {
      guard let parameter = DER.parameter(of: algorithm, d2i_PBEPARAM) else { return true }
      defer { PBEPARAM_free(parameter) }
      return add(parameter.pointee.iter)
    }
    guard let scheme = DER.parameter(of: algorithm, d2i_PBE2PARAM) else { return true }
    defer { PBE2PARAM_free(scheme) }
    guard let derivation = scheme.pointee.keyfunc else { return true }
    switch OBJ_obj2nid(derivation.pointee.algorithm) {
    case NID_id_pbkdf2:
      guard let parameter = DER.parameter(of: derivation, d2i_PBKDF2PARAM) else { return true }
      defer { PBKDF2PARAM_free(parameter) }
      return add(parameter.pointee.iter)
    case NID_id_scrypt:
      guard let parameter = DER.parameter(of: derivation, d2i_SCRYPT_PARAMS) else { return true }
      defer { SCRYPT_PARAMS_free(parameter) }
      return add(scrypt: parameter.pointee)
    default: return true
    }
  }

  /// RFC 7914 §2: OpenSSL limits the memory that it takes, to 32 MiB, but not how often that is gone through. A block takes about as long
  /// as a round of the others; tools ask for 131,072 of them.
  private mutating func add(scrypt parameters: SCRYPT_PARAMS) -> Bool {
    var blocks = 1
    for factor in [parameters.costParameter, parameters.blockSize, parameters.parallelizationParameter] {
      let (product, overflows) = blocks.multipliedReportingOverflow(by: ASN1_INTEGER_get(factor))
      guard !overflows, (0...Self.limit).contains(product) else { return false }
      blocks = product
    }
    count += blocks
    return count <= Self.limit
  }

  private mutating func add(_ number: UnsafePointer<ASN1_INTEGER>?) -> Bool {
    // Without a number it is one round, which does not count; OpenSSL says 0.
    let rounds = ASN1_INTEGER_get(number)
    // A number that is too large to be told is negative, too.
    guard rounds >= 0, rounds <= Self.limit else { return false }
    count += rounds
    return count <= Self.limit
  }
}
