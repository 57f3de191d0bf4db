// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

extension TLSContext {
  /// Lets handshakes verify by several stores, each with rules of its own; OpenSSL itself knows one per context.
  func verifyBySeveralStores() {
    SSL_CTX_set_cert_verify_callback(
      pointer,
      { context, _ in
        guard let context,
          let ssl = X509_STORE_CTX_get_ex_data(context, SSL_get_ex_data_X509_STORE_CTX_idx()),
          let engine = TLSEngine.of(OpaquePointer(ssl))
        else { return 0 }
        return engine.verifyPeer(in: context) ? 1 : 0
      }, nil)
  }

  /// Whether the files that the anchors are from look as they did when they were read.
  package var hasCurrentAnchors: Bool { store?.isCurrent ?? true }
}

extension TLSEngine {
  /// Called by OpenSSL in the middle of a handshake: does what it would do itself with one store.
  fileprivate func verifyPeer(in context: OpaquePointer) -> Bool {
    guard let store = self.context.store else { return false }
    let sent = CertificateStack(CertificateStack.certificates(in: X509_STORE_CTX_get0_untrusted(context)))
    let evaluation = TrustEvaluation(host: host, securityLevel: SSL_get_security_level(ssl))
    switch evaluation.run(sent, in: store) {
    case .success(let chain):
      X509_STORE_CTX_set_error(context, X509_V_OK)
      X509_STORE_CTX_set0_verified_chain(context, CertificateStack(chain).shared())
      return true
    case .failure(let failure):
      X509_STORE_CTX_set_error(context, Int32(clamping: failure.code))
      return false
    }
  }
}
