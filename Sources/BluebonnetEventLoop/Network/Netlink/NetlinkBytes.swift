// SPDX-License-Identifier: MIT

/// Numbers in the byte order of this machine, netlink's own (netlink(7)).
extension ArraySlice<UInt8> {
  /// The unsigned number of so many bytes at `offset`; nil if they are not there.
  func number<Number: FixedWidthInteger>(at offset: Int, as type: Number.Type = Number.self) -> Number? {
    let size = MemoryLayout<Number>.size
    guard offset >= 0, count - offset >= size else { return nil }
    return self[(startIndex + offset)..<(startIndex + offset + size)].withUnsafeBytes {
      $0.loadUnaligned(as: Number.self)
    }
  }

  /// The bytes from `offset` on, or nothing.
  func from(_ offset: Int) -> ArraySlice<UInt8> { dropFirst(offset) }
}

extension [UInt8] {
  /// Adds a number in the byte order of this machine.
  mutating func append(native number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number) { append(contentsOf: $0) }
  }
}

extension Int {
  /// Messages and attributes begin at multiples of four (NLMSG_ALIGN, RTA_ALIGN).
  var netlinkAligned: Int { (self + 3) & ~3 }
}
