// SPDX-License-Identifier: MIT
import BluebonnetLocks

extension TrustStore {
  /// The store for `anchors`. The system's is read once for all, until its files change.
  ///
  /// - Parameters:
  ///   - anchors: Where trust begins.
  ///   - isStrict: Whether chains to anchors that are not the system's must follow RFC 5280 to the letter.
  ///   - lists: Lists beside those that come with the anchors; the system's authorities are then read for this store
  ///     alone.
  static func store(
    for anchors: TrustAnchors, isStrict: Bool = false, lists: RevocationListFiles = RevocationListFiles()
  ) throws(TLSError) -> TrustStore {
    let members = anchors.members
    var stores: [TrustStore] = []
    for member in members { stores.append(try store(of: member, isStrict: isStrict, lists: lists)) }
    guard let first = stores.first else {
      return try TrustStore([], isStrict: isStrict, lists: lists)
    }
    guard stores.count > 1 else { return first }
    guard stores.contains(where: { !$0.revocationLists.isEmpty }) else {
      return TrustStore(first, others: Array(stores.dropFirst()))
    }
    // Each has to know the lists of all, and the shared store must not be changed.
    var informed: [TrustStore] = []
    for (member, store) in zip(members, stores) {
      let own = member == .system && lists.isEmpty ? try TrustStore(.current) : store
      try own.takeRevocationLists(of: stores)
      informed.append(own)
    }
    return TrustStore(informed[0], others: Array(informed.dropFirst()))
  }

  /// - Parameter anchors: Not several.
  private static func store(
    of anchors: TrustAnchors, isStrict: Bool, lists: RevocationListFiles
  ) throws(TLSError) -> TrustStore {
    var files = AnchorFiles()
    switch anchors {
    case .system: return lists.isEmpty ? try system() : try TrustStore(.current, lists: lists)
    case .certificates(let certificates):
      return try TrustStore(certificates, isStrict: isStrict, lists: lists)
    case .several: return try store(for: anchors, isStrict: isStrict, lists: lists)
    case .file(let path): try files.read(file: path)
    case .directory(let path): try files.read(directory: path)
    }
    try files.read(lists: lists)
    return try TrustStore(files, isStrict: isStrict, requiresLists: lists.mustCoverChain)
  }

  private static let known = Locked<TrustStore?>(nil)

  private static func system() throws(TLSError) -> TrustStore {
    try known.withLock { known throws(TLSError) in
      if let known, known.isCurrent { return known }
      let made = try TrustStore(.current)
      known = made
      return made
    }
  }
}
