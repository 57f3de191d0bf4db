// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

/// The name under which a peer was asked for, as certificates and SNI see it.
enum PeerName: Sendable, Hashable {
  case host(String)
  case address([UInt8])

  /// Takes a URL's host: brackets, zone and the root's dot are not part of a name.
  init(host: String) {
    var text = Substring(host)
    if text.first == "[", text.last == "]" { text = text.dropFirst().dropLast() }
    let withoutZone = text.prefix { $0 != "%" }
    if let bytes = AddressText.bytes(of: String(withoutZone)) {
      self = .address(bytes)
    } else {
      if text.last == "." { text = text.dropLast() }
      self = .host(String(text))
    }
  }

  /// The name for server name indication: names only, never addresses (RFC 6066 §3).
  var indicatedName: String? {
    guard case .host(let name) = self, !name.isEmpty else { return nil }
    return name
  }

  /// Only the subjectAltName counts, the common name never (RFC 9525 §6.3), and a wildcard only as a whole
  /// label.
  private static let flags = UInt32(
    X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT)

  /// Whether a check of this name means it alone: an empty one would switch the check off, and one that begins with a dot stands for
  /// all names below it.
  private var isCheckable: Bool {
    guard case .host(let name) = self else { return true }
    return !name.isEmpty && name.utf8.first != UInt8(ascii: ".") && !name.utf8.contains(0)
  }

  /// Demands that the chain's leaf is for this name.
  func demand(in parameters: OpaquePointer?) -> Bool {
    X509_VERIFY_PARAM_set_hostflags(parameters, Self.flags)
    guard isCheckable else { return false }
    switch self {
    case .host(let name): return X509_VERIFY_PARAM_set1_host(parameters, name, name.utf8.count) == 1
    case .address(let bytes): return X509_VERIFY_PARAM_set1_ip(parameters, bytes, bytes.count) == 1
    }
  }

  /// The name of a certificate that this one matches, by the same rules; nil if there is none.
  func match(in x509: OpaquePointer) -> SubjectName? {
    guard isCheckable else { return nil }
    switch self {
    case .host(let name):
      var found: UnsafeMutablePointer<CChar>?
      defer { CRYPTO_free(found, #file, #line) }
      guard X509_check_host(x509, name, name.utf8.count, Self.flags, &found) == 1, let found else {
        return nil
      }
      return .dns(String(cString: found))
    case .address(let bytes):
      guard X509_check_ip(x509, bytes, bytes.count, Self.flags) == 1 else { return nil }
      return bytes.withUnsafeBufferPointer(AddressText.text).map(SubjectName.address)
    }
  }
}
