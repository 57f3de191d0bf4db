// SPDX-License-Identifier: MIT
import BluebonnetLibc
import CBluebonnetOpenSSL

extension TLSEngine {
  /// On a client, after the handshake: what the server has stapled. A resumed session brings none: its server was judged
  /// when it was new.
  var stapledResponse: StapledResponse {
    guard context.isClient, !wasResumed else { return .notAsked }
    var start: UnsafeMutablePointer<UInt8>?
    let count = withUnsafeMutablePointer(to: &start) {
      SSL_ctrl(ssl, SSL_CTRL_GET_TLSEXT_STATUS_REQ_OCSP_RESP, 0, UnsafeMutableRawPointer($0))
    }
    guard let start, count > 0 else { return .missing }
    return .response(Array(UnsafeBufferPointer(start: start, count: count)))
  }

  /// Ends an automatically verified handshake if the server breaks its certificate's promise: OpenSSL does not look.
  func checkStapling() throws(TLSError) {
    guard case .client(.automatic) = context.role, let failure = serverTrust?.failure else { return }
    throw fail(TLSError(.certificateRejected(failure), reason: failure.text))
  }
}

extension TLSContext {
  /// Asks every server for its certificate's status.
  func askForStaples() {
    SSL_CTX_ctrl(pointer, SSL_CTRL_SET_TLSEXT_STATUS_REQ_TYPE, Int(TLSEXT_STATUSTYPE_ocsp), nil)
  }

  /// Sends a response to every client that asks for one. The context outlives its engines.
  func staple() {
    let own = Unmanaged.passUnretained(self).toOpaque()
    SSL_CTX_ctrl(pointer, SSL_CTRL_SET_TLSEXT_STATUS_REQ_CB_ARG, 0, own)
    let callback: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { ssl, own in
      guard let own else { return SSL_TLSEXT_ERR_NOACK }
      let bytes = Unmanaged<TLSContext>.fromOpaque(own).takeUnretainedValue().stapledResponse
      // OpenSSL frees it.
      guard let copy = CRYPTO_malloc(bytes.count, #file, #line) else { return SSL_TLSEXT_ERR_NOACK }
      memcpy(copy, bytes, bytes.count)
      SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_STATUS_REQ_OCSP_RESP, bytes.count, copy)
      return SSL_TLSEXT_ERR_OK
    }
    SSL_CTX_callback_ctrl(
      pointer, SSL_CTRL_SET_TLSEXT_STATUS_REQ_CB,
      unsafeBitCast(callback, to: (@convention(c) () -> Void).self))
  }
}
