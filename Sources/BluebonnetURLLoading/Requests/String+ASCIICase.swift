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

  /// A copy with A–Z folded to lower case.
  package var asciiLowercased: String {
    String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
  }
}

extension UInt8 {
  package var asciiLowercased: UInt8 {
    self &- 65 < 26 ? self | 0x20 : self
  }
}
