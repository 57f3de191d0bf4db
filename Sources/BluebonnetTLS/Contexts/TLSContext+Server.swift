// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

extension TLSContext {
  func configureServer(_ configuration: TLSServerConfiguration) throws(TLSError) {
    try use(configuration.identity)
    ask(configuration.clientCertificates)
    if !stapledResponse.isEmpty { staple() }
    // Any fixed value: without one, clients with certificates could not resume.
    let context: [UInt8] = Array("bluebonnet".utf8)
    guard SSL_CTX_set_session_id_context(pointer, context, UInt32(context.count)) == 1 else {
      throw TLSError.queued(.internalFailure)
    }
    if !configuration.resumes {
      SSL_CTX_set_num_tickets(pointer, 0)
      SSL_CTX_set_options(pointer, TLSSettings.Options.noTicket.rawValue)
      SSL_CTX_ctrl(pointer, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
    }
    guard !protocols.bytes.isEmpty else { return }
    // The context outlives its engines, and the callback is only called for them.
    let own = Unmanaged.passUnretained(self).toOpaque()
    SSL_CTX_set_alpn_select_cb(
      pointer,
      { _, chosen, chosenCount, offered, offeredCount, own in
        guard let own, let chosen else { return SSL_TLSEXT_ERR_ALERT_FATAL }
        let accepted = Unmanaged<TLSContext>.fromOpaque(own).takeUnretainedValue().protocols.bytes
        return accepted.withUnsafeBufferPointer { accepted in
          var match: UnsafeMutablePointer<UInt8>?
          let outcome = SSL_select_next_proto(
            &match, chosenCount, accepted.baseAddress, UInt32(clamping: accepted.count), offered, offeredCount
          )
          guard outcome == OPENSSL_NPN_NEGOTIATED else { return SSL_TLSEXT_ERR_ALERT_FATAL }
          chosen.pointee = UnsafePointer(match)
          return SSL_TLSEXT_ERR_OK
        }
      }, own)
  }

  private func ask(_ clients: TLSServerConfiguration.ClientCertificates) {
    guard let store else { return }
    share(store)
    let mode: Int32
    let anchors: [Certificate]
    switch clients {
    case .ignored: return
    case .requested(let known): (mode, anchors) = (SSL_VERIFY_PEER, known)
    case .required(let known):
      (mode, anchors) = (SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, known)
    }
    SSL_CTX_set_verify(pointer, mode, nil)
    for anchor in anchors { SSL_CTX_add_client_CA(pointer, anchor.x509) }
  }
}
