// SPDX-License-Identifier: MIT

/// A field value as bytes, and as the text that they stand for.
///
/// Bytes above 0x7F are opaque (RFC 9110 §5.5). A value that is UTF-8 is read as such and any other as ISO 8859-1; a client that sends
/// part of it back, such as a cookie or a realm, has to send the same bytes, which the text alone does not tell.
package struct FieldValue: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The encoding of a value with bytes outside ASCII.
  package enum Encoding: Sendable, Hashable {
    case utf8, latin1

    /// The bytes of a text that was read by this encoding; of another one, in UTF-8 where ISO 8859-1 has no such character.
    package func bytes(of text: some StringProtocol) -> [UInt8] {
      guard self == .latin1, text.unicodeScalars.allSatisfy({ $0.value <= 0xFF }) else {
        return Array(text.utf8)
      }
      return text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }
  }

  package let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }
  package init(_ text: String) { bytes = Array(text.utf8) }
  package init(stringLiteral text: String) { self.init(text) }

  package var text: String { bytes.withUnsafeBufferPointer { FieldBlock.text($0) } }

  package var encoding: Encoding {
    bytes.withUnsafeBufferPointer { FieldBlock.isUTF8($0) } ? .utf8 : .latin1
  }
}

extension FieldBlock {
  /// The values of all such fields, in order and with their bytes.
  package func fieldValues(_ field: KnownField) -> [FieldValue] {
    guard contains(field) else { return [] }
    return indices.filter { known(at: $0) == field }.map(fieldValue(at:))
  }

  /// Lends the bytes of each such field, in order, and says what encoding they are in.
  package func forEachValue(of field: KnownField, _ body: (Span<UInt8>, FieldValue.Encoding) -> Void) {
    guard contains(field) else { return }
    withBytes { bytes in
      withRanges { ranges in
        for range in ranges where range.known == field.rawValue {
          let value = UnsafeBufferPointer(rebasing: bytes[range.value])
          body(value.span, Self.isUTF8(value) ? .utf8 : .latin1)
        }
      }
    }
  }

  private func fieldValue(at index: Int) -> FieldValue {
    withValue(at: index) { value in FieldValue(bytes: value.withUnsafeBufferPointer { Array($0) }) }
  }

  static func isUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
  }
}
