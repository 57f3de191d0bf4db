// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// The meaning of a response's `Location` fields together (RFC 9110 §10.2.2).
package enum Location: Sendable, Equatable {
  case none
  /// A reference, perhaps still no URL.
  case reference(String)
  /// There are several that differ: two clients could follow different ones.
  case contradictory

  /// An empty field is none, as for Chromium, curl and Go: the reference to the document itself (RFC 3986 §4.4) would be followed
  /// until there are too many redirects.
  package init(of fields: FieldBlock) {
    self = .none
    var next = fields.index(of: .location)
    while let index = next {
      next = fields.index(of: .location, from: index + 1)
      let reference = Self.text(of: fields, at: index)
      if reference.isEmpty || self == .reference(reference) { continue }
      guard self == .none else {
        self = .contradictory
        return
      }
      self = .reference(reference)
    }
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
