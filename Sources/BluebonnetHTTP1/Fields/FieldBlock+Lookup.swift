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
          let range = ranges[index]
          if Int(range.nameLength) == length {
            var position = Int(range.nameStart)
            var isEqual = true
            for byte in utf8 {
              guard Byte.lowercased(bytes[position]) == Byte.lowercased(byte) else {
                isEqual = false
                break
              }
              position += 1
            }
            if isEqual { return index }
          }
          index += 1
        }
        return nil
      }
    }
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
  @inline(__always)
  var bit: UInt64 { 1 &<< UInt64(rawValue) }
}
