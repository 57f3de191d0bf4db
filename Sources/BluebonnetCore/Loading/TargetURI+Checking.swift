// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import BluebonnetTransport

extension TargetURI {
  /// Takes an unchecked URL apart.
  init(checking url: String) throws(HTTPClientError) {
    if let scalar = url.unicodeScalars.first(where: { Self.isRefused($0) }) {
      let code = String(scalar.value, radix: 16, uppercase: true)
      throw HTTPClientError(
        .invalidURL,
        "the URL contains the code point U+\(code), which must be percent-encoded (RFC 3986 §2)")
    }
    do throws(InvalidTarget) {
      try self.init(url) { try CanonicalHost($0).name }
    } catch {
      throw HTTPClientError(
        error.kind == .unsupportedScheme ? .unsupportedScheme : .invalidURL, error.description)
    }
    if isWebSocket {
      throw HTTPClientError(
        .unsupportedScheme, "this client opens no WebSockets; http and https are supported")
    }
  }

  /// ASCII characters that RFC 3986 has no place for. Readers guess their meaning, and not all the same.
  private static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\u{0}"..."\u{20}", "\u{7F}"..."\u{9F}", "\"", "<", ">", "\\", "^", "`", "{", "|", "}": true
    default: false
    }
  }
}
