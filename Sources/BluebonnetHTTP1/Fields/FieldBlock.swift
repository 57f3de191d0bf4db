/// The fields of one head, in order and with duplicates, in a single copy of the head's bytes.
///
/// Looking a field up compares bytes in place; a `String` is made only for what is asked for. A value is decoded
/// as UTF-8, or as ISO 8859-1 where it is not UTF-8.
public struct FieldBlock: Sendable {
  /// The head as received (start line included), or the names and values of a block made by hand.
  var bytes: [UInt8] = []
  /// Invariant: every range lies inside `bytes`.
  var ranges: [FieldRange] = []
  /// A bit for each ``KnownField`` present, by raw value.
  var present: UInt64 = 0

  /// A block without fields.
  public init() {}

  /// A block of the given fields, for encoders and tests. Nothing is validated: encoders do that.
  public init(_ fields: [(String, String)]) {
    for (name, value) in fields { append(name: name, value: value) }
  }

  /// Adds a field at the end, unvalidated. Names beyond 65,535 bytes are cut off there.
  public mutating func append(name: String, value: String) {
    let nameStart = bytes.count
    bytes.append(contentsOf: name.utf8.prefix(Int(UInt16.max)))
    let valueStart = bytes.count
    bytes.append(contentsOf: value.utf8)
    let known = KnownField(name: name)
    if let known { present |= known.bit }
    ranges.append(
      FieldRange(
        nameStart: UInt32(truncatingIfNeeded: nameStart), valueStart: UInt32(truncatingIfNeeded: valueStart),
        valueEnd: UInt32(truncatingIfNeeded: bytes.count),
        nameLength: UInt16(truncatingIfNeeded: valueStart &- nameStart),
        known: known?.rawValue ?? FieldRange.unknown))
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ranges.removeAll(keepingCapacity: true)
    present = 0
  }
}

extension KnownField {
  @inline(__always)
  var bit: UInt64 { 1 &<< UInt64(rawValue) }
}

extension FieldBlock: RandomAccessCollection {
  /// The first position.
  public var startIndex: Int { 0 }
  /// The number of field lines.
  public var endIndex: Int { ranges.count }

  /// The name as it was written, and the value without the whitespace around it.
  public subscript(index: Int) -> (name: String, value: String) {
    (name(at: index), value(at: index))
  }

  /// The name of the field at `index`, as it was written.
  public func name(at index: Int) -> String {
    text(ranges[index].name)
  }

  /// The value of the field at `index`.
  public func value(at index: Int) -> String {
    text(ranges[index].value)
  }

  /// The field at `index` if it is a known one.
  public func known(at index: Int) -> KnownField? {
    KnownField(rawValue: ranges[index].known)
  }

  /// Lends the bytes of the value at `index`.
  public func withValue<R, E: Error>(at index: Int, _ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    try body(bytes.span.extracting(ranges[index].value))
  }

  /// Lends the bytes of the name at `index`.
  public func withName<R, E: Error>(at index: Int, _ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    try body(bytes.span.extracting(ranges[index].name))
  }

  func text(_ range: Range<Int>) -> String {
    Self.text(bytes[range])
  }

  /// RFC 9110 §5.5 leaves bytes above 0x7F opaque; UTF-8 is what people mean by them, ISO 8859-1 what they were.
  static func text(_ bytes: ArraySlice<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append(Unicode.Scalar(byte)) }
    return String(text)
  }
}
