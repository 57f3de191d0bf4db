import CBluebonnetOpenSSL

/// An `X509_STORE`: the anchors a chain may end at, and the revocation lists that came with them.
// Sendable: the store locks itself around its lookups and caches, and is configured only in `init`.
final class TrustStore: @unchecked Sendable {
  let pointer: OpaquePointer
  /// What to say where no authority of the system's was found, so that nobody can be trusted.
  let lackOfAuthorities: String?

  /// The store for `anchors`; the system's is read once for all.
  ///
  /// - Parameter isStrict: Whether chains to anchors that are not the system's must follow RFC 5280 to the letter.
  static func store(for anchors: TrustAnchors, isStrict: Bool = false) throws(TLSError) -> TrustStore {
    switch anchors {
    case .system: return try system.get()
    case .file(let path): return try TrustStore(file: path, isStrict: isStrict)
    case .certificates(let certificates): return try TrustStore(certificates, isStrict: isStrict)
    }
  }

  private static let system = Result { () throws(TLSError) in try TrustStore(.current) }

  /// The system's authorities. They are held to their own rules: what they sign follows RFC 5280.
  ///
  /// A container without authorities can still reach servers by pinning; others get "unknown issuer", and why.
  init(_ system: SystemAnchors) throws(TLSError) {
    pointer = try Self.make()
    let found = system.load(into: pointer)
    lackOfAuthorities = found.contains(.authorities) ? nil : system.remedy
    setFlags(X509_V_FLAG_X509_STRICT)
    if found.contains(.revocationLists) || !revocationLists.isEmpty { usesRevocationLists() }
  }

  private init(file path: String, isStrict: Bool) throws(TLSError) {
    pointer = try Self.make()
    lackOfAuthorities = nil
    guard X509_STORE_load_file(pointer, path) == 1 else { throw TLSError.queued(.invalidConfiguration) }
    acceptsAnyMember(isStrict: isStrict)
    if !revocationLists.isEmpty { usesRevocationLists() }
  }

  /// - Parameter lists: A store whose revocation lists are used as well.
  init(_ certificates: [Certificate], isStrict: Bool, listsOf other: TrustStore? = nil) throws(TLSError) {
    pointer = try Self.make()
    lackOfAuthorities = nil
    for certificate in certificates where X509_STORE_add_cert(pointer, certificate.x509) != 1 {
      throw TLSError.queued(.invalidConfiguration)
    }
    acceptsAnyMember(isStrict: isStrict)
    guard let lists = other?.revocationLists, !lists.isEmpty else { return }
    for list in lists where X509_STORE_add_crl(pointer, list) != 1 {
      throw TLSError.queued(.internalFailure)
    }
    usesRevocationLists()
  }

  deinit {
    X509_STORE_free(pointer)
  }

  private static func make() throws(TLSError) -> OpaquePointer {
    OpenSSLLibrary.initialize()
    ERR_clear_error()
    guard let store = X509_STORE_new() else { throw TLSError.queued(.internalFailure) }
    return store
  }

  private func setFlags(_ flags: Int32) {
    X509_STORE_set_flags(pointer, UInt(flags))
  }

  /// Anchors that somebody named one by one are trusted as they are, also intermediates and leaves.
  private func acceptsAnyMember(isStrict: Bool) {
    setFlags(X509_V_FLAG_PARTIAL_CHAIN | (isStrict ? X509_V_FLAG_X509_STRICT : 0))
  }
}

extension TrustStore {
  /// The revocation lists that were read with the anchors. Those in directories are read when they are asked for.
  private var revocationLists: [OpaquePointer] {
    // Not changed by anybody: the store is only configured in `init`, and a lookup in a directory keeps the lists.
    X509_STORE_lock(pointer)
    defer { X509_STORE_unlock(pointer) }
    guard let objects = X509_STORE_get0_objects(pointer) else { return [] }
    return (0..<max(OPENSSL_sk_num(objects), 0)).compactMap { index in
      OPENSSL_sk_value(objects, index).flatMap { X509_OBJECT_get0_X509_CRL(OpaquePointer($0)) }
    }
  }

  /// Refuses what the lists revoke (RFC 5280 §6.3), and also what a list speaks about that is out of date or whose
  /// signature is wrong. Issuers without any list are believed as they were: nobody promised a list of theirs.
  private func usesRevocationLists() {
    setFlags(X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL)
    X509_STORE_set_verify_cb(pointer) { holds, context in
      if holds == 1 { return 1 }
      guard X509_STORE_CTX_get_error(context) == X509_V_ERR_UNABLE_TO_GET_CRL,
        TrustStore.needsNoList(X509_STORE_CTX_get_current_cert(context), in: context)
      else { return 0 }
      X509_STORE_CTX_set_error(context, X509_V_OK)
      return 1
    }
  }

  private static func needsNoList(_ certificate: OpaquePointer?, in context: OpaquePointer?) -> Bool {
    guard let certificate else { return false }
    // The anchor is trusted because somebody said so (RFC 5280 §6.1.1); its issuer has no say.
    let length = OPENSSL_sk_num(X509_STORE_CTX_get0_chain(context))
    if X509_STORE_CTX_get_error_depth(context) == length - 1 { return true }
    guard let lists = X509_STORE_CTX_get1_crls(context, X509_get_issuer_name(certificate)) else {
      return true
    }
    defer { OPENSSL_sk_pop_free(lists) { X509_CRL_free(OpaquePointer($0)) } }
    return OPENSSL_sk_num(lists) <= 0
  }
}
