// SPDX-License-Identifier: MIT

/// The fields of one head, in order and with duplicates, in a single copy of the head's bytes.
///
/// Looking a field up compares bytes in place; a `String` is made only for a value that is asked for. A value is decoded
/// as UTF-8, or as ISO 8859-1 where it is not UTF-8.
public struct FieldBlock: Sendable {
  /// Nil while nothing was stored. Written to only while uniquely referenced.
  private(set) var storage: FieldStorage?
  /// The number of field lines. Invariant: that many ranges of `storage` are valid and lie inside its bytes.
  public private(set) var count = 0
  /// Invariant: that many bytes of `storage` are valid. They are the head as received (start line included), or the
  /// names and values of a block made by hand.
  package private(set) var byteCount = 0
  /// A bit for each ``KnownField`` present, by raw value; bit 63 for any other.
  var present: UInt64 = 0

  /// Makes a block without fields.
  public init() {}

  /// A block of the given fields, for encoders and tests. Nothing is validated: encoders do that.
  public init(_ fields: [(String, String)]) {
    for (name, value) in fields { append(name: name, value: value) }
  }

  /// Adds a field at the end, unvalidated. Names beyond 65,535 bytes are cut off there.
  public mutating func append(name: String, value: String) {
    var (name, value) = (name, value)
    name.withUTF8 { name in
      let name = UnsafeBufferPointer(rebasing: name.prefix(Int(UInt16.max)))
      value.withUTF8 { append(name: name, value: $0, known: nil) }
    }
  }

  /// The same with a value of bytes, which need not be text.
  package mutating func append(name: String, bytes: [UInt8]) {
    var name = name
    name.withUTF8 { name in
      let name = UnsafeBufferPointer(rebasing: name.prefix(Int(UInt16.max)))
      bytes.withUnsafeBufferPointer { append(name: name, value: $0, known: nil) }
    }
  }

  /// - Parameter known: The known field, where it has been recognised before.
  private mutating func append(
    name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>, known: UInt8?
  ) {
    let start = byteCount
    let end = start + name.count + value.count
    // A second reference to the storage would make the block copy it.
    let bytes = reserve(fields: count + 1, bytes: end).bytes
    if let source = name.baseAddress { (bytes + start).update(from: source, count: name.count) }
    if let source = value.baseAddress {
      (bytes + start + name.count).update(from: source, count: value.count)
    }
    byteCount = end
    append(
      FieldRange(
        nameStart: UInt32(truncatingIfNeeded: start),
        valueStart: UInt32(truncatingIfNeeded: start + name.count),
        valueEnd: UInt32(truncatingIfNeeded: end), nameLength: UInt16(truncatingIfNeeded: name.count),
        known: known ?? KnownField.recognise(bytes + start, name.count)?.rawValue ?? FieldRange.unknown))
  }
}

extension FieldBlock {
  /// A block of some of the fields, as if it were made by hand.
  ///
  /// - Parameters:
  ///   - room: How long the names and values are together that are going to be added. Default: none are.
  ///   - isKept: Asked for each field by its position.
  package func filtered(roomFor room: Int = 0, _ isKept: (Int) -> Bool) -> FieldBlock {
    var some = FieldBlock()
    some.reserve(fields: count, bytes: byteCount + room)
    some.append(self, where: isKept)
    return some
  }

  /// Adds some of another block's fields at the end.
  ///
  /// - Parameter isTaken: Asked for each field by its position.
  package mutating func append(_ other: FieldBlock, where isTaken: (Int) -> Bool) {
    other.withBytes { bytes in
      for index in 0..<other.count where isTaken(index) {
        let range = other.range(at: index)
        append(
          name: UnsafeBufferPointer(rebasing: bytes[range.name]),
          value: UnsafeBufferPointer(rebasing: bytes[range.value]), known: range.known)
      }
    }
  }
}

// Building. A block that is being read into belongs to its reader alone.
extension FieldBlock {
  /// The storage, owned by this block alone and with room for so much; contents are kept.
  @inline(__always)
  @discardableResult
  mutating func reserve(fields: Int, bytes: Int) -> FieldStorage {
    hasRoom(fields: fields, bytes: bytes)
      ? storage.unsafelyUnwrapped : reallocate(fields: fields, bytes: bytes)
  }

  /// Whether `storage` exists, belongs to this block alone and is large enough.
  @inline(__always)
  private mutating func hasRoom(fields: Int, bytes: Int) -> Bool {
    // Only an object can be referenced uniquely, so that it may be unwrapped.
    isKnownUniquelyReferenced(&storage) && storage.unsafelyUnwrapped.fieldCapacity >= fields
      && storage.unsafelyUnwrapped.byteCapacity >= bytes
  }

  @inline(never)
  private mutating func reallocate(fields: Int, bytes: Int) -> FieldStorage {
    let fresh = FieldStorage(
      fieldCapacity: Swift.max(fields, count * 2, 32), byteCapacity: Swift.max(bytes, byteCount * 2, 1024))
    if let storage {
      fresh.ranges.update(from: storage.ranges, count: count)
      fresh.bytes.update(from: storage.bytes, count: byteCount)
    }
    storage = fresh
    return fresh
  }

  /// The table to write ranges to, and how many fit. Valid until the block is next changed.
  @inline(__always)
  mutating func table() -> (UnsafeMutablePointer<FieldRange>, Int) {
    if _slowPath(!isKnownUniquelyReferenced(&storage)) { _ = reallocate(fields: 1, bytes: 0) }
    let storage = storage.unsafelyUnwrapped
    return (storage.ranges, storage.fieldCapacity)
  }

  mutating func append(_ range: FieldRange) {
    reserve(fields: count + 1, bytes: byteCount).ranges[count] = range
    count += 1
    present |= 1 &<< UInt64(range.known)
  }

  /// Takes the last field back, to be appended again with more of its value.
  mutating func popLast() -> FieldRange? {
    guard count > 0, let storage else { return nil }
    count -= 1
    return storage.ranges[count]
  }

  /// Copies the head's bytes in; the ranges index them.
  @inline(__always)
  mutating func keep(_ base: UnsafePointer<UInt8>, _ length: Int) {
    if !hasRoom(fields: count, bytes: length) { _ = reallocate(fields: count, bytes: length) }
    storage.unsafelyUnwrapped.bytes.update(from: base, count: length)
    byteCount = length
  }

  /// Takes over the ranges that a reader has written to ``table()`` since, and copies the bytes that they index.
  @inline(__always)
  mutating func adopt(_ base: UnsafePointer<UInt8>, _ length: Int, count: Int, present: UInt64) {
    self.count = count
    self.present = present
    // The table was unshared and could not have been shared since.
    if _slowPath(storage.unsafelyUnwrapped.byteCapacity < length) {
      _ = reallocate(fields: count, bytes: length)
    }
    storage.unsafelyUnwrapped.bytes.update(from: base, count: length)
    byteCount = length
  }

  /// Changes ranges and bytes in place.
  mutating func edit(_ body: (UnsafeMutableBufferPointer<FieldRange>, UnsafeMutablePointer<UInt8>) -> Void) {
    let storage = reserve(fields: count, bytes: byteCount)
    body(UnsafeMutableBufferPointer(start: storage.ranges, count: count), storage.bytes)
  }

  @inline(__always)
  mutating func removeAll() {
    count = 0
    byteCount = 0
    present = 0
  }
}
