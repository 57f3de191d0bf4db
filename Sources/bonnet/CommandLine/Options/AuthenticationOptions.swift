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
    .value("user", "u", "user:password", [.auth, .important], "User name and password", sets: \.user),
    .flag("basic", nil, [.auth], "Basic authentication") { $0.methods.set(.basic, $1) },
    .flag("digest", nil, [.auth, .http], "Digest authentication") { $0.methods.set(.digest, $1) },
    .flag("ntlm", nil, [.auth, .http], "NTLM authentication") { $0.methods.set(.ntlm, $1) },
    .flag("negotiate", nil, [.auth, .http], "Negotiate authentication (Kerberos)") {
      $0.methods.set(.negotiate, $1)
    },
    .act("anyauth", nil, [.auth, .http], "The strongest that the server offers") { $0.methods = .any },
    .flag("netrc", "n", [.curl, .auth], "Takes user and password from .netrc") {
      $0.netrc = $1 ? .required : .none
    },
    .flag("netrc-optional", nil, [.curl, .auth], "The same, where neither -u nor the URL has them") {
      $0.netrc = $1 ? .optional : .none
    },
    .value("netrc-file", nil, "file", [.curl, .auth], "The same from another file") {
      $0.netrcPath = $1
      if $0.netrc == .none { $0.netrc = .required }
    },
    .value("oauth2-bearer", nil, "token", [.auth], "Bearer authentication with a token", sets: \.bearer),
  ]
}
