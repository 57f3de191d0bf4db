import BluebonnetHTTP1

/// Percent-encoding (RFC 3986 §2.1).
package enum PercentCoding {
  /// The bytes without percent-encoding; a percent sign that no two hexadecimal digits follow stands for itself.
  package static func decoded(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      if byte == Byte.percent, let value = value(rest.prefix(2)) {
        result.append(value)
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return result
  }

  /// The byte that two hexadecimal digits stand for; nil if they are not two such digits.
  package static func value(_ digits: some Collection<UInt8>) -> UInt8? {
    guard digits.count == 2, let high = digits.first.flatMap(Byte.hexadecimalValue),
      let low = digits.dropFirst().first.flatMap(Byte.hexadecimalValue)
    else { return nil }
    return high << 4 | low
  }
}
