// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

/// An extension of a certificate, as OpenSSL's configuration files write it.
package struct TestExtension: Sendable {
  let identifier: Int32
  let value: String

  package static let authority = TestExtension(identifier: NID_basic_constraints, value: "critical,CA:TRUE")
  static let subjectKey = TestExtension(identifier: NID_subject_key_identifier, value: "hash")
  static let authorityKey = TestExtension(identifier: NID_authority_key_identifier, value: "keyid:always")
  /// The server promises to staple (RFC 7633).
  package static let mustStaple = TestExtension(identifier: NID_tlsfeature, value: "status_request")

  package static func names(_ value: String) -> TestExtension {
    TestExtension(identifier: NID_subject_alt_name, value: value)
  }

  package static func keyUsage(_ value: String) -> TestExtension {
    TestExtension(identifier: NID_key_usage, value: "critical,\(value)")
  }

  package static func extendedKeyUsage(_ value: String) -> TestExtension {
    TestExtension(identifier: NID_ext_key_usage, value: value)
  }

  /// OCSP responders.
  package static func responders(_ addresses: String...) -> TestExtension {
    TestExtension(
      identifier: NID_info_access, value: addresses.map { "OCSP;URI:\($0)" }.joined(separator: ","))
  }

  /// Distribution points of revocation lists.
  package static func lists(_ addresses: String...) -> TestExtension {
    TestExtension(
      identifier: NID_crl_distribution_points, value: addresses.map { "URI:\($0)" }.joined(separator: ","))
  }
}
