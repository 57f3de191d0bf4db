import CBluebonnetOpenSSL

extension TLSEngine {
  /// The newest session the server gave. With TLS 1.3 it comes behind the handshake, beside the first
  /// response, so look for it when a response has ended.
  package var session: TLSSession? { newestSession }

  /// The newest session since the last call, for a cache to keep.
  package func takeSession() -> TLSSession? {
    defer { newestSession = nil }
    return newestSession
  }

  /// Called by OpenSSL in the middle of a handshake or a read.
  func receive(session: OpaquePointer) {
    newestSession = TLSSession(owning: session, host: host, context: context, trust: serverTrust)
  }
}
