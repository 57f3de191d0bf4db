// SPDX-License-Identifier: MIT

/// A supported authentication scheme of the registry of RFC 9110 §16.4.1.
package enum AuthenticationScheme: String, Sendable, Hashable, CaseIterable {
  /// A name and a password, readable in the field (RFC 7617).
  case basic
  /// A token issued by a third party (RFC 6750).
  case bearer
  /// A name and a proof of the password (RFC 7616).
  case digest
  /// NTLMv2, which authenticates a connection (MS-NTHT).
  case ntlm
  /// Kerberos in SPNEGO (RFC 4559).
  case negotiate

  /// As RFC 9110 §16.4.1's registry writes it.
  package var name: String {
    switch self {
    case .basic: "Basic"
    case .bearer: "Bearer"
    case .digest: "Digest"
    case .ntlm: "NTLM"
    case .negotiate: "Negotiate"
    }
  }

  /// A connection is authenticated and not a request: all legs go over one, and no other identity may be served
  /// over it afterwards.
  package var isBoundToConnection: Bool { self == .ntlm || self == .negotiate }
}

/// A set of schemes: what a caller lets itself be asked for.
package struct AuthenticationSchemes: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let basic = Self(rawValue: 1)
  package static let bearer = Self(rawValue: 2)
  package static let digest = Self(rawValue: 4)
  package static let ntlm = Self(rawValue: 8)
  package static let negotiate = Self(rawValue: 16)
  package static let all: Self = [.basic, .bearer, .digest, .ntlm, .negotiate]

  /// Whether a scheme is in the set.
  package func contains(_ scheme: AuthenticationScheme) -> Bool {
    switch scheme {
    case .basic: isSuperset(of: .basic)
    case .bearer: isSuperset(of: .bearer)
    case .digest: isSuperset(of: .digest)
    case .ntlm: isSuperset(of: .ntlm)
    case .negotiate: isSuperset(of: .negotiate)
    }
  }
}
