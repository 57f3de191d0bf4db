// SPDX-License-Identifier: MIT

/// The options of authentication.
struct AuthenticationOptions: Equatable, Sendable {
  /// The schemes that may be answered.
  struct Methods: OptionSet, Sendable, Hashable {
    let rawValue: Int
    static let basic = Methods(rawValue: 1)
    static let digest = Methods(rawValue: 2)
    static let ntlm = Methods(rawValue: 4)
    static let negotiate = Methods(rawValue: 8)
    static let any: Methods = [.basic, .digest, .ntlm, .negotiate]
  }

  /// The options of `-n` and its kin.
  enum Netrc: Equatable, Sendable {
    case none
    case optional
    case required
  }

  var user: String?
  var methods = Methods.basic
  var bearer: String?
  var netrc = Netrc.none
  var netrcPath: String?
}

extension AuthenticationOptions.Methods {
  /// The first one that is named takes the place of the usual one; others are added.
  mutating func set(_ method: Self, _ isOn: Bool) {
    if !isOn { subtract(method) } else if self == .basic { self = method } else { formUnion(method) }
  }
}

extension AuthenticationOptions {
  /// The words of the command line that set them.
  static let entries: [OptionEntry<AuthenticationOptions>] = [
    .value(
      "user", "u", "user:password", [.auth, .important], "User and password for the server", sets: \.user),
    .flag("basic", nil, [.auth], "Uses HTTP Basic authentication") { $0.methods.set(.basic, $1) },
    .flag("digest", nil, [.auth, .http], "Uses HTTP Digest authentication") { $0.methods.set(.digest, $1) },
    .flag("ntlm", nil, [.auth, .http], "Uses HTTP NTLM authentication") { $0.methods.set(.ntlm, $1) },
    .flag("negotiate", nil, [.auth, .http], "Uses HTTP Negotiate (Kerberos) authentication") {
      $0.methods.set(.negotiate, $1)
    },
    .act("anyauth", nil, [.auth, .http], "Uses the strongest scheme that the server offers") {
      $0.methods = .any
    },
    .flag("netrc", "n", [.curl, .auth], "Reads user and password from .netrc") {
      $0.netrc = $1 ? .required : .none
    },
    .flag("netrc-optional", nil, [.curl, .auth], "Reads .netrc unless -u or the URL has a user") {
      $0.netrc = $1 ? .optional : .none
    },
    .value("netrc-file", nil, "file", [.curl, .auth], "Reads user and password from this file") {
      $0.netrcPath = $1
      if $0.netrc == .none { $0.netrc = .required }
    },
    .value("oauth2-bearer", nil, "token", [.auth], "Sends this OAuth 2.0 bearer token", sets: \.bearer),
  ]
}
