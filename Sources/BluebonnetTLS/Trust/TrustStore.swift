// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

/// An `X509_STORE`: the anchors a chain may end at, and the revocation lists that chains are held to.
final class TrustStore: Sendable {
  // Safe: the store locks itself around its lookups and caches; its flags and lists are set only while one is made, in the
  // initializers and in `TrustStore+Sources`, before any other thread has it.
  nonisolated(unsafe) let pointer: OpaquePointer
  /// The message where no authority of the system's was found, so that no server can be trusted.
  let lackOfAuthorities: String?
  /// Other stores, of which each is enough as well: what holds under their rules need not hold under the first's.
  let others: [TrustStore]
  /// Whether every certificate below the anchor has to be covered by a list.
  let requiresLists: Bool
  /// The stamps of the files that the anchors and the lists are from.
  private let stamps: FileStamps

  /// Whether the files that the anchors and the lists are from look as they did when they were read.
  var isCurrent: Bool { stamps.areCurrent && others.allSatisfy(\.isCurrent) }

  /// The system's authorities. They are held to their own rules: what they sign follows RFC 5280.
  ///
  /// A container without authorities can still reach servers by pinning; others get "unknown issuer", and why.
  ///
  /// - Parameters:
  ///   - system: Where they are.
  ///   - lists: Lists beside those that come with them.
  convenience init(
    _ system: SystemAnchors, lists: RevocationListFiles = RevocationListFiles()
  ) throws(TLSError) {
    var files = try system.read()
    let lack = files.hasAuthorities ? nil : system.remedy
    try files.read(lists: lists)
    try self.init(
      files, lack: lack, flags: X509_V_FLAG_X509_STRICT, requiresLists: lists.mustCoverChain)
  }

  /// Anchors from files of the caller's.
  ///
  /// - Parameters:
  ///   - files: Their contents, revocation lists included.
  ///   - isStrict: Whether chains must follow RFC 5280 to the letter.
  ///   - requiresLists: Whether every certificate below the anchor has to be covered by a list.
  convenience init(_ files: AnchorFiles, isStrict: Bool, requiresLists: Bool) throws(TLSError) {
    try self.init(files, lack: nil, flags: Self.flags(isStrict: isStrict), requiresLists: requiresLists)
  }

  private init(
    _ files: AnchorFiles, lack: String?, flags: Int32, requiresLists: Bool
  ) throws(TLSError) {
    pointer = try Self.make()
    lackOfAuthorities = lack
    others = []
    self.requiresLists = requiresLists
    stamps = files.stamps
    setFlags(flags)
    if !files.entries.isEmpty, !AnchorIndex(files.entries).serve(pointer) {
      throw TLSError.queued(.internalFailure)
    }
    for directory in files.hashedDirectories where X509_STORE_load_path(pointer, directory) != 1 {
      throw TLSError.queued(.invalidConfiguration)
    }
    try add(revocationLists: files.revocationLists)
  }

  /// - Parameters:
  ///   - certificates: The anchors.
  ///   - isStrict: Whether chains must follow RFC 5280 to the letter.
  ///   - lists: Lists in files.
  ///   - other: Stores with revocation lists to be used as well, and required if it requires them.
  init(
    _ certificates: [Certificate], isStrict: Bool, lists: RevocationListFiles = RevocationListFiles(),
    listsOf other: TrustStore? = nil
  ) throws(TLSError) {
    var files = AnchorFiles()
    try files.read(lists: lists)
    pointer = try Self.make()
    lackOfAuthorities = nil
    others = []
    requiresLists = lists.mustCoverChain || other?.all.contains(where: \.requiresLists) == true
    stamps = files.stamps
    for certificate in certificates where X509_STORE_add_cert(pointer, certificate.x509) != 1 {
      throw TLSError.queued(.invalidConfiguration)
    }
    setFlags(Self.flags(isStrict: isStrict))
    try add(revocationLists: files.revocationLists)
    if let other { try takeRevocationLists(of: other.all) }
  }

  /// Several stores as one, of which each is enough. The first is what OpenSSL itself knows.
  init(_ first: TrustStore, others: [TrustStore]) {
    X509_STORE_up_ref(first.pointer)
    pointer = first.pointer
    // Where one has authorities, the lack of others does not explain an unknown issuer.
    let lacks = ([first] + others).map(\.lackOfAuthorities)
    lackOfAuthorities = lacks.contains(nil) ? nil : first.lackOfAuthorities
    self.others = others
    requiresLists = first.requiresLists
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

  func setFlags(_ flags: Int32) {
    X509_STORE_set_flags(pointer, UInt(flags))
  }

  /// Anchors that the caller named one by one are trusted as they are, also intermediates and leaves.
  private static func flags(isStrict: Bool) -> Int32 {
    X509_V_FLAG_PARTIAL_CHAIN | (isStrict ? X509_V_FLAG_X509_STRICT : 0)
  }

  /// The store and those beside it.
  var all: [TrustStore] { [self] + others }
}
