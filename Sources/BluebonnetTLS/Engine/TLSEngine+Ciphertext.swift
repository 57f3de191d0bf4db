// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

extension TLSEngine {
  /// Lends ciphertext that came from the transport.
  ///
  /// The window must stay valid until `handshake()` or `read(into:)` asks for input, or until
  /// `keepUnreadInput()`; OpenSSL reads straight from it.
  package func feed(_ bytes: UnsafeRawBufferPointer) {
    wire.lend(bytes)
    isDrained = false
    isBehindHeader = false
  }

  /// Ends the loan of the window: copies its unused part. For a driver that pauses reading.
  package func keepUnreadInput() {
    wire.keepWindow()
  }

  /// Tells that the transport has ended. Without close_notify before it, the next `read(into:)` throws
  /// `.truncated`.
  package func endOfInput() {
    wire.end()
    isDrained = false
  }

  /// Whether there is input that `read(into:)` has not given out: plaintext, an end, or a record of which a part has come.
  package var hasUnreadInput: Bool {
    wire.unreadCount > 0 || SSL_has_pending(ssl) == 1 || owesEnd || isBehindHeader
  }

  /// Ciphertext to send; valid until the next call.
  package var output: UnsafeRawBufferPointer { wire.output }

  /// Drops the first `count` bytes of `output`.
  package func outputSent(_ count: Int) {
    wire.dropOutput(count)
  }
}
