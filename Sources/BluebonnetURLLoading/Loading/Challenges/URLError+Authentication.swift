// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetFoundation

extension URLError {
  /// Why a challenge was not met, or the server that made it is not believed.
  static func authentication(_ fault: AuthenticationFault, at url: URL?) -> URLError {
    let code: URLError.Code =
      switch fault.kind {
      case .malformed, .mutualAuthenticationFailed: .badServerResponse
      case .unsupported: .userAuthenticationRequired
      case .connectionLost: .networkConnectionLost
      }
    return .loading(
      code, url: url, phase: .waiting, reason: "\(fault.scheme.name) authentication failed: \(fault)")
  }

  /// A credential was given that none of the server's schemes takes.
  static func unanswerable(_ offers: [AuthenticationOffer], at url: URL?) -> URLError {
    let names = offers.map(\.scheme).filter { $0.method != nil }.map(\.name)
    let wanted = names.joined(separator: " or ")
    return .loading(
      .userAuthenticationRequired, url: url, phase: .waiting,
      reason: "the server wants \(wanted) authentication, for which the credential is not one"
        + (names.contains("Negotiate")
          ? ": Negotiate takes the caller's Kerberos ticket, not a password" : ""))
  }
}
