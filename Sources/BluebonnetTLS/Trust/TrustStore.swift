import CBluebonnetOpenSSL

/// An `X509_STORE`: the anchors a chain may end at.
// Sendable: the store locks itself around its lookups and caches, and is configured only in `init`.
final class TrustStore: @unchecked Sendable {
  let pointer: OpaquePointer

  /// The store for `anchors`; the system's is read once for all.
  static func store(for anchors: TrustAnchors) throws(TLSError) -> TrustStore {
    guard anchors != .system else { return try system.get() }
    return try TrustStore(anchors)
  }

  private static let system = Result { () throws(TLSError) in try TrustStore(.system) }

  private init(_ anchors: TrustAnchors) throws(TLSError) {
    ERR_clear_error()
    guard let store = X509_STORE_new() else { throw TLSError.queued(.internalFailure) }
    pointer = store
    switch anchors {
    case .system:
      // A container without authorities can still reach servers by pinning; others get "unknown issuer".
      SystemAnchors.load(into: store)
    case .file(let path):
      guard X509_STORE_load_file(store, path) == 1 else { throw TLSError.queued(.invalidConfiguration) }
      acceptsAnyMember()
    case .certificates(let certificates):
      for certificate in certificates where X509_STORE_add_cert(store, certificate.x509) != 1 {
        throw TLSError.queued(.invalidConfiguration)
      }
      acceptsAnyMember()
    }
  }

  deinit {
    X509_STORE_free(pointer)
  }

  /// Anchors that somebody named one by one are trusted as they are, also intermediates and leaves.
  private func acceptsAnyMember() {
    X509_STORE_set_flags(pointer, UInt(X509_V_FLAG_PARTIAL_CHAIN))
  }
}
