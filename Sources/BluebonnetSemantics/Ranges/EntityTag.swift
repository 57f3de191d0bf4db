// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// An entity tag (RFC 9110 §8.8.3), with its quotes and without the mark of weakness.
package struct EntityTag: Sendable, Hashable {
  /// `"…"`, quotes included.
  package let opaque: String
  /// Says only that two representations mean the same, not that their bytes are equal.
  package let isWeak: Bool

  /// Nil for text that is no entity tag.
  package init?(_ value: String) {
    let isWeak = value.utf8.starts(with: "W/".utf8)
    let opaque = value.utf8.dropFirst(isWeak ? 2 : 0)
    guard opaque.count >= 2, opaque.first == Byte.quote, opaque.last == Byte.quote,
      opaque.dropFirst().dropLast().allSatisfy(Self.mayHold)
    else { return nil }
    self.opaque = isWeak ? String(Substring(opaque)) : value
    self.isWeak = isWeak
  }

  /// `etagc`. Fields reach us as Latin-1, so one byte from 0x80 up is two here.
  private static func mayHold(_ byte: UInt8) -> Bool {
    byte == 0x21 || (0x23...0x7E).contains(byte) || byte >= 0x80
  }

  /// The strong comparison (RFC 9110 §8.8.3.2): whether the bytes are the same.
  package func stronglyMatches(_ other: EntityTag) -> Bool {
    !isWeak && !other.isWeak && opaque == other.opaque
  }
}
