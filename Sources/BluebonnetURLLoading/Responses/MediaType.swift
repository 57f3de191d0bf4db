import BluebonnetFoundation

/// A `Content-Type` value (RFC 9110 §8.3.1), as far as a response speaks of it.
package struct MediaType: Sendable, Equatable {
  /// `type/subtype` in lower case.
  package let essence: String
  /// The `charset` parameter in lower case, unquoted.
  package let charset: String?

  /// Fails where there is no `type/subtype`.
  package init?(_ text: String) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    guard let first = parts.first else { return nil }
    let essence = first.trimmingOptionalWhitespace.asciiLowercased
    let halves = essence.split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2, !halves[0].isEmpty, !halves[1].isEmpty else { return nil }
    self.essence = essence
    charset = parts.dropFirst().lazy.compactMap(Self.charset).first
  }

  private static func charset(of parameter: Substring) -> String? {
    guard let equals = parameter.firstIndex(of: "="),
      parameter[..<equals].trimmingOptionalWhitespace.equalsIgnoringASCIICase("charset")
    else { return nil }
    var value = parameter[parameter.index(after: equals)...].trimmingOptionalWhitespace
    if value.count >= 2, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
    return value.isEmpty ? nil : value.asciiLowercased
  }
}

extension StringProtocol where SubSequence == Substring {
  /// Without the spaces and tabs at both ends (OWS, RFC 9110 §5.6.3).
  package var trimmingOptionalWhitespace: Substring {
    var text = self[...]
    while let first = text.utf8.first, first == 0x20 || first == 0x09 { text.removeFirst() }
    while let last = text.utf8.last, last == 0x20 || last == 0x09 { text.removeLast() }
    return text
  }
}
