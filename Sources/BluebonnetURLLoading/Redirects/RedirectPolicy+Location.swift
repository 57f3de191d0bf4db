import BluebonnetFoundation
import BluebonnetHTTP1

extension RedirectPolicy {
  /// What the `Location` fields of a response say together (RFC 9110 §10.2.2).
  package enum Location: Sendable, Equatable {
    case none
    /// A reference, which may still be no URL.
    case reference(String)
    /// There are several, which differ: whichever was taken, somebody else would have taken the other.
    case contradictory

    package init(of fields: FieldBlock) {
      guard let first = fields.index(of: .location) else {
        self = .none
        return
      }
      let reference = Self.text(of: fields, at: first)
      var next = fields.index(of: .location, from: first + 1)
      while let index = next {
        guard Self.text(of: fields, at: index) == reference else {
          self = .contradictory
          return
        }
        next = fields.index(of: .location, from: index + 1)
      }
      self = .reference(reference)
    }

    /// Bytes outside ASCII stay the bytes they are: read as text and written as UTF-8, Latin-1 would name another resource.
    private static func text(of fields: FieldBlock, at index: Int) -> String {
      var bytes: [UInt8] = []
      fields.withValue(at: index) { value in
        bytes.reserveCapacity(value.count)
        for position in value.indices {
          let byte = value[position]
          if byte < 0x80 { bytes.append(byte) } else { bytes += Byte.percentEncoded(byte) }
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Resolves a reference: relative to the request, and with its fragment if it has none itself.
  package static func resolve(_ location: String, against base: URL) -> URL? {
    let text = String(location.trimmingOptionalWhitespace)
    // An empty reference is the same document (RFC 3986 §4.4), which `URL` does not parse.
    let reference = text.isEmpty ? base.path(percentEncoded: true) + query(of: base) : encoded(text)
    guard !reference.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }),
      let resolved = URL(string: reference.isEmpty ? "/" : reference, relativeTo: base)?.absoluteURL
    else { return nil }
    guard !text.utf8.contains(Byte.hash), let fragment = base.fragment(percentEncoded: true) else {
      return resolved
    }
    return URL(string: resolved.absoluteString + "#" + fragment)
  }

  /// With what no URL may contain percent-encoded: `URL` would encode the percent signs that are there as well.
  private static func encoded(_ text: String) -> String {
    let bytes = Array(text.utf8)
    let authorityEnd = authorityEnd(of: bytes)
    var result: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      let isKept =
        switch byte {
        case 0x80..., 0x20, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
          UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
          false
        case Byte.openBracket, Byte.closeBracket: index < authorityEnd
        case Byte.percent:
          index + 2 < bytes.count && Byte.hexadecimalDigit(bytes[index + 1]) != nil
            && Byte.hexadecimalDigit(bytes[index + 2]) != nil
        default: true
        }
      if isKept { result.append(byte) } else { result += Byte.percentEncoded(byte) }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Where the host, which may stand in brackets, is over; 0 without one (RFC 3986 §4.2).
  private static func authorityEnd(of bytes: [UInt8]) -> Int {
    func isDelimiter(_ byte: UInt8) -> Bool {
      byte == Byte.slash || byte == Byte.question || byte == Byte.hash
    }
    let pathStart = bytes.firstIndex(where: isDelimiter) ?? bytes.count
    let start = bytes[..<pathStart].firstIndex(of: Byte.colon).map { $0 + 1 } ?? 0
    guard bytes[start...].starts(with: [Byte.slash, Byte.slash]) else { return 0 }
    return bytes[(start + 2)...].firstIndex(where: isDelimiter) ?? bytes.count
  }

  private static func query(of url: URL) -> String {
    url.query(percentEncoded: true).map { "?" + $0 } ?? ""
  }
}
