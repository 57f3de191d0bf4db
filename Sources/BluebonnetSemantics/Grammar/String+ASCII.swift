// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

extension String {
  /// Equality of the bytes. `==` also equates texts that Unicode calls equivalent, and that are different URLs and names.
  package func hasSameBytes(as other: String) -> Bool {
    let (left, right) = (utf8.span, other.utf8.span)
    guard left.count == right.count else { return false }
    for index in left.indices where left[index] != right[index] { return false }
    return true
  }

  /// Equality under ASCII case folding for whole strings: what looks up field names.
  package func equalsIgnoringASCIICase(_ other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    var rest = other.utf8.makeIterator()
    for byte in utf8 {
      guard let opposite = rest.next() else { return false }
      if byte != opposite, byte.asciiLowercased != opposite.asciiLowercased { return false }
    }
    return true
  }
}

extension StringProtocol {
  /// Equality under ASCII case folding only: field names, tokens and host names are ASCII, and Unicode folding
  /// would both cost more and equate names that a peer tells apart.
  package func equalsIgnoringASCIICase(_ other: some StringProtocol) -> Bool {
    var left = utf8.makeIterator()
    var right = other.utf8.makeIterator()
    while true {
      switch (left.next(), right.next()) {
      case (nil, nil): return true
      case (let a?, let b?) where a == b || a.asciiLowercased == b.asciiLowercased: continue
      default: return false
      }
    }
  }

  /// Whether the bytes of `text`, of which there are some, stand in a row somewhere in here.
  ///
  /// The standard library's `contains` of a text brings the engine for regular expressions along: 1.3 MB of a program that is
  /// linked statically.
  package func containsBytes(of text: StaticString) -> Bool {
    let bytes = Array(utf8)
    return text.withUTF8Buffer { text in
      guard bytes.count >= text.count else { return false }
      return (0...(bytes.count - text.count)).contains { bytes[$0...].starts(with: text) }
    }
  }

  /// A copy with A–Z folded to lower case.
  package var asciiLowercased: String {
    String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
  }

  /// The number that digits and nothing else stand for, few enough that sums of two such numbers do not overflow; nil for
  /// other text.
  package var wholeNumber: Int64? {
    (1...18).contains(utf8.count) && utf8.allSatisfy(Byte.isDigit) ? Int64(self) : nil
  }
}

extension UInt8 {
  /// With A–Z folded to lower case.
  package var asciiLowercased: UInt8 {
    Byte.lowercased(self)
  }
}

extension StringProtocol where SubSequence == Substring {
  /// Without the spaces and tabs at both ends (OWS, RFC 9110 §5.6.3).
  package var trimmingOptionalWhitespace: Substring {
    var bytes = self[...].utf8[...]
    bytes = bytes.drop(while: Byte.isWhitespace)
    while let last = bytes.last, Byte.isWhitespace(last) { bytes.removeLast() }
    return Substring(bytes)
  }

  /// The elements of a list without quoted strings (RFC 9110 §5.6.1), in lower case.
  package var lowercasedElements: [String] {
    // By bytes: by characters it takes five times as long.
    self[...].utf8.split(separator: Byte.comma).map {
      Substring($0).trimmingOptionalWhitespace.asciiLowercased
    }
    .filter { !$0.isEmpty }
  }
}
