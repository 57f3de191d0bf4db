// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// The side of a challenge: the origin, or a proxy on the way. Each has its own status and fields (RFC 9110 §11.6, §11.7).
package enum AuthenticationSide: Sendable, Hashable {
  case origin
  case proxy

  /// The status that carries challenges.
  package var status: Int { self == .origin ? 401 : 407 }
  /// The field that they stand in.
  package var challengeField: KnownField { self == .origin ? .wwwAuthenticate : .proxyAuthenticate }
  /// The field that answers them.
  package var credentialsFieldName: String { self == .origin ? "Authorization" : "Proxy-Authorization" }
  /// The field that speaks of an answer that was accepted.
  package var informationFieldName: String {
    self == .origin ? "Authentication-Info" : "Proxy-Authentication-Info"
  }
}
