// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

/// The versions that are still safe to speak (RFC 8996 retired the rest).
package enum TLSVersion: Sendable, Hashable, Comparable {
  case tls12
  case tls13

  init?(number: Int32) {
    switch number {
    case TLS1_2_VERSION: self = .tls12
    case TLS1_3_VERSION: self = .tls13
    default: return nil
    }
  }

  var number: Int {
    switch self {
    case .tls12: Int(TLS1_2_VERSION)
    case .tls13: Int(TLS1_3_VERSION)
    }
  }
}

extension TLSVersion: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tls12: "TLSv1.2"
    case .tls13: "TLSv1.3"
    }
  }
}
