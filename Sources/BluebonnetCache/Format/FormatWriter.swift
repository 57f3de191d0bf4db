// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// Puts numbers and texts one behind the other: numbers big-endian, texts behind their length in four bytes.
struct FormatWriter {
  private(set) var bytes: [UInt8] = []

  // `bigEndianBytes` would make an array for each of many numbers.
  mutating func add<Number: FixedWidthInteger>(_ number: Number) {
    for shift in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  mutating func add(_ text: String) {
    add(UInt32(clamping: text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  mutating func add(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

  mutating func addChecksum(seed: UInt64) { add(BlockChecksum.of(bytes, seed: seed)) }
}

/// Takes them apart again. The bytes may come from an attacker: no length counts before it is known to lie within the bytes.
struct FormatReader {
  private let bytes: ArraySlice<UInt8>
  private(set) var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  var isAtEnd: Bool { position == bytes.endIndex }

  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self)
    throws(ResponseStoreError)
    -> Number
  {
    var value: Number = 0
    for byte in try take(MemoryLayout<Number>.size) { value = value << 8 | Number(truncatingIfNeeded: byte) }
    return value
  }

  mutating func text() throws(ResponseStoreError) -> String {
    let length = try number(UInt32.self)
    guard let text = String(validating: try take(Int(length)), as: UTF8.self) else {
      throw .damaged("invalid text")
    }
    return text
  }

  mutating func take(_ count: Int) throws(ResponseStoreError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= bytes.endIndex - position else { throw .damaged("it ends too soon") }
    defer { position += count }
    return bytes[position..<(position + count)]
  }
}
