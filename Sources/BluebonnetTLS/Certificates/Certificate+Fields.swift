// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

extension Certificate {
  /// The subject's distinguished name as one line (RFC 2253).
  package var subject: String { Self.line(X509_get_subject_name(x509)) }

  /// The issuer's distinguished name as one line (RFC 2253).
  package var issuer: String { Self.line(X509_get_issuer_name(x509)) }

  /// The common name, or else the first name the certificate is valid for, the whole subject, or a mail address; nil if there is none
  /// of these. Apple's counterpart, too, looks at alternative names if the subject is empty (RFC 5280 §4.1.2.6).
  package var subjectSummary: String? {
    [commonName, alternativeNames.first?.description, subject].compactMap { $0 }.first { !$0.isEmpty }
      ?? mailAddress
  }

  private var mailAddress: String? {
    let addresses = withList(NID_subject_alt_name, free: GENERAL_NAME_free) { names in
      names.compactMap { ASN1Text.bytes(of: $0, GEN_EMAIL).map { String(decoding: $0.bytes, as: UTF8.self) } }
    }
    return addresses?.first { !$0.isEmpty }
  }

  package var commonName: String? {
    guard let name = X509_get_subject_name(x509) else { return nil }
    let index = X509_NAME_get_index_by_NID(name, NID_commonName, -1)
    guard index >= 0, let entry = X509_NAME_get_entry(name, index) else { return nil }
    var utf8: UnsafeMutablePointer<UInt8>?
    let count = ASN1_STRING_to_UTF8(&utf8, X509_NAME_ENTRY_get_data(entry))
    guard count >= 0, let utf8 else {
      ERR_clear_error()
      return nil
    }
    defer { CRYPTO_free(utf8, #file, #line) }
    return String(decoding: UnsafeBufferPointer(start: utf8, count: Int(count)), as: UTF8.self)
  }

  /// The names and addresses that the certificate is valid for (subjectAltName, RFC 5280 §4.2.1.6), in order.
  package var alternativeNames: [SubjectName] {
    let names = withList(NID_subject_alt_name, free: GENERAL_NAME_free) { names in
      names.compactMap { name -> SubjectName? in
        guard let (kind, bytes) = ASN1Text.bytes(of: name, GEN_DNS, GEN_IPADD) else { return nil }
        if kind == GEN_DNS { return .dns(String(decoding: bytes, as: UTF8.self)) }
        return AddressText.text(of: bytes).map(SubjectName.address)
      }
    }
    return names ?? []
  }

  /// The one of `alternativeNames` that a URL's host matches (RFC 9525 §6.3); nil if none does.
  package func alternativeName(matching host: String) -> SubjectName? { PeerName(host: host).match(in: x509) }

  /// Reads the list that an extension is, while its members are there; nil if there is none, or none that can be read.
  func withList<Member, R>(
    _ kind: Int32, free: (UnsafeMutablePointer<Member>?) -> Void,
    _ body: ([UnsafeMutablePointer<Member>]) -> R
  ) -> R? {
    guard let list = X509_get_ext_d2i(x509, kind, nil, nil).map({ OpaquePointer($0) }) else {
      ERR_clear_error()
      return nil
    }
    let members = OpenSSLStack.members(of: list).map { $0.assumingMemoryBound(to: Member.self) }
    defer {
      members.forEach(free)
      OPENSSL_sk_free(list)
    }
    return body(members)
  }

  /// Start of the validity, in seconds since 1970.
  package var notBefore: Int64 { ASN1Time.seconds(X509_get0_notBefore(x509)) ?? 0 }

  /// End of the validity, in seconds since 1970.
  package var notAfter: Int64 { ASN1Time.seconds(X509_get0_notAfter(x509)) ?? 0 }

  /// The serial number in hexadecimal.
  package var serialNumber: String {
    guard let number = ASN1_INTEGER_to_BN(X509_get0_serialNumber(x509), nil) else { return "" }
    defer { BN_free(number) }
    guard let text = BN_bn2hex(number) else { return "" }
    defer { CRYPTO_free(text, #file, #line) }
    return String(cString: text)
  }

  /// SHA-256 over the encoding.
  package var sha256: [UInt8] {
    OpenSSLLibrary.hash { X509_digest(x509, EVP_sha256(), $0, &$1) == 1 } ?? []
  }

  package var isAuthority: Bool { X509_check_ca(x509) >= 1 }

  package var isSelfIssued: Bool {
    X509_NAME_cmp(X509_get_subject_name(x509), X509_get_issuer_name(x509)) == 0
  }

  private static func line(_ name: OpaquePointer?) -> String {
    let bytes = MemoryBIO.writing { X509_NAME_print_ex($0, name, 0, Self.lineFlags) >= 0 }
    return String(decoding: bytes ?? [], as: UTF8.self)
  }

  /// `XN_FLAG_RFC2253` (Swift cannot import the macro), without its escaping of everything beyond ASCII.
  private static let lineFlags: UInt = 0x111_0313
}
