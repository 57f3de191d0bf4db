import CBluebonnetOpenSSL

extension TLSContext {
  func configureClient(_ configuration: TLSClientConfiguration) throws(TLSError) {
    if let store { share(store) }
    // Without a demand to verify OpenSSL still verifies the chain and leaves the result for `serverTrust`.
    let mode = configuration.verification == .automatic ? SSL_VERIFY_PEER : SSL_VERIFY_NONE
    SSL_CTX_set_verify(pointer, mode, nil)
    if !protocols.bytes.isEmpty {
      // Zero is success here, unlike everywhere else.
      guard SSL_CTX_set_alpn_protos(pointer, protocols.bytes, UInt32(clamping: protocols.bytes.count)) == 0
      else { throw TLSError.queued(.invalidConfiguration) }
    }
    if let identity = configuration.identity { try use(identity) }
    askForStaples()
    // Called if the server asks and there is no certificate to send; nor is there one to be had here.
    SSL_CTX_set_client_cert_cb(pointer) { ssl, _, _ in
      guard let ssl, let data = SSL_get_ex_data(ssl, TLSEngine.applicationData) else { return 0 }
      Unmanaged<TLSEngine>.fromOpaque(data).takeUnretainedValue().lacksCertificate = true
      return 0
    }
    // Sessions are handed out one by one and kept by whoever knows the origin.
    let caching = SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL
    SSL_CTX_ctrl(pointer, SSL_CTRL_SET_SESS_CACHE_MODE, Int(caching), nil)
    SSL_CTX_sess_set_new_cb(pointer) { ssl, session in
      guard let ssl, let session, let data = SSL_get_ex_data(ssl, TLSEngine.applicationData) else { return 0 }
      Unmanaged<TLSEngine>.fromOpaque(data).takeUnretainedValue().receive(session: session)
      // The engine keeps the reference.
      return 1
    }
  }
}
