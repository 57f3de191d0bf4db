// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

/// Why a certificate chain was not accepted.
package struct TrustFailure: Error, Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    case expired
    case notYetValid
    /// A lone certificate that vouches for itself.
    case selfSigned
    /// The chain ends at an issuer that is not among the anchors.
    case unknownIssuer
    /// The certificate is for other names, or for other addresses.
    case wrongHost
    case revoked
    /// It promises a stapled OCSP response (RFC 7633), and there is none that says good.
    case unstapled
    case other
  }

  package let reason: Reason
  /// OpenSSL's `X509_V_ERR_…` number.
  package let code: Int
  /// OpenSSL's words for it.
  package let text: String

  /// `nil` if the code says that the chain is good.
  init?(code: Int) {
    guard code != Int(X509_V_OK) else { return nil }
    self.code = code
    self.reason = Reason(code: Int32(truncatingIfNeeded: code))
    self.text = X509_verify_cert_error_string(code).map { String(cString: $0) } ?? "unknown"
  }
}

extension TrustFailure: CustomStringConvertible {
  package var description: String { text }
}

extension TrustFailure.Reason {
  init(code: Int32) {
    switch code {
    case X509_V_ERR_CERT_HAS_EXPIRED: self = .expired
    case X509_V_ERR_CERT_NOT_YET_VALID: self = .notYetValid
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: self = .selfSigned
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
      X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
      X509_V_ERR_CERT_UNTRUSTED:
      self = .unknownIssuer
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: self = .wrongHost
    case X509_V_ERR_CERT_REVOKED: self = .revoked
    default: self = .other
    }
  }
}

extension TrustFailure {
  /// At most so many names of a certificate are told: it may have thousands.
  private static let nameLimit = 4
  /// A host name has at most 253 characters (RFC 1035 §2.3.4); more of one tells nothing.
  private static let nameLength = 253

  /// Adds the names that a certificate has to the text of a mismatch.
  ///
  /// - Parameters:
  ///   - certificate: The server's own; nil if it is not known.
  ///   - host: The name that was asked for.
  func naming(_ certificate: @autoclosure () -> Certificate?, for host: String?) -> TrustFailure {
    guard reason == .wrongHost, let host, let certificate = certificate() else { return self }
    let names = certificate.alternativeNames.map { Self.printable($0.description) }
    let told =
      names.isEmpty
      ? "the certificate has no name of a host"
      : "the certificate is for \(Self.list(names)), not for \(host)"
    return TrustFailure(reason: reason, code: code, text: "\(text): \(told)")
  }

  private static func list(_ names: [String]) -> String {
    guard names.count <= nameLimit else {
      return "\(names[..<nameLimit].joined(separator: ", ")) and \(names.count - nameLimit) more"
    }
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) and \(last)"
  }

  /// Names come from the network, and end on terminals and in logs.
  private static func printable(_ name: String) -> String {
    String(
      decoding: name.utf8.prefix(nameLength).map { (0x21...0x7E).contains($0) ? $0 : UInt8(ascii: "?") },
      as: UTF8.self)
  }
}
