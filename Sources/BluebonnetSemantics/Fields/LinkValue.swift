// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// One link of a `Link` field (RFC 8288 §3).
package struct LinkValue: Sendable, Hashable {
  /// The reference between the angle brackets, perhaps relative and perhaps empty. Bytes outside ASCII are percent-encoded as they came.
  package let reference: String
  /// The parameters in order. Names are in lower case, values without quotes and escapes; one without a value has an empty one.
  package let parameters: [Parameter]

  /// One parameter.
  package struct Parameter: Sendable, Hashable {
    package let name: String
    package let value: String
  }

  /// The links of one field line, in order, much as the algorithm of RFC 8288, appendix B.2, finds them: from the first link on that
  /// does not follow the grammar, nothing is read, since its end is not known.
  package static func links(in field: FieldValue) -> [LinkValue] {
    var reader = ByteReader(Array(field.text.utf8))
    var links: [LinkValue] = []
    let encoding = field.encoding
    while let link = reader.link(encoding) { links.append(link) }
    return links
  }
}

extension ByteReader {
  /// The next link; nil at the end, or where the rest cannot be understood.
  fileprivate mutating func link(_ encoding: FieldValue.Encoding) -> LinkValue? {
    // Empty members are none (RFC 9110 §5.6.1.2).
    run { $0 == Byte.comma || Byte.isWhitespace($0) }
    guard take(UInt8(ascii: "<")) else { return nil }
    let text = run { $0 != UInt8(ascii: ">") }
    guard take(UInt8(ascii: ">")) else { return nil }
    var parameters: [LinkValue.Parameter] = []
    while true {
      skipSpace()
      guard take(Byte.semicolon) else { break }
      skipSpace()
      let name = token().asciiLowercased
      skipSpace()
      guard let value = take(Byte.equals) ? linkValue() : "" else { return nil }
      // A semicolon too many is common and says nothing.
      if !name.isEmpty { parameters.append(.init(name: name, value: value)) }
    }
    guard current == nil || current == Byte.comma else { return nil }
    var reference: [UInt8] = []
    for byte in encoding.bytes(of: String(decoding: text, as: UTF8.self)) {
      if byte < 0x80 { reference.append(byte) } else { reference += Byte.percentEncoded(byte) }
    }
    return LinkValue(reference: String(decoding: reference, as: UTF8.self), parameters: parameters)
  }

  /// A token or a quoted string; nil for a string without an end. Characters that have no place in a token are taken as they are, as
  /// in `rel=next/prev`.
  private mutating func linkValue() -> String? {
    skipSpace()
    guard current == Byte.quote else {
      let word = run { $0 != Byte.semicolon && $0 != Byte.comma && !Byte.isWhitespace($0) }
      return String(decoding: word, as: UTF8.self)
    }
    let (text, isClosed) = quotedString()
    return isClosed ? text : nil
  }
}

extension LinkValue {
  /// The value of the first parameter of a name in lower case: the others do not count (§3.2 to §3.4).
  package subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// The relation types of `rel`, in lower case unless they are URIs; empty without one (§3.3).
  package var relations: [String] {
    (self["rel"] ?? "").split { $0 == " " || $0 == "\t" }.map { word in
      word.contains(":") ? String(word) : String(word).asciiLowercased
    }
  }

  /// Whether the link is of a relation type, in upper or lower case (§2.1.1).
  package func isRelated(to relation: String) -> Bool {
    relations.contains { $0.equalsIgnoringASCIICase(relation) }
  }

  /// The title for people: `title*`, decoded (RFC 8187), before `title` (§3.4.1).
  package var title: String? { self["title*"].flatMap(ExtendedValue.decode) ?? self["title"] }
}
