// SPDX-License-Identifier: MIT
import BluebonnetLibc
import CBluebonnetOpenSSL

extension TLSEngine {
  /// The meaning of an OpenSSL call that did not succeed.
  func outcome(of result: Int32) throws(TLSError) -> Step {
    switch SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ:
      noteHeader()
      return .needsInput
    case SSL_ERROR_ZERO_RETURN: return .closed
    case SSL_ERROR_WANT_X509_LOOKUP: return .certificateRequested
    default: throw fail(diagnosis())
    }
  }

  /// Remembers an end or an error for the next call.
  func noteEnd(of result: Int32) {
    switch SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ: return noteHeader()
    case SSL_ERROR_ZERO_RETURN: break
    default: _ = fail(diagnosis())
    }
    owesEnd = true
  }

  /// OpenSSL asks for input only after it has taken all there was. Noted here and not with every look at the unread bytes.
  private func noteHeader() {
    // "RB": the next that is read is a record's body.
    isBehindHeader = strcmp(SSL_rstate_string(ssl), "RB") == 0
  }

  func fail(_ error: TLSError) -> TLSError {
    failure = error
    receivedSessions = []
    return error
  }

  private func diagnosis() -> TLSError {
    guard let entry = QueuedError.take() else {
      return TLSError(wire.hasEnded ? .truncated : .internalFailure, reason: "no reason given")
    }
    if let alert = entry.receivedAlert {
      return meaning(of: alert, entry.text)
    }
    if entry.library == ERR_LIB_SSL {
      switch entry.reason {
      case SSL_R_UNEXPECTED_EOF_WHILE_READING: return TLSError(.truncated, reason: entry.text)
      case SSL_R_CERTIFICATE_VERIFY_FAILED:
        let failure = chainFailure ?? .unspecified
        return TLSError(.certificateRejected(failure), reason: failure.text)
      case SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST:
        if awaitsFirstMessage { return TLSError(.notTLS, reason: entry.text) }
      default: break
      }
    }
    return TLSError(isEstablished ? .protocolViolation : .handshakeFailed, reason: entry.text)
  }

  /// Whether the peer has not sent anything yet that was understood. Later on, a wrong version is a mistake of
  /// a peer that does speak TLS.
  private var awaitsFirstMessage: Bool {
    switch SSL_get_state(ssl) {
    case TLS_ST_BEFORE, TLS_ST_CW_CLNT_HELLO: true
    default: false
    }
  }
}
