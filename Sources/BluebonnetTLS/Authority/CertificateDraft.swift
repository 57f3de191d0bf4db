// SPDX-License-Identifier: MIT
import BluebonnetLibc
import CBluebonnetOpenSSL

/// A certificate before it is signed.
struct CertificateDraft {
  let commonName: String
  let names: [SubjectName]
  let isAuthority: Bool
  let validity: Validity
  let publicKey: PrivateKey
  /// Whether the key that signs is named, as RFC 5280 §4.2.1.1 has it.
  var namesIssuersKey = true
  /// The permitted uses of a leaf (RFC 5280 §4.2.1.12), in OpenSSL's names; `nil` for any.
  var uses = usualUses

  static let usualUses: String? = "serverAuth,clientAuth"

  /// Signs with `key`, in the name of `issuer` or, if that is `nil`, in its own.
  func signed(by issuer: Certificate?, _ key: PrivateKey) throws(TLSError) -> Certificate {
    ERR_clear_error()
    guard let x509 = X509_new() else { throw TLSError.queued(.internalFailure) }
    let certificate = Certificate(owning: x509)
    let issuer = issuer?.x509 ?? x509
    let extensions = try extensions(isSelfIssued: issuer == x509)
    guard
      // Version 3 counts from zero.
      X509_set_version(x509, 2) == 1, setSerialNumber(x509), setDates(x509), setSubject(x509),
      X509_set_issuer_name(x509, X509_get_subject_name(issuer)) == 1,
      X509_set_pubkey(x509, publicKey.key) == 1
    else { throw TLSError.queued(.internalFailure) }
    for (kind, value) in extensions {
      guard add(kind, value, to: x509, issuer: issuer) else {
        throw TLSError.queued(.invalidConfiguration)
      }
    }
    guard X509_sign(x509, key.key, EVP_sha256()) > 0 else { throw TLSError.queued(.internalFailure) }
    return certificate
  }

  private func setSerialNumber(_ x509: OpaquePointer) -> Bool {
    guard let number = BN_new() else { return false }
    defer { BN_free(number) }
    // At most 20 octets and positive (RFC 5280 §4.1.2.2).
    return BN_rand(number, 152, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1
      && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(x509)) != nil
  }

  private func setDates(_ x509: OpaquePointer) -> Bool {
    let now = time(nil)
    return ASN1_TIME_set(X509_getm_notBefore(x509), now + validity.from) != nil
      && ASN1_TIME_set(X509_getm_notAfter(x509), now + validity.until) != nil
  }

  private func setSubject(_ x509: OpaquePointer) -> Bool {
    let subject = X509_get_subject_name(x509)
    // The name is bounded by 64 characters (RFC 5280, ub-common-name).
    let bytes = Array(String(commonName.prefix(64)).utf8)
    return X509_NAME_add_entry_by_NID(
      subject, NID_commonName, MBSTRING_UTF8, bytes, Int32(bytes.count), -1, 0) == 1
  }

  private func extensions(isSelfIssued: Bool) throws(TLSError) -> [(kind: Int32, value: String)] {
    var list: [(kind: Int32, value: String)] = [(NID_subject_key_identifier, "hash")]
    if namesIssuersKey, !isSelfIssued { list.append((NID_authority_key_identifier, "keyid:always")) }
    if isAuthority {
      list.append((NID_basic_constraints, "critical,CA:TRUE"))
      list.append((NID_key_usage, "critical,keyCertSign,cRLSign"))
    } else {
      list.append((NID_basic_constraints, "critical,CA:FALSE"))
      list.append((NID_key_usage, "critical,digitalSignature,keyEncipherment"))
      if let uses { list.append((NID_ext_key_usage, uses)) }
    }
    if !names.isEmpty { list.append((NID_subject_alt_name, try alternativeNames())) }
    return list
  }

  /// In the syntax of OpenSSL's configuration files, in which a comma would begin another name.
  private func alternativeNames() throws(TLSError) -> String {
    var parts: [String] = []
    for name in names {
      switch name {
      case .dns(let text):
        guard !text.isEmpty, text.utf8.allSatisfy(Self.isPlain) else {
          throw TLSError(.invalidConfiguration, reason: "not a host name for a certificate")
        }
        parts.append("DNS:\(text)")
      case .address(let text):
        guard AddressText.bytes(of: text) != nil else {
          throw TLSError(.invalidConfiguration, reason: "not an address for a certificate")
        }
        parts.append("IP:\(text)")
      }
    }
    return parts.joined(separator: ",")
  }

  private func add(_ kind: Int32, _ value: String, to x509: OpaquePointer, issuer: OpaquePointer) -> Bool {
    var context = X509V3_CTX()
    X509V3_set_ctx(&context, issuer, x509, nil, nil, 0)
    guard let made = X509V3_EXT_conf_nid(nil, &context, kind, value) else { return false }
    defer { X509_EXTENSION_free(made) }
    return X509_add_ext(x509, made, -1) == 1
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "*"):
      true
    default: false
    }
  }
}
