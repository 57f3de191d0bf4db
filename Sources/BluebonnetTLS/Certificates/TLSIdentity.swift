// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

/// A certificate, the certificates that lead from it towards an anchor, and its key: what one end proves
/// itself with.
package struct TLSIdentity: Sendable, Hashable {
  /// The end's own certificate first.
  package let chain: [Certificate]
  package let privateKey: PrivateKey

  /// Fails if the chain is empty or the key belongs to another certificate.
  package init(chain: [Certificate], privateKey: PrivateKey) throws(TLSError) {
    guard let leaf = chain.first else {
      throw TLSError(.invalidConfiguration, reason: "an identity needs a certificate")
    }
    guard X509_check_private_key(leaf.x509, privateKey.key) == 1 else {
      throw TLSError.queued(.invalidKey, otherwise: "the key belongs to another certificate")
    }
    self.chain = chain
    self.privateKey = privateKey
  }

  /// The chain and the key of PEM texts, as servers keep them in files.
  package init(chainPEM: [UInt8], keyPEM: [UInt8], password: String? = nil) throws(TLSError) {
    try self.init(
      chain: Certificate.bundle(pem: chainPEM), privateKey: PrivateKey(pem: keyPEM, password: password))
  }

  /// The first identity of a PKCS #12 file.
  package init(pkcs12: [UInt8], password: String) throws(TLSError) {
    OpenSSLLibrary.initialize()
    let archive = DER.readFirst(in: pkcs12) { d2i_PKCS12(nil, $0, $1) }
    guard let archive else { throw TLSError.queued(.invalidCertificate) }
    defer { PKCS12_free(archive) }
    guard PasswordRounds.areReasonable(in: archive, password: password) else {
      throw TLSError(.invalidKey, reason: "the archive asks for too many rounds of hashing")
    }
    var key: OpaquePointer?
    var leaf: OpaquePointer?
    var others: OpaquePointer?
    guard PKCS12_parse(archive, password, &key, &leaf, &others) == 1 else {
      let entry = QueuedError.take()
      let isAboutPassword = entry?.library == ERR_LIB_PKCS12 && entry?.reason == PKCS12_R_MAC_VERIFY_FAILURE
      guard isAboutPassword else { throw TLSError(.invalidKey, reason: entry?.text ?? "no reason given") }
      // Only the check over the whole tells that a password is wrong; it does not hold for a damaged archive either.
      throw TLSError(
        .wrongPassword,
        reason: password.isEmpty
          ? "the archive needs a password, or is damaged"
          : "the password does not open the archive, or it is damaged")
    }
    let rest = CertificateStack(owning: others).certificates
    // Both become owners before either is missed, so that neither leaks.
    let parts = (key.map(PrivateKey.init(owning:)), leaf.map(Certificate.init(owning:)))
    guard let privateKey = parts.0, let certificate = parts.1 else {
      throw TLSError(.invalidKey, reason: "no key and certificate in the archive")
    }
    try self.init(chain: [certificate] + rest, privateKey: privateKey)
  }

  /// The same with other certificates behind its own.
  package func sending(_ others: [Certificate]) -> TLSIdentity {
    TLSIdentity(of: [certificate] + others, privateKey)
  }

  /// Of parts that belong together.
  private init(of chain: [Certificate], _ privateKey: PrivateKey) {
    (self.chain, self.privateKey) = (chain, privateKey)
  }

  package var certificate: Certificate { chain[0] }

  /// The chain's PEM texts, one after the other.
  package var chainPEM: String { chain.map(\.pem).joined() }
}
