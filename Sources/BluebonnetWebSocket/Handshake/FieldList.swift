// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics

/// Lists and tokens of field values (RFC 9110 §5.6), as far as the handshake's fields have them.
enum FieldList {
  /// The elements of comma-separated values, without the spaces around them and without empty ones. These fields have no
  /// quoted commas that mean anything.
  static func elements(of values: [String]) -> [Substring] {
    values.flatMap { $0.split(separator: ",") }.map(\.trimmingOptionalWhitespace).filter { !$0.isEmpty }
  }

  /// Whether one of the elements is `token` (given in lower case), in any case of letters.
  static func contains(_ token: String, in values: [String]) -> Bool {
    elements(of: values).contains { $0.lowercased() == token }
  }

  /// RFC 9110 §5.6.2.
  static func isToken(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(ByteClass.token.contains)
  }
}
