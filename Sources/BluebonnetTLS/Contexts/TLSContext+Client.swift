// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

extension TLSContext {
  func configureClient(_ configuration: TLSClientConfiguration) throws(TLSError) {
    if let store { share(store) }
    if store?.others.isEmpty == false { verifyBySeveralStores() }
    // Without a demand to verify OpenSSL still verifies the chain and leaves the result for `serverTrust`.
    let mode = configuration.verification == .automatic ? SSL_VERIFY_PEER : SSL_VERIFY_NONE
    SSL_CTX_set_verify(pointer, mode, nil)
    if !protocols.bytes.isEmpty {
      // Zero is success here, unlike everywhere else.
      guard SSL_CTX_set_alpn_protos(pointer, protocols.bytes, UInt32(clamping: protocols.bytes.count)) == 0
      else { throw TLSError.queued(.invalidConfiguration) }
    }
    askForStaples()
    if let identity { try use(identity) }
    // Called when the server has asked; with TLS 1.3 it has proved itself by then.
    SSL_CTX_set_cert_cb(pointer, { ssl, _ in TLSEngine.of(ssl)?.isAskedForCertificate() ?? 1 }, nil)
    // Called if there is no certificate to send that the server understands; nor is there one to be had here.
    SSL_CTX_set_client_cert_cb(pointer) { ssl, _, _ in
      TLSEngine.of(ssl)?.hasNoFittingCertificate()
      return 0
    }
    if keyLog != nil {
      SSL_CTX_set_keylog_callback(pointer) { ssl, line in
        if let line { TLSEngine.of(ssl)?.context.keyLog?.append(line) }
      }
    }
    guard configuration.settings.resumes else {
      SSL_CTX_ctrl(pointer, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
      return
    }
    // Sessions are handed out one by one and kept by the pool, by origin.
    let caching = SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL
    SSL_CTX_ctrl(pointer, SSL_CTRL_SET_SESS_CACHE_MODE, Int(caching), nil)
    SSL_CTX_sess_set_new_cb(pointer) { ssl, session in
      guard let session, let engine = TLSEngine.of(ssl) else { return 0 }
      engine.receive(session: session)
      // The engine keeps the reference.
      return 1
    }
  }
}
