import CBluebonnetOpenSSL

/// An `X509_STORE`: the anchors a chain may end at, and the revocation lists that came with them.
// Sendable: the store locks itself around its lookups and caches, and is configured only in `init`.
final class TrustStore: @unchecked Sendable {
  let pointer: OpaquePointer
  /// What to say where no authority of the system's was found, so that nobody can be trusted.
  let lackOfAuthorities: String?
  /// Other stores, of which each is enough as well: what holds under their rules need not hold under the first's.
  let others: [TrustStore]
  /// What the files looked like that the anchors are from.
  private let stamps: FileStamps

  /// Whether the files that the anchors are from look as they did when they were read.
  var isCurrent: Bool { stamps.areCurrent && others.allSatisfy(\.isCurrent) }

  /// The system's authorities. They are held to their own rules: what they sign follows RFC 5280.
  ///
  /// A container without authorities can still reach servers by pinning; others get "unknown issuer", and why.
  convenience init(_ system: SystemAnchors) throws(TLSError) {
    let files = system.read()
    try self.init(
      files, lack: files.hasAuthorities ? nil : system.remedy, flags: X509_V_FLAG_X509_STRICT)
  }

  /// Anchors that somebody has put into files.
  convenience init(_ files: AnchorFiles, isStrict: Bool) throws(TLSError) {
    try self.init(files, lack: nil, flags: Self.flags(isStrict: isStrict))
  }

  private init(_ files: AnchorFiles, lack: String?, flags: Int32) throws(TLSError) {
    pointer = try Self.make()
    lackOfAuthorities = lack
    others = []
    stamps = files.stamps
    setFlags(flags)
    if !files.entries.isEmpty, !AnchorIndex(files.entries).serve(pointer) {
      throw TLSError.queued(.internalFailure)
    }
    for directory in files.hashedDirectories where X509_STORE_load_path(pointer, directory) != 1 {
      throw TLSError.queued(.invalidConfiguration)
    }
    for list in files.revocationLists { try add(revocationList: list) }
    if !files.revocationLists.isEmpty { usesRevocationLists() }
  }

  /// - Parameter lists: A store whose revocation lists are used as well.
  init(_ certificates: [Certificate], isStrict: Bool, listsOf other: TrustStore? = nil) throws(TLSError) {
    pointer = try Self.make()
    lackOfAuthorities = nil
    others = []
    stamps = FileStamps()
    for certificate in certificates where X509_STORE_add_cert(pointer, certificate.x509) != 1 {
      throw TLSError.queued(.invalidConfiguration)
    }
    setFlags(Self.flags(isStrict: isStrict))
    if let other { try takeRevocationLists(of: other.all) }
  }

  /// Several stores as one, of which each is enough. The first is what OpenSSL itself knows.
  init(_ first: TrustStore, others: [TrustStore]) {
    X509_STORE_up_ref(first.pointer)
    pointer = first.pointer
    // Where one has authorities, it is no wonder that nobody vouches for a chain.
    let lacks = ([first] + others).map(\.lackOfAuthorities)
    lackOfAuthorities = lacks.contains(nil) ? nil : first.lackOfAuthorities
    self.others = others
    stamps = first.stamps
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
  private static func flags(isStrict: Bool) -> Int32 {
    X509_V_FLAG_PARTIAL_CHAIN | (isStrict ? X509_V_FLAG_X509_STRICT : 0)
  }

  /// The store and those beside it.
  var all: [TrustStore] { [self] + others }
}

extension TrustStore {
  /// The revocation lists that were read with the anchors.
  var revocationLists: [OpaquePointer] {
    // Those that are there stay: lookups add to a store and take nothing out of it.
    X509_STORE_lock(pointer)
    defer { X509_STORE_unlock(pointer) }
    guard let objects = X509_STORE_get0_objects(pointer) else { return [] }
    return (0..<max(OPENSSL_sk_num(objects), 0)).compactMap { index in
      OPENSSL_sk_value(objects, index).flatMap { X509_OBJECT_get0_X509_CRL(OpaquePointer($0)) }
    }
  }

  /// Uses the lists of other stores as well: what is revoked is so whoever vouches for it.
  func takeRevocationLists(of stores: [TrustStore]) throws(TLSError) {
    var hasAny = false
    for list in stores.flatMap(\.revocationLists) {
      guard X509_STORE_add_crl(pointer, list) == 1 else { throw TLSError.queued(.internalFailure) }
      hasAny = true
    }
    if hasAny { usesRevocationLists() }
  }

  private func add(revocationList der: [UInt8]) throws(TLSError) {
    let list = der.withUnsafeBufferPointer { buffer in
      var cursor = buffer.baseAddress
      return d2i_X509_CRL(nil, &cursor, buffer.count)
    }
    guard let list else { throw TLSError.queued(.invalidConfiguration) }
    defer { X509_CRL_free(list) }
    guard X509_STORE_add_crl(pointer, list) == 1 else { throw TLSError.queued(.internalFailure) }
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
