// SPDX-License-Identifier: MIT

/// An authority's statement about a certificate (RFC 6960 §2.2); lists know the first two only.
package enum CertificateStatus: Sendable, Hashable {
  /// Not revoked.
  case good
  case revoked(Revocation)
  /// The responder does not know the certificate: it may never have been issued.
  case unknown
}

/// That a certificate was revoked.
package struct Revocation: Sendable, Hashable {
  /// In seconds since 1970.
  package let time: Int64?
  /// The number of the reason (RFC 5280 §5.3.1); nil if none is stated.
  package let reason: Int32?
}

extension Revocation: CustomStringConvertible {
  package var description: String {
    guard let reason, let text = Self.reasons[reason] else { return "revoked" }
    return "revoked: \(text)"
  }

  /// Zero, "unspecified", says no more than nothing.
  private static let reasons: [Int32: String] = [
    1: "its key was compromised", 2: "its authority's key was compromised",
    3: "its holder's affiliation changed", 4: "it was superseded", 5: "its service has ceased",
    6: "it is on hold", 8: "it was removed from the list",
    9: "a privilege in it was withdrawn", 10: "its attribute authority's key was compromised",
  ]
}

/// One answer, of any source.
package struct RevocationAnswer: Sendable, Hashable {
  package let status: CertificateStatus
  /// The end of its validity, in seconds since 1970; nil if it held at the moment only.
  package let validUntil: Int64?

  package init(_ status: CertificateStatus, validUntil: Int64?) {
    self.status = status
    self.validUntil = validUntil
  }
}
