// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

/// An X.509 certificate.
///
/// Equal if the encodings are equal, byte for byte.
package final class Certificate: Sendable {
  // Safe: an X509 is reference-counted atomically and never changed once it is in here; OpenSSL guards the caches that
  // reading fills.
  nonisolated(unsafe) let x509: OpaquePointer

  /// Takes over one reference.
  init(owning x509: OpaquePointer) {
    self.x509 = x509
  }

  /// Adds a reference of its own.
  convenience init(sharing x509: OpaquePointer) {
    X509_up_ref(x509)
    self.init(owning: x509)
  }

  /// One DER encoding and nothing after it.
  package convenience init(der: [UInt8]) throws(TLSError) {
    OpenSSLLibrary.initialize()
    let parsed = DER.read(der, { d2i_X509(nil, $0, $1) }, free: X509_free)
    guard let parsed else { throw TLSError.queued(.invalidCertificate, otherwise: "bytes after the end") }
    self.init(owning: parsed)
  }

  deinit {
    X509_free(x509)
  }

  package var der: [UInt8] { derBytes { i2d_X509(x509, $0) } ?? [] }

  /// The subject's public key.
  package var publicKey: PublicKey {
    PublicKey(der: derBytes { i2d_X509_PUBKEY(X509_get_X509_PUBKEY(x509), $0) } ?? [])
  }
}

extension Certificate: Hashable {
  package static func == (left: Certificate, right: Certificate) -> Bool {
    left === right || X509_cmp(left.x509, right.x509) == 0
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(der)
  }
}

extension Certificate: CustomStringConvertible {
  package var description: String { "Certificate(\(subject))" }
}
