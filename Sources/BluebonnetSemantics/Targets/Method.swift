/// What RFC 9110 §9.2 says of methods. Those that are not known have none of these properties.
package enum Method {
  /// Asks for nothing but an answer (§9.2.1).
  package static func isSafe(_ method: String) -> Bool {
    switch method {
    case "GET", "HEAD", "OPTIONS", "TRACE": true
    default: false
    }
  }

  /// May be sent again when nobody knows what became of it (§9.2.2).
  package static func isIdempotent(_ method: String) -> Bool {
    // What most requests are is found first.
    if isSafe(method) { return true }
    switch method {
    case "PUT", "DELETE", "QUERY": return true
    default: return false
    }
  }
}
