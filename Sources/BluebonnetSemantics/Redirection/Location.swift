// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// The meaning of a response's `Location` fields together (RFC 9110 §10.2.2).
package enum Location: Sendable, Equatable {
  case none
  /// A reference, perhaps still no URL.
  case reference(String)
  /// There are several that differ: two clients could follow different ones.
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
