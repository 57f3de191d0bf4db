// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetEventLoop
@_spi(_Unicode) import Swift

/// Turns the host of a URL into ASCII: an address literal without brackets, or a name. Hosts are compared in the form that
/// `CanonicalHost` makes of it.
///
/// Names outside ASCII become `xn--` labels (RFC 5891 §4.4) after the mapping that people's habits need: lower case,
/// full-width forms and ideographic full stops, canonical composition (a part of UTS #46).
package enum InternationalHost {
  /// The ASCII form of a host as it stands in a URL, also of a percent-encoded one.
  package static func ascii(_ host: String) throws(InvalidHost) -> String {
    if host.isEmpty { throw .empty }
    if host.utf8.contains(UInt8(ascii: "[")) || host.utf8.contains(UInt8(ascii: ":")) {
      return try addressLiteral(host)
    }
    let name = try percentDecoded(host)
    var isASCII = true
    for scalar in name.unicodeScalars {
      try check(scalar)
      if !scalar.isASCII { isASCII = false }
    }
    let ascii = isASCII ? name.lowercased() : try encoded(name)
    try checkLengths(ascii)
    return ascii
  }

  /// An IPv6 address, with its zone behind `%25` in a URL (RFC 6874 §2) and behind `%` elsewhere.
  private static func addressLiteral(_ host: String) throws(InvalidHost) -> String {
    var text = Substring(host)
    if text.first == "[" && text.last == "]" { text = text.dropFirst().dropLast() }
    if let percent = text.firstIndex(of: "%"), text[percent...].hasPrefix("%25") {
      text = text[..<percent] + "%" + text[percent...].dropFirst(3)
    }
    let literal = String(text)
    guard SocketAddress(ipv6: literal, port: 0) != nil else { throw .badAddressLiteral }
    return literal
  }

  private static func percentDecoded(_ host: String) throws(InvalidHost) -> String {
    guard host.utf8.contains(UInt8(ascii: "%")) else { return host }
    var bytes: [UInt8] = []
    var rest = host.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let high = rest.popFirst().flatMap(Byte.hexadecimalValue),
          let low = rest.popFirst().flatMap(Byte.hexadecimalValue)
        else { throw .badPercentEncoding }
        bytes.append(high << 4 | low)
      } else {
        bytes.append(byte)
      }
    }
    guard let name = String(validating: bytes, as: UTF8.self) else { throw .badPercentEncoding }
    return name
  }

  private static func encoded(_ name: String) throws(InvalidHost) -> String {
    var labels: [String] = []
    for label in mapped(name).split(separator: ".", omittingEmptySubsequences: false) {
      // Mapping may have made forbidden ASCII out of its full-width form.
      for scalar in label { try check(scalar) }
      if label.allSatisfy(\.isASCII) {
        labels.append(String(String.UnicodeScalarView(label)))
      } else {
        if let first = label.first, isMark(first) { throw .forbiddenCodePoint(first.value) }
        guard let code = Punycode.encode(Array(label)) else { throw .badLength }
        labels.append("xn--" + code)
      }
    }
    return labels.joined(separator: ".")
  }

  private static func mapped(_ name: String) -> [Unicode.Scalar] {
    var view = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      switch scalar.value {
      // The full stops of CJK input methods separate labels (RFC 3490 §3.1).
      case 0x3002, 0xFF0E, 0xFF61: view.append(".")
      // Full-width ASCII.
      case 0xFF01...0xFF5E:
        let ascii = Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value - 0xFEE0))
        view.append(contentsOf: ascii.properties.lowercaseMapping.unicodeScalars)
      // Invisible: soft hyphen, zero-width space, word joiner, variation selectors, byte order mark.
      case 0xAD, 0x200B, 0x2060, 0xFE00...0xFE0F, 0xFEFF: break
      default: view.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
      }
    }
    return Array(String(view)._nfc)
  }

  private static func checkLengths(_ name: String) throws(InvalidHost) {
    var bytes = name.utf8[...]
    // The root's dot at the end is allowed.
    if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
    guard bytes.count <= 253 else { throw .badLength }
    for label in bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
      guard (1...63).contains(label.count) else { throw .badLength }
    }
  }

  private static func check(_ scalar: Unicode.Scalar) throws(InvalidHost) {
    let isForbidden =
      scalar.isASCII
      ? forbiddenASCII(scalar.value) : forbiddenCategories.contains(scalar.properties.generalCategory)
    // Joiners and the soft hyphen are format characters with a use in words.
    if isForbidden && ![0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF].contains(scalar.value) {
      throw .forbiddenCodePoint(scalar.value)
    }
  }

  /// The forbidden domain code points of the WHATWG URL standard (controls, space, URL syntax) and the rest of what
  /// RFC 3986 §3.2.2 keeps out of a name.
  private static func forbiddenASCII(_ value: UInt32) -> Bool {
    switch value {
    case 0...0x20, 0x7F: true
    default: "#/:<>?@[\\]^`{|}%\"".utf8.contains(UInt8(truncatingIfNeeded: value))
    }
  }

  private static let forbiddenCategories: Set<Unicode.GeneralCategory> = [
    .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
    .spaceSeparator,
  ]

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
}
