// SPDX-License-Identifier: MIT

/// Validates before it appends, so that a refused field leaves no trace.
///
/// Strings are checked in memory: byte by byte out of a short one, without memory of its own, costs ten times as much.
enum FieldWriter {
  static func append(name: String, value: String, to bytes: inout [UInt8]) throws(HTTP1Error) {
    try checkToken(name, .invalidFieldName)
    try checkText(value, .invalidFieldValue)
    append(name, ": ", value, "\r\n", to: &bytes)
  }

  static func append(name: String, value: FieldValue, to bytes: inout [UInt8]) throws(HTTP1Error) {
    try append(name, ": ", value.bytes, to: &bytes)
  }

  /// Appends a line of which everything behind the colon is given.
  static func append(name: String, rest: String, to bytes: inout [UInt8]) throws(HTTP1Error) {
    try checkToken(name, .invalidFieldName)
    try checkText(rest, .invalidFieldValue)
    append(name, ":", rest, "\r\n", to: &bytes)
  }

  /// The same with bytes, which need not be text.
  static func append(name: String, rest: [UInt8], to bytes: inout [UInt8]) throws(HTTP1Error) {
    try append(name, ":", rest, to: &bytes)
  }

  private static func append(
    _ name: String, _ between: String, _ value: [UInt8], to bytes: inout [UInt8]
  ) throws(HTTP1Error) {
    try checkToken(name, .invalidFieldName)
    if let refused = value.firstIndex(where: Byte.isForbiddenInValue) {
      throw HTTP1Error(.invalidFieldValue, offset: refused, fault: .caller)
    }
    bytes += name.utf8
    bytes += between.utf8
    bytes += value
    bytes += [Byte.cr, Byte.lf]
  }

  /// Appends all of it at once: each append by itself costs more than a short text has bytes.
  static func append(
    _ first: String, _ between: StaticString, _ second: String, _ end: StaticString, to bytes: inout [UInt8]
  ) {
    first.withBytes { first in
      second.withBytes { second in
        let count = first.count + between.utf8CodeUnitCount + second.count + end.utf8CodeUnitCount
        bytes.append(addingCapacity: count) { line in
          line.withUnsafeMutableBufferPointer { room, written in
            var rest = UnsafeMutableRawBufferPointer(room)
            rest.take(first)
            between.withUTF8Buffer { rest.take($0) }
            rest.take(second)
            end.withUTF8Buffer { rest.take($0) }
            written = count
          }
        }
      }
    }
  }

  /// A method or a field name (RFC 9110 §5.6.2).
  static func checkToken(_ text: String, _ rule: HTTP1Error.Rule) throws(HTTP1Error) {
    let token = ByteClass.token
    // An empty one is refused where its first byte would be.
    let refused = text.withBytes { $0.isEmpty ? 0 : $0.firstIndex { !token.contains($0) } }
    if let refused { throw HTTP1Error(rule, offset: refused, fault: .caller) }
  }

  /// A field value or a reason phrase: no control byte but HTAB (RFC 9110 §5.5).
  static func checkText(_ text: String, _ rule: HTTP1Error.Rule) throws(HTTP1Error) {
    let refused = text.withBytes { $0.firstIndex { Byte.isForbiddenInValue($0) } }
    if let refused { throw HTTP1Error(rule, offset: refused, fault: .caller) }
  }
}

extension String {
  /// Lends the bytes of the UTF-8 form. Unlike `withUTF8`, it takes no copy of the string, which would have to be retained.
  @inline(__always)
  func withBytes<Result>(_ use: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(use) { return result }
    var copy = self
    return copy.withUTF8(use)
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Writes to the front and goes on behind it.
  @inline(__always)
  fileprivate mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) {
    copyMemory(from: UnsafeRawBufferPointer(bytes))
    self = UnsafeMutableRawBufferPointer(rebasing: self[bytes.count...])
  }
}
