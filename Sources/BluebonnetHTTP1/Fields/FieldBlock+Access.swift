// SPDX-License-Identifier: MIT
extension FieldBlock: RandomAccessCollection {
  /// The position of the first field: 0.
  public var startIndex: Int { 0 }
  /// The number of field lines.
  public var endIndex: Int { count }

  /// The name as it was written, and the value without the whitespace around it.
  public subscript(index: Int) -> (name: String, value: String) {
    (name(at: index), value(at: index))
  }

  /// The name of the field at `index`, as it was written.
  public func name(at index: Int) -> String {
    text(range(at: index).name)
  }

  /// The value of the field at `index`.
  public func value(at index: Int) -> String {
    text(range(at: index).value)
  }

  /// The field at `index` if it is a known one.
  public func known(at index: Int) -> KnownField? {
    KnownField(rawValue: range(at: index).known)
  }

  /// Lends the bytes of the value at `index`.
  public func withValue<R, E: Error>(at index: Int, _ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    let range = range(at: index).value
    return try withBytes { (bytes) throws(E) in try body(UnsafeBufferPointer(rebasing: bytes[range]).span) }
  }

  /// Lends the bytes of the name at `index`.
  public func withName<R, E: Error>(at index: Int, _ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    let range = range(at: index).name
    return try withBytes { (bytes) throws(E) in try body(UnsafeBufferPointer(rebasing: bytes[range]).span) }
  }

  /// Lends all bytes, which the ranges index.
  @inline(__always)
  func withBytes<R, E: Error>(_ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R) throws(E) -> R {
    defer { withExtendedLifetime(storage) {} }
    return try body(UnsafeBufferPointer(start: storage.map { UnsafePointer($0.bytes) }, count: byteCount))
  }

  /// The head as received, from its start line to the empty line; nil of a block made by hand. Empty lines before the
  /// start line (RFC 9112 §2.2) are no part of it.
  package var head: [UInt8]? {
    withBytes { bytes in
      let head = bytes.drop { $0 == 0x0D || $0 == 0x0A }
      return head.starts(with: "HTTP/".utf8) ? Array(head) : nil
    }
  }

  /// Lends the table.
  @inline(__always)
  func withRanges<R>(_ body: (UnsafeBufferPointer<FieldRange>) -> R) -> R {
    defer { withExtendedLifetime(storage) {} }
    return body(UnsafeBufferPointer(start: storage.map { UnsafePointer($0.ranges) }, count: count))
  }

  /// Traps on an index that is not one of the block's, as every collection does.
  func range(at index: Int) -> FieldRange {
    precondition(index >= 0 && index < count, "field index out of range")
    return withRanges { $0[index] }
  }

  func text(_ range: Range<Int>) -> String {
    withBytes { bytes in
      range.upperBound <= bytes.count ? Self.text(UnsafeBufferPointer(rebasing: bytes[range])) : ""
    }
  }

  /// RFC 9110 §5.5 leaves bytes above 0x7F opaque; UTF-8 is what people mean by them, ISO 8859-1 what they were.
  static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append(Unicode.Scalar(byte)) }
    return String(text)
  }
}
