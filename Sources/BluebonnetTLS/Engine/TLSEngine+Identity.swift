// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

// What a client proves itself with.
extension TLSEngine {
  /// The server's request for a certificate; nil if there was none.
  package var certificateRequest: CertificateRequest? {
    wasAsked ? CertificateRequest(from: ssl) : nil
  }

  /// Decides what the client proves itself with, now that the server is known; a handshake that waits for it goes on
  /// with the next `handshake()`. With the TLS 1.3 extension for it, the server may ask later, too.
  ///
  /// - Parameter identity: nil for nothing: the server is told that there is no certificate, and decides.
  package func authenticate(with identity: TLSIdentity?) throws(TLSError) {
    if let failure { throw failure }
    if let identity {
      QueuedError.forgetAll()
      let rest = CertificateStack(identity.chain.dropFirst())
      let isUsable =
        SSL_use_cert_and_key(
          ssl, identity.certificate.x509, identity.privateKey.key, rest.pointer, 1) == 1
      guard isUsable else { throw fail(TLSError.queued(.invalidKey)) }
    }
    self.identity = identity
    hasDecidedIdentity = true
  }

  /// Now that the server is trusted, it may ask for a certificate behind the handshake where the configuration allows that,
  /// and is told the answer that was known from the beginning.
  package func mayBeAskedLater() throws(TLSError) {
    guard context.answersPostHandshake, !hasDecidedIdentity else { return }
    try authenticate(with: expectedIdentity)
  }

  /// Called by OpenSSL when the server has asked.
  ///
  /// - Returns: 1 to go on with what there is, -1 to wait.
  func isAskedForCertificate() -> Int32 {
    wasAsked = true
    guard hasProvedItsKey else {
      SSL_certs_clear(ssl)
      identity = nil
      hasDecidedIdentity = true
      keepsToItself = true
      return 1
    }
    // Behind the handshake nothing waits: the request sent in between was not meant for such a server.
    return hasDecidedIdentity || isEstablished ? 1 : -1
  }

  /// Whether the server has shown by now that it has the key of its certificate. In TLS 1.2 with RSA key exchange it does so
  /// with its last message only (RFC 5246 §7.4.9), after the client's certificate: an attacker with a copy of the server's
  /// certificate could ask for that.
  private var hasProvedItsKey: Bool {
    guard SSL_version(ssl) < TLS1_3_VERSION, let suite = SSL_get_pending_cipher(ssl) else { return true }
    let exchange = SSL_CIPHER_get_kx_nid(suite)
    return exchange != NID_kx_rsa && exchange != NID_kx_rsa_psk
  }

  /// Called by OpenSSL when the server has asked, and there is nothing to send that it would understand.
  func hasNoFittingCertificate() {
    lacksCertificate = true
  }

  /// The meaning of a fatal alert of the peer's.
  func meaning(of alert: UInt8, _ reason: String) -> TLSError {
    guard context.isClient else { return TLSError(.alert(alert), reason: reason) }
    switch Int32(alert) {
    // TLS 1.3 has an alert for it (RFC 8446 §6.2); before that, and from servers that know no better, it is one of the
    // others.
    case SSL_AD_CERTIFICATE_REQUIRED: return missing(reason)
    case SSL_AD_HANDSHAKE_FAILURE, SSL_AD_BAD_CERTIFICATE, SSL_AD_CERTIFICATE_UNKNOWN, SSL_AD_ACCESS_DENIED:
      if lacksCertificate { return missing(reason) }
    default: break
    }
    guard wasAsked, identity != nil, !lacksCertificate else { return TLSError(.alert(alert), reason: reason) }
    switch Int32(alert) {
    case SSL_AD_BAD_CERTIFICATE, SSL_AD_UNSUPPORTED_CERTIFICATE, SSL_AD_CERTIFICATE_REVOKED,
      SSL_AD_CERTIFICATE_EXPIRED, SSL_AD_CERTIFICATE_UNKNOWN, SSL_AD_UNKNOWN_CA, SSL_AD_ACCESS_DENIED:
      return TLSError(.clientCertificateRejected(alert), reason: reason)
    default: return TLSError(.alert(alert), reason: reason)
    }
  }

  private func missing(_ reason: String) -> TLSError {
    let why =
      if keepsToItself {
        "; none is shown to a server that has not proved its own key before, as with RSA key exchange"
      } else {
        identity == nil ? "" : "; the one that there is has a key that the server cannot verify"
      }
    return TLSError(.clientCertificateRequired, reason: reason + why)
  }
}
