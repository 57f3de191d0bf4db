// SPDX-License-Identifier: MIT

// Any `Link` field gives links whose pieces are parts of it, at bounded cost; written anew, they are read as the same.

import Bluebonnet

@testable import BluebonnetHTTP1
@testable import BluebonnetSemantics

enum LinkInvariant {
  static func violation(_ input: [UInt8]) -> String? {
    guard let selector = input.first else { return nil }
    let isRepeated = selector == 0xFF && input.count <= 16
    let bytes = isRepeated ? Array(Text.repeated(input[...], limit: 1 << 16).dropFirst()) : Array(input[1...])
    let links = LinkValue.links(in: FieldValue(bytes: bytes))
    if links.count > bytes.count(where: { $0 == UInt8(ascii: "<") }) { return "\(links.count) links" }
    let text = Text.of(bytes)
    let parts = Parts(text, encoded: encoded(bytes))
    for link in links.prefix(16) {
      if let problem = parts.problem(of: link) { return problem }
    }
    let again = LinkValue.links(in: FieldValue(links.map(\.written).joined(separator: ", ")))
    if again != links { return "written anew: \(again) instead of \(links)" }
    return isRepeated ? nil : problem(ofResponse: text, links.count)
  }

  /// As the references of links are: bytes outside ASCII percent-encoded.
  private static func encoded(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for byte in bytes {
      if byte < 0x80 {
        text.append(byte)
      } else {
        text += "%\(String(byte, radix: 16, uppercase: true))".utf8
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The links as a response has them, resolved against its URL.
  private static func problem(ofResponse value: String, _ count: Int) -> String? {
    guard let url = URL(string: "https://example.org/a/b?c#d"),
      let response = HTTPURLResponse(
        url: url, statusCode: 200, httpVersion: nil, headerFields: ["link": value])
    else { return "no response" }
    let links = response.links
    if links.count > count { return "\(links.count) of \(count) links" }
    for link in links.prefix(16) {
      guard link.target.scheme != nil, link.anchor.map({ $0.scheme != nil }) ?? true else {
        return "relative: \(link.target)"
      }
      for relation in link.relations where !link.isRelated(relation) || relation.isEmpty {
        return "the relation \(relation) is not found"
      }
      for name in link.parameterNames where link[name] == nil { return "\(name) is not found" }
      guard let relation = link.relations.first, let first = response.link(rel: relation) else { continue }
      if !links.contains(first) || !first.isRelated(relation) { return "another link for \(relation)" }
    }
    return nil
  }

  /// A field's value, in which the pieces of its links are looked for.
  private struct Parts {
    private let text: [UInt8]
    private let names: String
    private let encoded: String

    init(_ text: String, encoded: String) {
      self.text = Array(text.utf8)
      names = text.asciiLowercased
      self.encoded = encoded
    }

    func problem(of link: LinkValue) -> String? {
      guard link.reference.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: ">") }) else {
        return "reference \(link.reference)"
      }
      guard encoded.has("<\(link.reference)>") else { return "\(link.reference) is no part of the field" }
      for parameter in link.parameters.prefix(16) {
        guard !parameter.name.isEmpty, parameter.name.utf8.allSatisfy({ $0 > 32 && $0 < 127 }),
          parameter.name == parameter.name.asciiLowercased, names.has(parameter.name)
        else { return "parameter \(parameter.name)" }
        // Escapes may stand between the bytes of a quoted string, and nothing else.
        guard isInOrder(parameter.value) else { return "\(parameter.value) is no part of the field" }
      }
      return nil
    }

    private func isInOrder(_ value: String) -> Bool {
      var rest = text[...]
      for byte in value.utf8 {
        guard let place = rest.firstIndex(of: byte) else { return false }
        rest = rest[(place + 1)...]
      }
      return true
    }
  }
}

extension LinkValue {
  /// One member of a field, with each value as a quoted string.
  fileprivate var written: String {
    parameters.reduce("<\(reference)>") { text, parameter in
      var value = ""
      for scalar in parameter.value.unicodeScalars {
        if scalar == "\"" || scalar == "\\" { value.unicodeScalars.append("\\") }
        value.unicodeScalars.append(scalar)
      }
      return "\(text); \(parameter.name)=\"\(value)\""
    }
  }
}

extension String {
  /// Whether a text is part of this one, byte by byte.
  fileprivate func has(_ part: String) -> Bool {
    let (whole, part) = (Array(utf8), Array(part.utf8))
    guard part.count <= whole.count else { return false }
    return (0...(whole.count - part.count)).contains { whole[$0..<($0 + part.count)].elementsEqual(part) }
  }
}
