// SPDX-License-Identifier: MIT
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
    var tail: UInt32 = 0x2A2D_2020
    for index in max(0, count &- 4)..<count { tail = tail &>> 8 | UInt32(name[index] | 0x20) &<< 24 }
    let slot = slots[unchecked: hash(UInt32(name[0]), tail, count)]
    let row = row(slot)
    guard row[count] == Byte.colon else { return nil }
    for index in 0..<count where Byte.lowercased(name[index]) != row[index] { return nil }
    return KnownField(rawValue: slot)
  }

  /// The only row that a name of `count` bytes inside a head, after CR LF, can be equal to. Callers compare with the
  /// row, colon included, setting bit 5 in the name: that folds letters, and besides only control bytes onto `-` and
  /// `:`, which they refuse elsewhere; so a name that is equal is a token.
  @inline(__always)
  static func slot(_ name: UnsafePointer<UInt8>, _ count: Int) -> UInt8 {
    let first = UInt32(littleEndian: UnsafeRawPointer(name).loadUnaligned(as: UInt32.self))
    let tail = UInt32(littleEndian: UnsafeRawPointer(name + (count &- 4)).loadUnaligned(as: UInt32.self))
    return slots[unchecked: hash(first, tail | 0x2020_2020, count)]
  }

  /// The first rows are the fields that a head reader looks into.
  static var lastOfFraming: UInt8 { KnownField.proxyConnection.rawValue }
}
