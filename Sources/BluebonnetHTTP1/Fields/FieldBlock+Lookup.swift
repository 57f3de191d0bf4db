// SPDX-License-Identifier: MIT
extension FieldBlock {
  /// Whether the field occurs at all. Costs one bit test.
  @inline(__always)
  public func contains(_ field: KnownField) -> Bool {
    present & field.bit != 0
  }

  /// Whether a field of this name occurs, in any case of letters.
  public func contains(_ name: String) -> Bool {
    index(of: name) != nil
  }

  /// The position of the first such field at or after `start`.
  public func index(of field: KnownField, from start: Int = 0) -> Int? {
    guard contains(field) else { return nil }
    return withRanges { ranges in
      var index = Swift.max(0, start)
      while index < ranges.count {
        if ranges[index].known == field.rawValue { return index }
        index += 1
      }
      return nil
    }
  }

  /// The position of the first field of this name at or after `start`, in any case of letters. Allocates nothing.
  public func index(of name: String, from start: Int = 0) -> Int? {
    let utf8 = name.utf8
    let length = utf8.count
    return withBytes { bytes in
      withRanges { ranges in
        var index = Swift.max(0, start)
        while index < ranges.count {
          if Self.isName(ranges[index], in: bytes, utf8, length) { return index }
          index += 1
        }
        return nil
      }
    }
  }

  /// Whether the field at `index` has this name, in any case of letters. Allocates nothing.
  package func hasName(_ name: String, at index: Int) -> Bool {
    withBytes { Self.isName(range(at: index), in: $0, name.utf8, name.utf8.count) }
  }

  @inline(__always)
  private static func isName(
    _ range: FieldRange, in bytes: UnsafeBufferPointer<UInt8>, _ name: String.UTF8View, _ length: Int
  ) -> Bool {
    guard Int(range.nameLength) == length else { return false }
    var position = Int(range.nameStart)
    for byte in name {
      guard Byte.lowercased(bytes[position]) == Byte.lowercased(byte) else { return false }
      position += 1
    }
    return true
  }

  /// The value of the first such field.
  public func first(_ field: KnownField) -> String? {
    index(of: field).map(value(at:))
  }

  /// The value of the first field of this name, in any case of letters.
  public func first(_ name: String) -> String? {
    index(of: name).map(value(at:))
  }

  /// The values of all such fields, in order.
  public func values(_ field: KnownField) -> [String] {
    var values: [String] = []
    var start = 0
    while let index = index(of: field, from: start) {
      values.append(value(at: index))
      start = index + 1
    }
    return values
  }

  /// The values of all fields of this name, in any case of letters and in order.
  public func values(_ name: String) -> [String] {
    var values: [String] = []
    var start = 0
    while let index = index(of: name, from: start) {
      values.append(value(at: index))
      start = index + 1
    }
    return values
  }
}

extension FieldBlock {
  /// Whether one of the comma-separated elements of the field's values is `token`, in any case of letters
  /// (RFC 9110 §5.6.1: empty elements are skipped). `token` is given in lower case.
  public func contains(_ field: KnownField, element token: StaticString) -> Bool {
    var found = false
    forEachElement(of: field) { found = found || $0.equals(token) }
    return found
  }

  /// Visits the elements of all values of `field`, without whitespace around them.
  @inline(__always)
  func forEachElement(of field: KnownField, _ body: (ListElement) -> Void) {
    guard contains(field) else { return }
    withBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      withRanges { ranges in
        for range in ranges where range.known == field.rawValue {
          ListElement.forEach(base, range.value, body)
        }
      }
    }
  }
}

extension KnownField {
  /// Its place in a set of fields.
  @inline(__always)
  package var bit: UInt64 { 1 &<< UInt64(rawValue) }
}
