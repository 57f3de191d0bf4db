// SPDX-License-Identifier: MIT
#if !Foundation
  /// A set of Unicode scalars.
  public struct CharacterSet: Sendable, Hashable, SetAlgebra {
    /// ASCII as two masks; the rest one by one, either those inside or, when inverted, those outside.
    private var low: UInt64 = 0
    private var high: UInt64 = 0
    private var others: Set<Unicode.Scalar> = []
    private var coversOthers = false

    /// Makes a set without characters.
    public init() {}

    /// Makes the set of a string's scalars.
    public init(charactersIn string: String) {
      for scalar in string.unicodeScalars { insert(scalar) }
    }

    /// Makes the set of a range.
    public init(charactersIn range: ClosedRange<Unicode.Scalar>) {
      for value in range.lowerBound.value...range.upperBound.value {
        if let scalar = Unicode.Scalar(value) { insert(scalar) }
      }
    }

    /// Whether a scalar is in the set.
    public func contains(_ member: Unicode.Scalar) -> Bool {
      let value = member.value
      if value < 64 { return low >> UInt64(value) & 1 == 1 }
      if value < 128 { return high >> UInt64(value - 64) & 1 == 1 }
      return others.contains(member) != coversOthers
    }

    /// Adds a character.
    @discardableResult
    public mutating func insert(_ character: Unicode.Scalar) -> (
      inserted: Bool, memberAfterInsert: Unicode.Scalar
    ) {
      let isNew = !contains(character)
      set(character, to: true)
      return (isNew, character)
    }

    /// Removes a character.
    @discardableResult
    public mutating func remove(_ character: Unicode.Scalar) -> Unicode.Scalar? {
      let wasThere = contains(character)
      set(character, to: false)
      return wasThere ? character : nil
    }

    /// Adds a character.
    @discardableResult
    public mutating func update(with character: Unicode.Scalar) -> Unicode.Scalar? {
      insert(character).inserted ? nil : character
    }

    /// Puts a string's scalars in.
    public mutating func insert(charactersIn string: String) {
      for scalar in string.unicodeScalars { insert(scalar) }
    }

    /// Takes a string's scalars out.
    public mutating func remove(charactersIn string: String) {
      for scalar in string.unicodeScalars { remove(scalar) }
    }

    private mutating func set(_ scalar: Unicode.Scalar, to isMember: Bool) {
      let value = UInt64(scalar.value)
      switch value {
      case 0..<64: low = isMember ? low | 1 << value : low & ~(1 << value)
      case 64..<128: high = isMember ? high | 1 << (value - 64) : high & ~(1 << (value - 64))
      default: if isMember != coversOthers { others.insert(scalar) } else { others.remove(scalar) }
      }
    }

    /// Everything that is not in the set.
    public var inverted: CharacterSet {
      var result = self
      result.low = ~low
      result.high = ~high
      result.coversOthers = !coversOthers
      return result
    }

    /// Keeps the characters in both.
    public mutating func formIntersection(_ other: CharacterSet) {
      low &= other.low
      high &= other.high
      switch (coversOthers, other.coversOthers) {
      case (false, false): others.formIntersection(other.others)
      case (false, true): others.subtract(other.others)
      case (true, false): (others, coversOthers) = (other.others.subtracting(others), false)
      case (true, true): others.formUnion(other.others)
      }
    }

    /// Adds the other's characters.
    public mutating func formUnion(_ other: CharacterSet) {
      self = inverted.intersection(other.inverted).inverted
    }

    /// Keeps the characters in one of them only.
    public mutating func formSymmetricDifference(_ other: CharacterSet) {
      self = subtracting(other).union(other.subtracting(self))
    }

    /// The characters in one or the other.
    public func union(_ other: CharacterSet) -> CharacterSet {
      var result = self
      result.formUnion(other)
      return result
    }

    /// The characters that are in both sets.
    public func intersection(_ other: CharacterSet) -> CharacterSet {
      var result = self
      result.formIntersection(other)
      return result
    }

    /// The characters in one of them only.
    public func symmetricDifference(_ other: CharacterSet) -> CharacterSet {
      var result = self
      result.formSymmetricDifference(other)
      return result
    }

    /// The characters not in the other.
    public func subtracting(_ other: CharacterSet) -> CharacterSet { intersection(other.inverted) }
  }

  extension CharacterSet {
    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    private static let digits = "0123456789"
    /// RFC 3986 §2.3 and §2.2.
    private static let unreserved = letters + digits + "-._~"
    private static let subDelimiters = "!$&'()*+,;="

    /// The characters that a query may contain unencoded (RFC 3986 §3.4).
    public static let urlQueryAllowed = CharacterSet(charactersIn: unreserved + subDelimiters + ":@/?")
    /// The characters that a fragment may contain unencoded (RFC 3986 §3.5).
    public static let urlFragmentAllowed = urlQueryAllowed
    /// The characters that a path may contain unencoded (RFC 3986 §3.3).
    public static let urlPathAllowed = CharacterSet(charactersIn: unreserved + subDelimiters + ":@/")
    /// The characters that a host may contain unencoded (RFC 3986 §3.2.2).
    public static let urlHostAllowed = CharacterSet(charactersIn: unreserved + subDelimiters + ":[]")
    /// The characters that a user name may contain unencoded (RFC 3986 §3.2.1).
    public static let urlUserAllowed = CharacterSet(charactersIn: unreserved + subDelimiters)
    /// The characters that a password may contain unencoded.
    public static let urlPasswordAllowed = urlUserAllowed
    /// The digits 0 to 9 of ASCII. Foundation's set has those of other scripts, too.
    public static let decimalDigits = CharacterSet(charactersIn: digits)
    /// Spaces of all widths, and the tab.
    public static let whitespaces = CharacterSet(charactersIn: " \t\u{A0}\u{1680}\u{202F}\u{205F}\u{3000}")
    /// The characters that end a line.
    public static let newlines = CharacterSet(charactersIn: "\n\u{B}\u{C}\r\u{85}\u{2028}\u{2029}")
    /// Spaces, tabs and line ends.
    public static let whitespacesAndNewlines = whitespaces.union(newlines)
  }
#endif
