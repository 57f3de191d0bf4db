// SPDX-License-Identifier: MIT

/// The memory of one or more blocks: a table of ranges and the bytes they index.
///
/// Sendable although its memory is mutable: a ``FieldBlock`` writes to it only while it is the sole owner, and a block
/// that is shared only reads.
final class FieldStorage: @unchecked Sendable {
  let ranges: UnsafeMutablePointer<FieldRange>
  let bytes: UnsafeMutablePointer<UInt8>
  let fieldCapacity: Int
  let byteCapacity: Int

  init(fieldCapacity: Int, byteCapacity: Int) {
    self.fieldCapacity = fieldCapacity
    self.byteCapacity = byteCapacity
    ranges = .allocate(capacity: fieldCapacity)
    bytes = .allocate(capacity: byteCapacity)
  }

  deinit {
    // Both hold trivial types: there is nothing to deinitialise.
    ranges.deallocate()
    bytes.deallocate()
  }
}
