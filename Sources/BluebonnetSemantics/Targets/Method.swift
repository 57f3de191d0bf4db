// SPDX-License-Identifier: MIT

/// The properties of methods (RFC 9110 §9.2). Unknown methods have none of them.
package enum Method {
  /// Asks for nothing but an answer (§9.2.1).
  package static func isSafe(_ method: String) -> Bool {
    switch method {
    case "GET", "HEAD", "OPTIONS", "TRACE": true
    default: false
    }
  }

  /// Whether it may be sent again after an unknown outcome (§9.2.2).
  package static func isIdempotent(_ method: String) -> Bool {
    // What most requests are is found first.
    if isSafe(method) { return true }
    switch method {
    case "PUT", "DELETE", "QUERY": return true
    default: return false
    }
  }
}
