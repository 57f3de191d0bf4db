import CBluebonnetOpenSSL

extension TLSEngine {
  /// What an OpenSSL call meant that did not succeed.
  func outcome(of result: Int32) throws(TLSError) -> Step {
    switch SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ: return .needsInput
    case SSL_ERROR_ZERO_RETURN: return .closed
    default: throw fail(diagnosis())
    }
  }

  /// Remembers an end or an error for the next call.
  func noteEnd(of result: Int32) {
    switch SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ: return
    case SSL_ERROR_ZERO_RETURN: break
    default: _ = fail(diagnosis())
    }
    owesEnd = true
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
    if let alert = entry.receivedAlert { return TLSError(.alert(alert), reason: entry.text) }
    if entry.library == ERR_LIB_SSL {
      switch entry.reason {
      case SSL_R_UNEXPECTED_EOF_WHILE_READING: return TLSError(.truncated, reason: entry.text)
      case SSL_R_CERTIFICATE_VERIFY_FAILED:
        let failure = TrustFailure(code: SSL_get_verify_result(ssl)) ?? .unspecified
        return TLSError(.certificateRejected(failure), reason: failure.text)
      // The major version of a record is 3 in every TLS; in an HTTP response a letter stands there.
      case SSL_R_WRONG_VERSION_NUMBER where !isEstablished && context.isClient:
        return TLSError(.notTLS, reason: entry.text)
      default: break
      }
    }
    return TLSError(isEstablished ? .protocolViolation : .handshakeFailed, reason: entry.text)
  }
}
