// SPDX-License-Identifier: MIT

/// Why a SOCKS proxy does not let a connection through.
package enum SOCKSError: Error, Hashable, Sendable {
  /// A reply of SOCKS 4 (CD) other than 90.
  case refused4(UInt8)
  /// A reply of SOCKS 5 (REP, RFC 1928 §6) other than 0.
  case refused5(UInt8)
  /// The proxy takes none of the authentication methods offered (RFC 1928 §3).
  case noAcceptableMethod(hasCredentials: Bool)
  /// The proxy does not accept the user and the password (RFC 1929 §2).
  case wrongCredentials
  /// The answer is no SOCKS, or another version.
  case malformed(String)
  /// The proxy ended the connection before it had answered.
  case closed
  /// The request cannot be written in this version of SOCKS.
  case unsayable(String)

  /// Whether it is the target that could not be reached, as the proxy says, rather than the proxy that does not want.
  package var isOfTarget: Bool {
    switch self {
    // Network unreachable, host unreachable, connection refused, TTL expired.
    case .refused5(let code): (3...6).contains(code)
    default: false
    }
  }

  /// Whether another address of the same host may do better: the proxy could not reach this one, or knows no such kind.
  package var mayTryAnotherAddress: Bool {
    switch self {
    case .refused5(8), .refused5(1): true
    case .refused4(91): true
    default: isOfTarget
    }
  }
}

extension SOCKSError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .refused4(let code): "it said \(Self.words4(code)) (SOCKS 4 reply \(code))"
    case .refused5(let code): "it said \(Self.words5(code)) (SOCKS 5 reply \(code), RFC 1928 §6)"
    case .noAcceptableMethod(true):
      "it accepts neither user name/password nor anonymous clients (RFC 1928 §3)"
    case .noAcceptableMethod(false): "it requires authentication, and no user name was given (RFC 1928 §3)"
    case .wrongCredentials: "it does not accept the user and the password (RFC 1929 §2)"
    case .malformed(let what): "it does not speak SOCKS as it should: \(what)"
    case .closed: "it closed the connection before it had answered"
    case .unsayable(let what): what
    }
  }

  private static func words4(_ code: UInt8) -> String {
    switch code {
    case 91: "that the request was rejected or failed"
    case 92: "that it cannot connect to identd on the client"
    case 93: "that the client and identd report different users"
    default: "what nobody knows"
    }
  }

  private static func words5(_ code: UInt8) -> String {
    switch code {
    case 1: "that it failed"
    case 2: "that its rules do not allow the connection"
    case 3: "that the network is unreachable"
    case 4: "that the host is unreachable"
    case 5: "that the host refused the connection"
    case 6: "that the time to live expired"
    case 7: "that it does not support the command"
    case 8: "that it does not support the type of address"
    default: "what nobody knows"
    }
  }
}
