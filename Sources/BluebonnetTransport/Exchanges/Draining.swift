// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// Reading the rest of an unwanted response, so that its connection can be used again.
package enum Draining {
  /// Bytes of a body that are read at most: beyond that, a new connection is cheaper.
  package static var limit: Int { 64 * 1024 }
  /// The longest wait for the rest: about the cost of a new connection over a long way.
  package static var patience: Duration { .milliseconds(200) }

  /// Whether the end comes soon, as far as the head tells (RFC 9112 §6.3).
  package static func isWorthwhile(status: Int, method: String?, fields: FieldBlock) -> Bool {
    // These have no body.
    if status == 304 || status == 204 || method == "HEAD" { return true }
    if fields.contains(.transferEncoding) { return true }
    guard let length = fields.first(.contentLength).flatMap({ Int($0) }) else { return false }
    return length <= limit
  }
}
