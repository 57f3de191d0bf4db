// SPDX-License-Identifier: MIT

/// The place of one field in the bytes of its block.
struct FieldRange: Sendable {
  var nameStart: UInt32
  var valueStart: UInt32
  var valueEnd: UInt32
  var nameLength: UInt16
  /// The raw value of a ``KnownField``, or 255.
  var known: UInt8

  static var unknown: UInt8 { 255 }

  var name: Range<Int> {
    Int(nameStart)..<(Int(nameStart) + Int(nameLength))
  }

  var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
}
