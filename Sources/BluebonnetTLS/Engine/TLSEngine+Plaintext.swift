// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

extension TLSEngine {
  /// Takes the handshake as far as the input allows. A client calls it once before anything was fed, for its
  /// first flight.
  package func handshake() throws(TLSError) -> Step {
    if let failure { throw failure }
    QueuedError.forgetAll()
    let result = SSL_do_handshake(ssl)
    if result == 1 {
      try checkStapling()
      isEstablished = true
      return .handshakeComplete
    }
    let step = try outcome(of: result)
    guard step != .closed else {
      // close_notify inside a handshake ends it as surely as an alert would.
      throw fail(TLSError(.handshakeFailed, reason: "the peer closed during the handshake"))
    }
    return step
  }

  /// Decrypts into `buffer` as many records as are there and fit.
  ///
  /// Behind a ticket of TLS 1.3, OpenSSL keeps its buffer in spite of `SSL_MODE_RELEASE_BUFFERS`. It is given back where nothing is
  /// unread: before 3.0.14, to do so in the middle of a record was a fault (CVE-2024-4741).
  ///
  /// - Returns: `.bytes` with at least one byte, otherwise `.needsInput` or `.closed`. A full buffer may
  ///   leave more behind, so call again until it says `.needsInput`.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(TLSError) -> Step {
    guard let base = buffer.baseAddress, !buffer.isEmpty else { return .bytes(0) }
    if let failure { throw failure }
    if isDrained { return .needsInput }
    QueuedError.forgetAll()
    var filled = 0
    while filled < buffer.count {
      var count = 0
      let result = SSL_read_ex(ssl, base + filled, buffer.count - filled, &count)
      if result == 1 {
        filled += count
        // The common end of a response: saves asking OpenSSL twice for what cannot be there.
        if !hasUnreadInput, !wire.hasEnded {
          isDrained = true
          SSL_free_buffers(ssl)
          break
        }
      } else if filled > 0 {
        // The next call will stop at the same fault: first hand out the good bytes.
        noteEnd(of: result)
        return .bytes(filled)
      } else {
        let step = try outcome(of: result)
        if !hasUnreadInput { SSL_free_buffers(ssl) }
        return step
      }
    }
    return .bytes(filled)
  }

  /// Encrypts all of `bytes` into `output`. The caller bounds what it writes before it sends.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(TLSError) {
    if let failure { throw failure }
    guard !bytes.isEmpty else { return }
    guard isEstablished else {
      throw TLSError(.invalidConfiguration, reason: "written before the handshake was complete")
    }
    QueuedError.forgetAll()
    let recordCount = bytes.count / Self.recordSize + 1
    wire.reserveOutput(bytes.count + recordCount * Self.recordOverhead)
    var written = 0
    // All at once, because partial writes are off and the BIO never refuses.
    let result = SSL_write_ex(ssl, bytes.baseAddress, bytes.count, &written)
    guard result == 1 else {
      _ = try outcome(of: result)
      throw fail(TLSError(.internalFailure, reason: "a write was put off"))
    }
  }

  /// The most plaintext that a record carries (RFC 8446 §5.1).
  private static let recordSize = 16_384
  /// Header, explicit nonce, tag and type, and what block ciphers and their MACs add at most.
  private static let recordOverhead = 96

  /// Says close_notify. Reading goes on until the peer has said it too.
  package func shutdown() {
    guard failure == nil, isEstablished else { return }
    QueuedError.forgetAll()
    // Zero means said and not yet answered.
    _ = SSL_shutdown(ssl)
    QueuedError.forgetAll()
  }
}
