import CBluebonnetOpenSSL

/// An extension of a certificate, as OpenSSL's configuration files write it.
public struct TestExtension: Sendable {
  let identifier: Int32
  let value: String

  public static let authority = TestExtension(identifier: NID_basic_constraints, value: "critical,CA:TRUE")
  static let subjectKey = TestExtension(identifier: NID_subject_key_identifier, value: "hash")
  static let authorityKey = TestExtension(identifier: NID_authority_key_identifier, value: "keyid:always")
  /// The server promises to staple (RFC 7633).
  public static let mustStaple = TestExtension(identifier: NID_tlsfeature, value: "status_request")

  public static func names(_ value: String) -> TestExtension {
    TestExtension(identifier: NID_subject_alt_name, value: value)
  }

  public static func keyUsage(_ value: String) -> TestExtension {
    TestExtension(identifier: NID_key_usage, value: "critical,\(value)")
  }

  public static func extendedKeyUsage(_ value: String) -> TestExtension {
    TestExtension(identifier: NID_ext_key_usage, value: value)
  }

  /// OCSP responders.
  public static func responders(_ addresses: String...) -> TestExtension {
    TestExtension(
      identifier: NID_info_access, value: addresses.map { "OCSP;URI:\($0)" }.joined(separator: ","))
  }

  /// Distribution points of revocation lists.
  public static func lists(_ addresses: String...) -> TestExtension {
    TestExtension(
      identifier: NID_crl_distribution_points, value: addresses.map { "URI:\($0)" }.joined(separator: ","))
  }
}
