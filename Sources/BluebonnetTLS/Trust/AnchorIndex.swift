// SPDX-License-Identifier: MIT
import BluebonnetLocks
import CBluebonnetOpenSSL

/// Certificates by their subject, each parsed only when a chain asks for an issuer of that name.
///
/// OpenSSL 3.0 takes 0.2 ms to parse one, mostly for its public key, and a system's bundle has 140 of them.
final class AnchorIndex: Sendable {
  struct Entry: Sendable {
    let der: [UInt8]
    /// Whether OpenSSL's settings of trust follow the certificate (`TRUSTED CERTIFICATE`).
    let hasSettings: Bool
  }

  /// Those not asked for yet, by the hash of the name.
  private let waiting: Locked<[UInt: [Entry]]>

  init(_ entries: [UInt: [Entry]]) {
    waiting = Locked(entries)
  }

  /// The hash of the name in an entry, by which names that are compared as equal (RFC 5280 §7.1) are the same; `nil` if
  /// the certificate is damaged.
  static func key(of entry: Entry) -> UInt? {
    guard let outline = CertificateOutline(entry.der, hasMore: entry.hasSettings) else { return nil }
    return entry.der.withUnsafeBufferPointer { buffer -> UInt? in
      var cursor = buffer.baseAddress.map { $0 + outline.subject.lowerBound }
      guard let name = d2i_X509_NAME(nil, &cursor, outline.subject.count) else {
        ERR_clear_error()
        return nil
      }
      defer { X509_NAME_free(name) }
      return key(of: name)
    }
  }

  private static func key(of name: OpaquePointer) -> UInt? {
    var isDone: Int32 = 0
    let hash = X509_NAME_hash_ex(name, nil, nil, &isDone)
    return isDone == 1 ? hash : nil
  }

  /// Puts the certificates of a name into the store, unless they are there already.
  func load(_ name: OpaquePointer?, into store: OpaquePointer) {
    guard let name, let key = Self.key(of: name) else { return }
    // Within the lock: another thread that finds them gone from here has to find them there.
    waiting.withLock { waiting in
      for entry in waiting.removeValue(forKey: key) ?? [] { Self.add(entry, to: store) }
    }
  }

  /// One that turns out to be damaged is left out: no chain can be trusted through it.
  private static func add(_ entry: Entry, to store: OpaquePointer) {
    // In the middle of a handshake the error queue is not ours.
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    let parsed = DER.readFirst(in: entry.der) {
      entry.hasSettings ? d2i_X509_AUX(nil, $0, $1) : d2i_X509(nil, $0, $1)
    }
    guard let parsed else { return }
    X509_STORE_add_cert(store, parsed)
    X509_free(parsed)
  }
}

extension AnchorIndex {
  /// Lets a store ask this index before it looks among its own.
  func serve(_ store: OpaquePointer) -> Bool {
    guard Self.slot >= 0,
      X509_STORE_set_ex_data(store, Self.slot, Unmanaged.passRetained(self).toOpaque()) == 1
    else { return false }
    X509_STORE_set_get_issuer(store) { issuer, context, certificate in
      AnchorIndex.load(X509_get_issuer_name(certificate), in: context)
      return X509_STORE_CTX_get1_issuer(issuer, context, certificate)
    }
    X509_STORE_set_lookup_certs(store) { context, name in
      AnchorIndex.load(name, in: context)
      return X509_STORE_CTX_get1_certs(context, name)
    }
    return true
  }

  /// Puts the certificates of a name into the store of an evaluation, if it has an index.
  static func load(_ name: OpaquePointer?, in context: OpaquePointer?) {
    guard let store = X509_STORE_CTX_get0_store(context), let index = X509_STORE_get_ex_data(store, slot)
    else { return }
    Unmanaged<AnchorIndex>.fromOpaque(index).takeUnretainedValue().load(name, into: store)
  }

  /// The slot for a store's index: it lives until the store is freed, perhaps later because of a handshake.
  private static let slot = CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_X509_STORE, 0, nil, nil, nil) {
    _, index, _, _, _, _ in
    guard let index else { return }
    Unmanaged<AnchorIndex>.fromOpaque(index).release()
  }
}
