/// What a cache may store, and what it must forget (RFC 9111 §3 and §4.4).
package enum CacheRules {
  /// Whether a response may be stored: the common part of RFC 9111 §3.
  ///
  /// - Parameter cacheControl: The values of `Cache-Control`, of the request as well as of the response.
  package static func mayStore(method: String, status: Int, cacheControl: [String]) -> Bool {
    guard method == "GET", status == 200 || status == 203 else { return false }
    // Wherever it stands: whoever misspells the list around it means it none the less.
    return !cacheControl.contains { $0.lowercased().contains("no-store") }
  }

  /// Whether a response to such a request tells that the resource may have changed (RFC 9111 §4.4).
  package static func invalidates(method: String, status: Int) -> Bool {
    (200..<400).contains(status) && !Method.isSafe(method)
  }
}
