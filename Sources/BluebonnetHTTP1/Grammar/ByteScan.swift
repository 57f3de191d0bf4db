// SPDX-License-Identifier: MIT

/// The loops that look at every byte of a head. Each returns `end` if it finds nothing.
enum ByteScan {
  /// The first control byte other than HTAB in `start..<end`.
  @inline(__always)
  static func firstForbiddenInValue(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
    var index = start
    while index < end, !Byte.isForbiddenInValue(base[index]) { index &+= 1 }
    return index
  }

  /// The first byte in `start..<end` that is no `tchar`.
  @inline(__always)
  static func firstNonToken(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
    let token = ByteClass.token
    var index = start
    while index < end, token.contains(base[index]) { index &+= 1 }
    return index
  }
}
