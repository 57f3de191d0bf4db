import CBluebonnetOpenSSL

/// An `X509_STORE`: the anchors a chain may end at, and the revocation lists that came with them.
// Sendable: the store locks itself around its lookups and caches, and is configured only in `init`.
final class TrustStore: @unchecked Sendable {
  let pointer: OpaquePointer
  /// What to say where no authority of the system's was found, so that nobody can be trusted.
  let lackOfAuthorities: String?
  /// Whether every certificate below the anchor has to be covered by a list.
  let requiresLists: Bool

  /// The store for `anchors`; the system's is read once for all.
  ///
  /// - Parameter isStrict: Whether chains to anchors that are not the system's must follow RFC 5280 to the letter.
  /// - Parameter lists: Lists beside those that come with the anchors; the system's authorities are then read for this
  ///   store alone.
  static func store(
    for anchors: TrustAnchors, isStrict: Bool = false, lists: RevocationListFiles = RevocationListFiles()
  ) throws(TLSError) -> TrustStore {
    switch anchors {
    case .system where lists.isEmpty: return try system.get()
    case .system: return try TrustStore(.current, lists: lists)
    case .file(let path): return try TrustStore(file: path, isStrict: isStrict, lists: lists)
    case .certificates(let certificates):
      return try TrustStore(certificates, isStrict: isStrict, lists: lists)
    }
  }

  private static let system = Result { () throws(TLSError) in try TrustStore(.current) }

  /// The system's authorities. They are held to their own rules: what they sign follows RFC 5280.
  ///
  /// A container without authorities can still reach servers by pinning; others get "unknown issuer", and why.
  init(_ system: SystemAnchors, lists: RevocationListFiles = RevocationListFiles()) throws(TLSError) {
    requiresLists = lists.mustCoverChain
    pointer = try Self.make()
    let found = system.load(into: pointer)
    lackOfAuthorities = found.contains(.authorities) ? nil : system.remedy
    setFlags(X509_V_FLAG_X509_STRICT)
    try read(lists)
    if found.contains(.revocationLists) { usesRevocationLists() }
  }

  private init(file path: String, isStrict: Bool, lists: RevocationListFiles) throws(TLSError) {
    requiresLists = lists.mustCoverChain
    pointer = try Self.make()
    lackOfAuthorities = nil
    guard X509_STORE_load_file(pointer, path) == 1 else { throw TLSError.queued(.invalidConfiguration) }
    acceptsAnyMember(isStrict: isStrict)
    try read(lists)
  }

  /// - Parameter other: A store whose revocation lists are used as well.
  init(
    _ certificates: [Certificate], isStrict: Bool, lists: RevocationListFiles = RevocationListFiles(),
    listsOf other: TrustStore? = nil
  ) throws(TLSError) {
    requiresLists = lists.mustCoverChain || other?.requiresLists == true
    pointer = try Self.make()
    lackOfAuthorities = nil
    for certificate in certificates where X509_STORE_add_cert(pointer, certificate.x509) != 1 {
      throw TLSError.queued(.invalidConfiguration)
    }
    acceptsAnyMember(isStrict: isStrict)
    for list in other?.revocationLists ?? [] where X509_STORE_add_crl(pointer, list) != 1 {
      throw TLSError.queued(.internalFailure)
    }
    try read(lists)
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

  /// Adds lists of files, and uses whichever there are.
  private func read(_ lists: RevocationListFiles) throws(TLSError) {
    for path in lists.paths {
      guard let lookup = X509_STORE_add_lookup(pointer, X509_LOOKUP_file()),
        X509_load_crl_file(lookup, path, X509_FILETYPE_PEM) > 0
          || X509_load_crl_file(lookup, path, X509_FILETYPE_ASN1) > 0
      else {
        ERR_clear_error()
        throw TLSError(.invalidConfiguration, reason: "no revocation list can be read from \(path)")
      }
    }
    ERR_clear_error()
    if requiresLists || !revocationLists.isEmpty { usesRevocationLists() }
  }

  /// The lists in the name of a certificate's issuer, those in directories included.
  func lists(about certificate: Certificate) -> [RevocationList] {
    guard let context = X509_STORE_CTX_new() else { return [] }
    defer {
      X509_STORE_CTX_free(context)
      ERR_clear_error()
    }
    guard X509_STORE_CTX_init(context, pointer, certificate.x509, nil) == 1,
      let found = X509_STORE_CTX_get1_crls(context, X509_get_issuer_name(certificate.x509))
    else { return [] }
    defer { OPENSSL_sk_free(found) }
    return (0..<max(OPENSSL_sk_num(found), 0)).compactMap { index in
      OPENSSL_sk_value(found, index).map { RevocationList(owning: OpaquePointer($0)) }
    }
  }

  /// Refuses what the lists revoke (RFC 5280 §6.3), and also what a list speaks about that is out of date or whose
  /// signature is wrong. Issuers without any list are believed as they were: nobody promised a list of theirs.
  private func usesRevocationLists() {
    setFlags(X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL)
    if requiresLists {
      X509_STORE_set_verify_cb(pointer) { holds, context in
        TrustStore.verdict(holds, context) { _ in false }
      }
    } else {
      X509_STORE_set_verify_cb(pointer) { holds, context in
        TrustStore.verdict(holds, context) { !TrustStore.hasLists(about: $0, in: context) }
      }
    }
  }

  /// - Parameter passes: Whether a certificate below the anchor may go without a list.
  private static func verdict(
    _ holds: Int32, _ context: OpaquePointer?, passes: (OpaquePointer) -> Bool
  ) -> Int32 {
    if holds == 1 { return 1 }
    guard X509_STORE_CTX_get_error(context) == X509_V_ERR_UNABLE_TO_GET_CRL,
      let certificate = X509_STORE_CTX_get_current_cert(context)
    else { return 0 }
    // The anchor is trusted because somebody said so (RFC 5280 §6.1.1); its issuer has no say.
    let length = OPENSSL_sk_num(X509_STORE_CTX_get0_chain(context))
    let isAnchor = X509_STORE_CTX_get_error_depth(context) == length - 1
    guard isAnchor || passes(certificate) else { return 0 }
    X509_STORE_CTX_set_error(context, X509_V_OK)
    return 1
  }

  private static func hasLists(about certificate: OpaquePointer, in context: OpaquePointer?) -> Bool {
    guard let lists = X509_STORE_CTX_get1_crls(context, X509_get_issuer_name(certificate)) else {
      return false
    }
    defer { OPENSSL_sk_pop_free(lists) { X509_CRL_free(OpaquePointer($0)) } }
    return OPENSSL_sk_num(lists) > 0
  }
}
