// SPDX-License-Identifier: MIT
import BluebonnetSemantics

/// One element of `Sec-WebSocket-Extensions`: a name and its parameters (RFC 6455 §9.1).
struct ExtensionOffer: Sendable, Equatable {
  /// A token, or the text in its place, in lower case.
  var name: String
  /// In order. Names are in lower case, values without their quotes.
  var parameters: [(name: String, value: String?)] = []

  /// Reads all elements of the field's lines; nil if one of them is malformed.
  static func list(_ values: [String]) -> [ExtensionOffer]? {
    var offers: [ExtensionOffer] = []
    for element in FieldList.elements(of: values) {
      guard let offer = ExtensionOffer(element) else { return nil }
      offers.append(offer)
    }
    return offers
  }

  init(_ name: String) { self.name = name }

  private init?(_ element: Substring) {
    let parts = element.split(separator: ";", omittingEmptySubsequences: false).map {
      $0.trimmingOptionalWhitespace
    }
    guard let first = parts.first, FieldList.isToken(first) else { return nil }
    name = first.lowercased()
    for part in parts.dropFirst() {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { $0.trimmingOptionalWhitespace }
      guard FieldList.isToken(sides[0]) else { return nil }
      guard sides.count == 2 else {
        parameters.append((sides[0].lowercased(), nil))
        continue
      }
      // Quoted, it must be a token, too.
      var value = sides[1]
      if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
        value = value.dropFirst().dropLast()
      }
      guard FieldList.isToken(value) else { return nil }
      parameters.append((sides[0].lowercased(), String(value)))
    }
  }

  /// As it is written.
  var text: String {
    parameters.reduce(name) { text, parameter in
      text + "; " + parameter.name + (parameter.value.map { "=" + $0 } ?? "")
    }
  }

  static func == (left: ExtensionOffer, right: ExtensionOffer) -> Bool { left.text == right.text }
}
