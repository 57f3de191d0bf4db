extension FieldBlock {
  /// Whether the field occurs at all. Costs one bit test.
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
    var index = start
    while index < ranges.count {
      if ranges[index].known == field.rawValue { return index }
      index += 1
    }
    return nil
  }

  /// The position of the first field of this name at or after `start`, in any case of letters. Allocates nothing.
  public func index(of name: String, from start: Int = 0) -> Int? {
    var index = start
    while index < ranges.count {
      if matches(ranges[index], name) { return index }
      index += 1
    }
    return nil
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
    contains(field) ? indices.filter { ranges[$0].known == field.rawValue }.map(value(at:)) : []
  }

  /// The values of all fields of this name, in any case of letters and in order.
  public func values(_ name: String) -> [String] {
    indices.filter { matches(ranges[$0], name) }.map(value(at:))
  }

  private func matches(_ range: FieldRange, _ name: String) -> Bool {
    let utf8 = name.utf8
    guard utf8.count == Int(range.nameLength) else { return false }
    var index = Int(range.nameStart)
    for byte in utf8 {
      guard Byte.lowercased(bytes[index]) == Byte.lowercased(byte) else { return false }
      index += 1
    }
    return true
  }
}

extension FieldBlock {
  /// Whether one of the comma-separated elements of the field's values is `token`, in any case of letters
  /// (RFC 9110 §5.6.1: empty elements are skipped).
  public func contains(_ field: KnownField, element token: StaticString) -> Bool {
    var found = false
    forEachElement(of: field) { found = found || $0.equals(token) }
    return found
  }

  /// Visits the elements of all values of `field`, without whitespace around them.
  @inline(__always)
  func forEachElement(of field: KnownField, _ body: (ListElement) -> Void) {
    guard contains(field) else { return }
    bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      for range in ranges where range.known == field.rawValue {
        ListElement.forEach(base, range.value, body)
      }
    }
  }
}
