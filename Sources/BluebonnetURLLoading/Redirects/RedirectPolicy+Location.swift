import BluebonnetFoundation

extension RedirectPolicy {
  /// Resolves a `Location` (RFC 9110 §10.2.2): relative to the request, and with its fragment if it has none itself.
  package static func resolve(_ location: String, against base: URL) -> URL? {
    let text = String(location.trimmingOptionalWhitespace)
    // An empty reference is the same document (RFC 3986 §4.4), which `URL` does not parse.
    let reference = text.isEmpty ? base.path(percentEncoded: true) + query(of: base) : text
    guard !reference.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }),
      let resolved = URL(string: reference.isEmpty ? "/" : reference, relativeTo: base)?.absoluteURL
    else { return nil }
    guard !text.utf8.contains(Byte.hash), let fragment = base.fragment(percentEncoded: true) else {
      return resolved
    }
    return URL(string: resolved.absoluteString + "#" + fragment)
  }

  private static func query(of url: URL) -> String {
    url.query(percentEncoded: true).map { "?" + $0 } ?? ""
  }
}
