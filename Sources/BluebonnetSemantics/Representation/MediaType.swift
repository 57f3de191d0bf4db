// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// A `Content-Type` value (RFC 9110 §8.3.1), as far as a response speaks of it.
package struct MediaType: Sendable, Equatable {
  /// `type/subtype` in lower case.
  package let essence: String
  /// The `charset` parameter in lower case, unquoted.
  package let charset: String?

  /// Fails where there is no `type/subtype`.
  package init?(_ text: String) {
    // Every validated response is asked for its type, hence the work on bytes.
    var text = text
    let parsed = text.withUTF8 { bytes -> (String, String?)? in
      let end = bytes.firstIndex(of: Byte.semicolon) ?? bytes.count
      guard let essence = Self.essence(bytes[..<end]) else { return nil }
      return (essence, Self.charset(bytes[end...]))
    }
    guard let (essence, charset) = parsed else { return nil }
    self.essence = essence
    self.charset = charset
  }

  private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

  /// Exactly one slash with something on both sides.
  private static func essence(_ bytes: Bytes) -> String? {
    let name = trimmed(bytes)
    guard let slash = name.firstIndex(of: Byte.slash), slash > name.startIndex, slash + 1 < name.endIndex,
      !name[(slash + 1)...].contains(Byte.slash)
    else { return nil }
    return lowercased(name)
  }

  /// The first `charset` with a value.
  private static func charset(_ parameters: Bytes) -> String? {
    var rest = parameters
    while !rest.isEmpty {
      let parameter = rest.dropFirst()
      let end = parameter.firstIndex(of: Byte.semicolon) ?? parameter.endIndex
      if let value = charset(in: parameter[..<end]) { return value }
      rest = parameter[end...]
    }
    return nil
  }

  private static func charset(in parameter: Bytes) -> String? {
    guard let equals = parameter.firstIndex(of: Byte.equals) else { return nil }
    let name = trimmed(parameter[..<equals])
    guard name.count == 7, name.lazy.map(\.asciiLowercased).elementsEqual("charset".utf8) else { return nil }
    var value = trimmed(parameter[(equals + 1)...])
    if value.count >= 2, value.first == Byte.quote, value.last == Byte.quote {
      value = value.dropFirst().dropLast()
    }
    return value.isEmpty ? nil : lowercased(value)
  }

  private static func trimmed(_ bytes: Bytes) -> Bytes {
    var bytes = bytes
    while let first = bytes.first, Byte.isWhitespace(first) { bytes = bytes.dropFirst() }
    while let last = bytes.last, Byte.isWhitespace(last) { bytes = bytes.dropLast() }
    return bytes
  }

  private static func lowercased(_ bytes: Bytes) -> String {
    String(unsafeUninitializedCapacity: bytes.count) { buffer in
      var count = 0
      for byte in bytes {
        buffer[count] = byte.asciiLowercased
        count += 1
      }
      return count
    }
  }
}
