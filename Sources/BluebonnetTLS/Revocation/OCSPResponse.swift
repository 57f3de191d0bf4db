// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

/// A responder's answer as it came: nothing in it is believed before its signature is checked.
final class OCSPResponse {
  private let basic: OpaquePointer

  /// One DER encoding and nothing after it.
  init(_ bytes: [UInt8]) throws(RevocationFault) {
    OpenSSLLibrary.initialize()
    defer { ERR_clear_error() }
    let parsed = DER.read(bytes, { d2i_OCSP_RESPONSE(nil, $0, $1) }, free: OCSP_RESPONSE_free)
    guard let parsed else { throw .malformed }
    defer { OCSP_RESPONSE_free(parsed) }
    let status = OCSP_response_status(parsed)
    guard status == OCSP_RESPONSE_STATUS_SUCCESSFUL else { throw .declined(status: status) }
    guard let basic = OCSP_response_get1_basic(parsed) else { throw .malformed }
    self.basic = basic
  }

  deinit {
    OCSP_BASICRESP_free(basic)
  }

  /// A nonce that comes back has to be the one that was sent; none may come back.
  func check(_ nonce: [UInt8]?) throws(RevocationFault) {
    let index = OCSP_BASICRESP_get_ext_by_NID(basic, NID_id_pkix_OCSP_Nonce, -1)
    guard let nonce, index >= 0 else { return }
    let bytes = ASN1Text.bytes(of: X509_EXTENSION_get_data(OCSP_BASICRESP_get_ext(basic, index)))
    // An OCTET STRING with a length of one byte, up to 127.
    guard nonce.count < 128, bytes.elementsEqual([0x04, UInt8(nonce.count)] + nonce) else {
      throw .otherNonce
    }
  }

  /// The issuer itself has signed, or a responder with a certificate of the issuer's for that (§4.2.2.2).
  ///
  /// Whether the responder's own certificate was revoked is not asked: those are short-lived or exempt
  /// (id-pkix-ocsp-nocheck) as a rule, and there would be no other responder to ask.
  func checkSignature(of issuer: Certificate, at now: Int64) throws(RevocationFault) {
    defer { ERR_clear_error() }
    if SignatureStrength.isWeak(OCSP_resp_get0_tbs_sigalg(basic)) { throw .weakSignature }
    // Only the issuer is an anchor here, so that no other authority's responder gets through.
    guard let store = X509_STORE_new() else { throw .wrongSigner }
    defer { X509_STORE_free(store) }
    guard X509_STORE_add_cert(store, issuer.x509) == 1, let parameters = X509_STORE_get0_param(store) else {
      throw .wrongSigner
    }
    X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN))
    X509_VERIFY_PARAM_set_time(parameters, Int(now))
    X509_VERIFY_PARAM_set_auth_level(parameters, TLSContext.securityLevel)
    let known = CertificateStack([issuer])
    guard OCSP_basic_verify(basic, known.pointer, store, UInt(OCSP_NOEXPLICIT)) == 1 else {
      throw .wrongSigner
    }
  }

  /// The current answer about the certificate; of several, the worst.
  func answer(
    about certificate: Certificate, issuer: Certificate, at now: Int64
  ) throws(RevocationFault) -> RevocationAnswer {
    defer { ERR_clear_error() }
    // RFC 5280 §4.2: a critical extension that is not understood may change the meaning.
    guard OCSP_BASICRESP_get_ext_by_critical(basic, 1, -1) < 0 else { throw .malformed }
    var found: RevocationAnswer?
    var fault = RevocationFault.otherCertificate
    for index in 0..<max(OCSP_resp_count(basic), 0) {
      guard let single = OCSP_resp_get0(basic, index), Self.concerns(single, certificate, issuer) else {
        continue
      }
      do throws(RevocationFault) {
        let answer = try Self.answer(single, at: now)
        if case .revoked = answer.status {
          found = answer
        } else if found == nil || found?.status == .good {
          found = answer
        }
      } catch {
        fault = error
      }
    }
    guard let found else { throw fault }
    return found
  }

  /// Identifiers are compared by the hash function that the responder chose (§4.1.1).
  private static func concerns(
    _ single: OpaquePointer, _ certificate: Certificate, _ issuer: Certificate
  ) -> Bool {
    guard let identifier = OCSP_SINGLERESP_get0_id(single) else { return false }
    var algorithm: OpaquePointer?
    guard OCSP_id_get0_info(nil, &algorithm, nil, nil, identifier) == 1 else { return false }
    let digest: OpaquePointer?
    switch OBJ_obj2nid(algorithm) {
    case NID_sha1: digest = EVP_sha1()
    case NID_sha256: digest = EVP_sha256()
    default: return false
    }
    guard let own = OCSP_cert_to_id(digest, certificate.x509, issuer.x509) else { return false }
    defer { OCSP_CERTID_free(own) }
    return OCSP_id_cmp(own, identifier) == 0
  }

  private static func answer(
    _ single: OpaquePointer, at now: Int64
  ) throws(RevocationFault) -> RevocationAnswer {
    guard OCSP_SINGLERESP_get_ext_by_critical(single, 1, -1) < 0 else { throw .malformed }
    var reason: Int32 = -1
    var revokedAt: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
    var thisUpdate: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
    var nextUpdate: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
    let number = OCSP_single_get0_status(single, &reason, &revokedAt, &thisUpdate, &nextUpdate)
    let validity = try AnswerValidity(from: thisUpdate, until: nextUpdate)
    try validity.check(at: now)
    let status: CertificateStatus
    switch number {
    case V_OCSP_CERTSTATUS_GOOD: status = .good
    case V_OCSP_CERTSTATUS_REVOKED:
      status = .revoked(
        Revocation(time: ASN1Time.seconds(revokedAt), reason: reason < 0 ? nil : reason))
    case V_OCSP_CERTSTATUS_UNKNOWN: status = .unknown
    default: throw .malformed
    }
    return RevocationAnswer(status, validUntil: validity.nextUpdate)
  }
}
