// SPDX-License-Identifier: MIT
import Bluebonnet

/// How a server of the matrix wants to be answered.
enum MatrixScheme: String, Sendable {
  case none
  case basic = "Basic"
  case digest = "Digest"
  case digestSHA256 = "SHA-256"
  case ntlm = "NTLM"
  case negotiate = "Negotiate"
  /// SOCKS 5's user and password (RFC 1929).
  case password
  /// SOCKS 4's user.
  case user

  /// What opens everything; for Kerberos, that is the ticket which is there.
  var credential: URLCredential? {
    switch self {
    case .none: nil
    case .negotiate: URLCredential(user: "", password: "", persistence: .forSession)
    default: URLCredential(user: "bonnie", password: "blue", persistence: .forSession)
    }
  }

  /// A wrong password, where there is such a thing.
  var wrongCredential: URLCredential? {
    self == .none || self == .negotiate
      ? nil : URLCredential(user: "bonnie", password: "red", persistence: .forSession)
  }

  /// Somebody who is not known, likewise. squid keeps one password of each user for Basic, and refuses the right one, too,
  /// while it looks at a wrong one.
  var stranger: URLCredential? {
    self == .none || self == .negotiate
      ? nil : URLCredential(user: "stranger", password: "red", persistence: .forSession)
  }

  /// Whether the origin was shown what it asked for, and by no other scheme.
  func isWhat(_ echo: Echo) -> Bool {
    switch self {
    case .none: echo.scheme == nil
    case .digestSHA256:
      echo.scheme == "Digest" && echo.fields["authorization"]?.first?.contains("SHA-256") == true
    // Once it is open, a connection needs no more words; some servers refuse messages without a version.
    case .ntlm: echo.ntlm?.user == "bonnie" && echo.ntlm?.version == true
    default: echo.scheme == rawValue
    }
  }
}
