extension OptionTable {
  /// Authentication.
  static let authentication: [OptionEntry] = [
    .value("user", "u", "user:password", [.auth, .important], "User name and password") {
      $0.operation.authentication.user = $1
    },
    .flag("basic", nil, [.auth], "Basic authentication") {
      $0.operation.authentication.methods.set(.basic, $1)
    },
    .flag("digest", nil, [.auth, .http], "Digest authentication") {
      $0.operation.authentication.methods.set(.digest, $1)
    },
    .flag("ntlm", nil, [.auth, .http], "NTLM authentication") {
      $0.operation.authentication.methods.set(.ntlm, $1)
    },
    .flag("negotiate", nil, [.auth, .http], "Negotiate authentication (Kerberos)") {
      $0.operation.authentication.methods.set(.negotiate, $1)
    },
    .act("anyauth", nil, [.auth, .http], "The strongest that the server offers") {
      $0.operation.authentication.methods = .any
    },
    .flag("netrc", "n", [.curl, .auth], "Takes user and password from .netrc") {
      $0.operation.authentication.netrc = $1 ? .required : .none
    },
    .flag("netrc-optional", nil, [.curl, .auth], "The same, where neither -u nor the URL has them") {
      $0.operation.authentication.netrc = $1 ? .optional : .none
    },
    .value("netrc-file", nil, "file", [.curl, .auth], "The same from another file") {
      $0.operation.authentication.netrcPath = $1
      if $0.operation.authentication.netrc == .none { $0.operation.authentication.netrc = .required }
    },
    .value("oauth2-bearer", nil, "token", [.auth], "Bearer authentication with a token") {
      $0.operation.authentication.bearer = $1
    },
  ]
}

extension AuthenticationOptions.Methods {
  /// The first one that is named takes the place of the usual one; others are added.
  mutating func set(_ method: Self, _ isOn: Bool) {
    if !isOn { subtract(method) } else if self == .basic { self = method } else { formUnion(method) }
  }
}
