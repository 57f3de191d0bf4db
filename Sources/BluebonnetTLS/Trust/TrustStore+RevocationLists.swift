// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

extension TrustStore {
  /// The revocation lists that were read with the anchors.
  var revocationLists: [OpaquePointer] {
    // Those that are there stay: lookups add to a store and take nothing out of it.
    X509_STORE_lock(pointer)
    defer { X509_STORE_unlock(pointer) }
    return OpenSSLStack.members(of: X509_STORE_get0_objects(pointer)).compactMap {
      X509_OBJECT_get0_X509_CRL(OpaquePointer($0))
    }
  }

  /// Whether lists have a say in what this store and those beside it vouch for.
  var usesLists: Bool { all.contains { $0.requiresLists || !$0.revocationLists.isEmpty } }

  /// Uses the lists of other stores as well: a certificate is revoked under every anchor.
  func takeRevocationLists(of stores: [TrustStore]) throws(TLSError) {
    for list in stores.flatMap(\.revocationLists) {
      guard X509_STORE_add_crl(pointer, list) == 1 else { throw TLSError.queued(.internalFailure) }
    }
    usesRevocationListsIfNeeded()
  }

  func add(revocationLists lists: [RevocationList]) throws(TLSError) {
    for list in lists where X509_STORE_add_crl(pointer, list.crl) != 1 {
      throw TLSError.queued(.internalFailure)
    }
    usesRevocationListsIfNeeded()
  }

  /// The lists in the name of a certificate's issuer, those in directories and those of the stores beside it included.
  func lists(about certificate: Certificate) -> [RevocationList] {
    all.flatMap { $0.ownLists(about: certificate) }
  }

  private func ownLists(about certificate: Certificate) -> [RevocationList] {
    guard let context = X509_STORE_CTX_new() else { return [] }
    defer {
      X509_STORE_CTX_free(context)
      ERR_clear_error()
    }
    guard X509_STORE_CTX_init(context, pointer, certificate.x509, nil) == 1,
      let found = X509_STORE_CTX_get1_crls(context, X509_get_issuer_name(certificate.x509))
    else { return [] }
    defer { OPENSSL_sk_free(found) }
    return OpenSSLStack.members(of: found).map { RevocationList(owning: OpaquePointer($0)) }
  }

  /// Uses lists only where there are any, or they are required: then, without one, every certificate below an anchor is refused.
  private func usesRevocationListsIfNeeded() {
    if requiresLists || !revocationLists.isEmpty { usesRevocationLists() }
  }

  /// Refuses certificates that the lists revoke (RFC 5280 §6.3), and also those of a list that is out of date or has a
  /// wrong signature. Issuers without any list are believed as before: a list of theirs was not promised.
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
    guard let certificate = X509_STORE_CTX_get_current_cert(context) else { return 0 }
    let error = X509_STORE_CTX_get_error(context)
    let length = OPENSSL_sk_num(X509_STORE_CTX_get0_chain(context))
    let isAnchor = X509_STORE_CTX_get_error_depth(context) == length - 1
    guard
      isAnchor
        ? sayNothingOfAnchors.contains(error) : error == X509_V_ERR_UNABLE_TO_GET_CRL && passes(certificate)
    else { return 0 }
    X509_STORE_CTX_set_error(context, X509_V_OK)
    return 1
  }

  /// The faults of a list, or its absence, that do not count for the anchor itself: it is trusted because the caller
  /// said so (RFC 5280 §6.1.1), and needs no list. One that revokes it by name still counts.
  private static let sayNothingOfAnchors: Set<Int32> = [
    X509_V_ERR_UNABLE_TO_GET_CRL, X509_V_ERR_UNABLE_TO_GET_CRL_ISSUER,
    X509_V_ERR_UNABLE_TO_DECRYPT_CRL_SIGNATURE,
    X509_V_ERR_CRL_SIGNATURE_FAILURE, X509_V_ERR_CRL_NOT_YET_VALID, X509_V_ERR_CRL_HAS_EXPIRED,
    X509_V_ERR_ERROR_IN_CRL_LAST_UPDATE_FIELD, X509_V_ERR_ERROR_IN_CRL_NEXT_UPDATE_FIELD,
    X509_V_ERR_KEYUSAGE_NO_CRL_SIGN, X509_V_ERR_UNHANDLED_CRITICAL_CRL_EXTENSION,
    X509_V_ERR_DIFFERENT_CRL_SCOPE,
    X509_V_ERR_CRL_PATH_VALIDATION_ERROR,
  ]

  private static func hasLists(about certificate: OpaquePointer, in context: OpaquePointer?) -> Bool {
    guard let lists = X509_STORE_CTX_get1_crls(context, X509_get_issuer_name(certificate)) else {
      return false
    }
    defer { OPENSSL_sk_pop_free(lists) { X509_CRL_free(OpaquePointer($0)) } }
    return OPENSSL_sk_num(lists) > 0
  }
}
