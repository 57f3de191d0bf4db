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

  /// Reads exactly `count` bytes at `name`. Setting bit 5 folds letters. It also folds some control bytes onto
  /// `-` and digits, so the answer is only meaningful for a name that is a token; parsers and encoders see to that.
  @inline(__always)
  static func recognise(_ name: UnsafePointer<UInt8>, _ count: Int) -> KnownField? {
    guard count >= 2, count < 32 else { return nil }
    let (head, tail) = edges(name, count)
    let slot = slots[unchecked: hash(head, tail, count)]
    guard slot != 255 else { return nil }
    let row = Self.row(slot)
    guard row[count] == Byte.space else { return nil }
    let (expectedHead, expectedTail) = edges(row, count)
    guard head == expectedHead, tail == expectedTail else { return nil }
    if count > 16 {
      guard fold(load64(name + 8)) == load64(row + 8),
        fold(load64(name + (count &- 16))) == load64(row + (count &- 16))
      else { return nil }
    }
    return KnownField(rawValue: slot)
  }

  /// The first and the last eight bytes, folded; shorter names fill one word with overlapping loads.
  @inline(__always)
  private static func edges(_ name: UnsafePointer<UInt8>, _ count: Int) -> (UInt64, UInt64) {
    if count >= 8 { return (fold(load64(name)), fold(load64(name + (count &- 8)))) }
    if count >= 4 {
      return (fold(UInt64(load32(name)) | UInt64(load32(name + (count &- 4))) &<< 32), 0)
    }
    let bytes = UInt64(name[0]) | UInt64(name[1]) &<< 8 | UInt64(name[count &- 1]) &<< 16
    return (bytes | 0x20_2020, 0)
  }

  @inline(__always)
  private static func fold(_ word: UInt64) -> UInt64 { word | 0x2020_2020_2020_2020 }

  @inline(__always)
  private static func load64(_ pointer: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(pointer).loadUnaligned(as: UInt64.self))
  }

  @inline(__always)
  private static func load32(_ pointer: UnsafePointer<UInt8>) -> UInt32 {
    UInt32(littleEndian: UnsafeRawPointer(pointer).loadUnaligned(as: UInt32.self))
  }
}
