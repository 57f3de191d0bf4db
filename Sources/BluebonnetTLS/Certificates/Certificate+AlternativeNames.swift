import CBluebonnetOpenSSL

extension Certificate {
  /// The names and addresses that the certificate is valid for (subjectAltName, RFC 5280 §4.2.1.6), in order.
  package var alternativeNames: [SubjectName] {
    guard let raw = X509_get_ext_d2i(x509, NID_subject_alt_name, nil, nil) else {
      ERR_clear_error()
      return []
    }
    let names = OpaquePointer(raw)
    defer {
      OPENSSL_sk_pop_free(names) { GENERAL_NAME_free($0?.assumingMemoryBound(to: GENERAL_NAME.self)) }
    }
    return OpenSSLStack.members(of: names).compactMap {
      Self.subjectName($0.assumingMemoryBound(to: GENERAL_NAME.self))
    }
  }

  private static func subjectName(_ name: UnsafePointer<GENERAL_NAME>) -> SubjectName? {
    var kind: Int32 = 0
    guard let value = GENERAL_NAME_get0_value(name, &kind), kind == GEN_DNS || kind == GEN_IPADD else {
      return nil
    }
    let string = UnsafePointer<ASN1_STRING>(OpaquePointer(value))
    let bytes = UnsafeBufferPointer(
      start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string)))
    if kind == GEN_DNS { return .dns(String(decoding: bytes, as: UTF8.self)) }
    return AddressText.text(of: bytes).map(SubjectName.address)
  }
}
