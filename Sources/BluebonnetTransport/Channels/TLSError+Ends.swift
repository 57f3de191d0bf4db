// SPDX-License-Identifier: MIT
import BluebonnetTLS

extension TLSError {
  /// The peer closed before the handshake was done.
  static var closedInHandshake: TLSError {
    TLSError(.handshakeFailed, reason: "the server closed the connection")
  }

  /// The peer has sent more than any handshake takes, and no end of it.
  static var endlessHandshake: TLSError {
    TLSError(.handshakeFailed, reason: "the handshake has not ended after \(TLSChannel.handshakeLimit) bytes")
  }

  /// The connection ended without close_notify: what came before may be cut short.
  var isTruncation: Bool { code == .truncated }
}
