// SPDX-License-Identifier: MIT
extension TLSIdentity {
  /// A chain in PEM, or one certificate in DER, and a key in PEM or DER.
  ///
  /// - Parameter password: Opens an encrypted key.
  package init(certificates: [UInt8], key: [UInt8], password: String? = nil) throws(TLSError) {
    try self.init(certificates: certificates, key: PrivateKey(encoded: key, password: password))
  }

  /// A chain in PEM, or one certificate in DER, and its key.
  package init(certificates: [UInt8], key: PrivateKey) throws(TLSError) {
    try self.init(
      chain: certificates.isPEM ? Certificate.bundle(pem: certificates) : [Certificate(der: certificates)],
      privateKey: key)
  }
}

extension PrivateKey {
  /// A key in PEM or DER.
  package convenience init(encoded bytes: [UInt8], password: String? = nil) throws(TLSError) {
    guard bytes.isPEM else {
      try self.init(der: bytes, password: password)
      return
    }
    do throws(TLSError) {
      try self.init(pem: bytes, password: password)
    } catch {
      if password != nil, error.reason == "bad decrypt" {
        throw TLSError(.wrongPassword, reason: "the password does not open the key")
      }
      // OpenSSL speaks of what it was told to read the password with.
      guard password == nil, error.reason == "bad password read" || error.reason == "interrupted or cancelled"
      else { throw error }
      throw TLSError(.invalidKey, reason: "it is encrypted, and there is no password")
    }
  }
}

extension [UInt8] {
  /// Whether this is text with something between BEGIN and END (RFC 7468); DER begins with another byte.
  fileprivate var isPEM: Bool {
    let begin = Array("-----BEGIN ".utf8)
    return indices.contains { self[$0...].starts(with: begin) }
  }
}
