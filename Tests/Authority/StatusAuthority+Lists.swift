// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL
import Glibc

extension StatusAuthority {
  /// Which certificates a list is about.
  package enum ListScope: String, Sendable {
    case all = ""
    case users = "onlyuser:TRUE"
    case authorities = "onlyCA:TRUE"
    case someReasons = "onlysomereasons:keyCompromise"
    case otherPoint = "fullname:URI:http://elsewhere.test/list"
  }

  /// A revocation list.
  ///
  /// - Parameters:
  ///   - serials: What is revoked, because its key was compromised.
  ///   - thisUpdate: Seconds from now.
  ///   - nextUpdate: Seconds from now; nil leaves it out.
  ///   - signer: Another authority that signs in this one's name.
  ///   - maskDigest: That of the mask, where an RSA key signs by RSASSA-PSS.
  package func list(
    revoking serials: [Int] = [], thisUpdate: Int = -60, nextUpdate: Int? = 3_600, scope: ListScope = .all,
    signedBy signer: StatusAuthority? = nil, digest: TestAnswer.Digest = .sha256,
    maskDigest: TestAnswer.Digest? = nil
  ) throws -> [UInt8] {
    guard let list = X509_CRL_new() else { throw TestAuthorityError("list") }
    defer { X509_CRL_free(list) }
    let now = time(nil)
    X509_CRL_set_version(list, 1)
    X509_CRL_set_issuer_name(list, X509_get_subject_name(certificate.pointer))
    let this = ASN1_TIME_set(nil, now + thisUpdate)
    let next = nextUpdate.flatMap { ASN1_TIME_set(nil, now + $0) }
    defer { for one in [this, next] { ASN1_STRING_free(one) } }
    X509_CRL_set1_lastUpdate(list, this)
    if let next { X509_CRL_set1_nextUpdate(list, next) }
    for serial in serials {
      guard let entry = X509_REVOKED_new(), let number = ASN1_INTEGER_new(),
        let reason = ASN1_ENUMERATED_new()
      else { throw TestAuthorityError("entry") }
      ASN1_INTEGER_set(number, serial)
      X509_REVOKED_set_serialNumber(entry, number)
      X509_REVOKED_set_revocationDate(entry, this)
      ASN1_ENUMERATED_set(reason, 1)
      X509_REVOKED_add1_ext_i2d(entry, NID_crl_reason, reason, 0, 0)
      ASN1_INTEGER_free(number)
      ASN1_ENUMERATED_free(reason)
      X509_CRL_add0_revoked(list, entry)
    }
    if scope != .all {
      var context = X509V3_CTX()
      X509V3_set_ctx(&context, certificate.pointer, nil, nil, list, 0)
      let part = X509V3_EXT_conf_nid(
        nil, &context, NID_issuing_distribution_point, "critical,\(scope.rawValue)")
      guard let part else { throw TestAuthorityError("scope") }
      X509_CRL_add_ext(list, part, -1)
      X509_EXTENSION_free(part)
    }
    X509_CRL_sort(list)
    guard sign(list, (signer ?? self).key, digest, maskDigest) else { throw TestAuthorityError("signature") }
    return encoded { i2d_X509_CRL(list, $0) }
  }

  private func sign(
    _ list: OpaquePointer, _ key: TestKey, _ digest: TestAnswer.Digest, _ maskDigest: TestAnswer.Digest?
  ) -> Bool {
    guard let maskDigest else { return X509_CRL_sign(list, key.pointer, digest.method) > 0 }
    guard let context = EVP_MD_CTX_new() else { return false }
    defer { EVP_MD_CTX_free(context) }
    var settings: OpaquePointer?
    return EVP_DigestSignInit(context, &settings, digest.method, nil, key.pointer) == 1
      && EVP_PKEY_CTX_set_rsa_padding(settings, RSA_PKCS1_PSS_PADDING) == 1
      && EVP_PKEY_CTX_set_rsa_mgf1_md(settings, maskDigest.method) == 1
      && X509_CRL_sign_ctx(list, context) > 0
  }

  /// The same list as a PEM text.
  package static func pem(ofList der: [UInt8]) -> String {
    let list = der.withUnsafeBufferPointer { buffer in
      var cursor = buffer.baseAddress
      return d2i_X509_CRL(nil, &cursor, buffer.count)
    }
    guard let list, let bio = BIO_new(BIO_s_mem()) else { return "" }
    defer {
      X509_CRL_free(list)
      BIO_free(bio)
    }
    PEM_write_bio_X509_CRL(bio, list)
    var start: UnsafeMutableRawPointer?
    let count = BIO_ctrl(bio, BIO_CTRL_INFO, 0, &start)
    return String(decoding: UnsafeRawBufferPointer(start: start, count: max(count, 0)), as: UTF8.self)
  }
}
