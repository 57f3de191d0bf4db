// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetFoundation

extension URLSessionConfiguration {
  /// Authentication schemes. Not part of the URL Loading System of Apple's systems.
  public struct AuthenticationSchemes: OptionSet, Sendable, Hashable {
    /// A bit for each scheme.
    public let rawValue: Int

    /// Makes a set of bits, of which those of the schemes below have a meaning.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A name and a password, readable in the request (RFC 7617).
    public static let basic = Self(rawValue: 1)
    /// A name and a proof of the password, with MD5, SHA-256 or SHA-512/256 (RFC 7616).
    public static let digest = Self(rawValue: 2)
    /// NTLMv2, which authenticates a connection. Older versions of NTLM are never spoken.
    public static let ntlm = Self(rawValue: 4)
    /// The caller's Kerberos ticket (RFC 4559).
    public static let negotiate = Self(rawValue: 8)
    /// All of these.
    public static let all: Self = [.basic, .digest, .ntlm, .negotiate]
  }
}

extension URLSessionConfiguration.Settings {
  /// The schemes that a server's challenge is answered by; all of them by default. Works: a challenge of any other scheme is
  /// treated as one that is not known, so that without `.basic` no server can have itself told a password. Fields that
  /// are set by hand, and the user information of a URL, are sent all the same.
  public var authenticationSchemes: URLSessionConfiguration.AuthenticationSchemes {
    get { URLSessionConfiguration.AuthenticationSchemes(allowedSchemes) }
    set { allowedSchemes = .init(newValue) }
  }
}

extension URLSessionConfiguration.AuthenticationSchemes {
  fileprivate static let pairs: [(Self, BluebonnetAuthentication.AuthenticationSchemes)] = [
    (.basic, .basic), (.digest, .digest), (.ntlm, .ntlm), (.negotiate, .negotiate),
  ]

  init(_ schemes: BluebonnetAuthentication.AuthenticationSchemes) {
    self = []
    for (own, other) in Self.pairs where schemes.isSuperset(of: other) { insert(own) }
  }
}

extension BluebonnetAuthentication.AuthenticationSchemes {
  init(_ schemes: URLSessionConfiguration.AuthenticationSchemes) {
    self = []
    for (other, own) in URLSessionConfiguration.AuthenticationSchemes.pairs where schemes.contains(other) {
      insert(own)
    }
  }
}
