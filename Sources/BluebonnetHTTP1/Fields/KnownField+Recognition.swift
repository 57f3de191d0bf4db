extension KnownField {
  /// The field that `name` spells in any case, or nil.
  public init?(name: String) {
    var name = name
    let known = name.withUTF8 { bytes in
      bytes.baseAddress.flatMap { Self.recognise($0, bytes.count) }
    }
    guard let known else { return nil }
    self = known
  }

  /// Reads exactly `count` bytes at `name`.
  static func recognise(_ name: UnsafePointer<UInt8>, _ count: Int) -> KnownField? {
    guard count >= 2, count < 32 else { return nil }
    var tail: UInt64 = 0
    for index in max(0, count &- 8)..<count { tail = tail &>> 8 | UInt64(name[index] | 0x20) &<< 56 }
    if count < 8 { tail &>>= UInt64(64 &- 8 &* count) }
    let slot = slots[unchecked: hash(tail, count)]
    let row = row(slot)
    guard row[count] == Byte.colon else { return nil }
    for index in 0..<count where Byte.lowercased(name[index]) != row[index] { return nil }
    return KnownField(rawValue: slot)
  }

  /// As ``recognise(_:_:)`` for a name inside a head, whose neighbourhood may be read: eight bytes before it and 32
  /// from its start on. Returns ``FieldRange/unknown`` if it is none of the known ones.
  ///
  /// Setting bit 5 folds letters, and besides only bytes onto `-` and `:` that are control bytes: the caller refuses
  /// those, so a name found here is a token.
  @inline(__always)
  static func recognise<L: Lanes>(
    _ name: UnsafePointer<UInt8>, _ count: Int, with lanes: L.Type
  ) -> UInt8 {
    let word = UInt64(littleEndian: UnsafeRawPointer(name + (count &- 8)).loadUnaligned(as: UInt64.self))
    let surplus = count < 8 ? 64 &- 8 &* count : 0
    let tail = (word | 0x2020_2020_2020_2020) &>> UInt64(truncatingIfNeeded: surplus)
    let slot = slots[unchecked: hash(tail, count)]
    let wanted: UInt64 = (2 &<< UInt64(truncatingIfNeeded: count)) &- 1
    let equal = UInt64(lanes.equalFolded(name, row(slot)))
    return equal & wanted == wanted ? slot : FieldRange.unknown
  }
}
