import BluebonnetTLS

extension TLSError {
  /// The peer closed before the handshake was done.
  static var closedInHandshake: TLSError {
    TLSError(.handshakeFailed, reason: "the server closed the connection")
  }

  /// The connection ended without close_notify: what came before may be cut short.
  var isTruncation: Bool { code == .truncated }
}
