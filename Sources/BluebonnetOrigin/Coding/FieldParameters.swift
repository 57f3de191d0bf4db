// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics

/// A field value such as `multipart/form-data; boundary="a b"`, taken apart (RFC 9110 §5.6.6).
struct FieldParameters {
  /// The text before the first semicolon, in lower case.
  let value: String
  private var parameters: [(name: String, value: String)] = []

  init(_ text: String) {
    var reader = ByteReader(Array(text.utf8))
    value = Self.text(reader.run { $0 != Byte.semicolon }).lowercased()
    while reader.take(Byte.semicolon) {
      let name = Self.text(reader.run { $0 != Byte.semicolon && $0 != Byte.equals }).lowercased()
      guard reader.take(Byte.equals) else { continue }
      reader.skipSpace()
      let quoted = reader.current == Byte.quote ? reader.quotedString().text : nil
      let rest = reader.run { $0 != Byte.semicolon }
      parameters.append((name, quoted ?? Self.text(rest)))
    }
  }

  /// The first parameter of that name, given in lower case.
  subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(String(decoding: bytes, as: UTF8.self).trimmingOptionalWhitespace)
  }
}
