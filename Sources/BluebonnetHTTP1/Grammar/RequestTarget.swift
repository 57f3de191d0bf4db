// SPDX-License-Identifier: MIT

/// The four forms of a request target (RFC 9112 §3.2).
enum RequestTarget {
  /// Whether `count` bytes, all of them visible ASCII, are a target. Finer points of URI syntax (which delimiters
  /// must be encoded where) are left to the server that routes the request: they cannot move the end of the line.
  static func isValid(_ bytes: UnsafePointer<UInt8>, _ count: Int, toConnect: Bool) -> Bool {
    guard count > 0 else { return false }
    if toConnect { return isAuthority(bytes, count) }
    if bytes[0] == Byte.slash { return true }
    if bytes[0] == 0x2A { return count == 1 }
    return isAbsolute(bytes, count)
  }

  /// `host ":" port`; both are required for CONNECT.
  private static func isAuthority(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    var index = count
    while index > 0, Byte.isDigit(bytes[index &- 1]) { index &-= 1 }
    guard index < count, index >= 2, bytes[index &- 1] == Byte.colon else { return false }
    for offset in 0..<(index &- 1) {
      switch bytes[offset] {
      case Byte.slash, 0x3F, 0x23, 0x40, Byte.backslash: return false  // no path, query, fragment or user
      default: break
      }
    }
    return true
  }

  /// `scheme "://"` and something behind it: the only absolute URIs a proxy or origin can serve have a host.
  private static func isAbsolute(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    var index = 0
    while index < count {
      let byte = Byte.lowercased(bytes[index])
      let isLetter = byte &- 0x61 < 26
      let isInner = Byte.isDigit(byte) || byte == 0x2B || byte == 0x2D || byte == 0x2E
      guard isLetter || (index > 0 && isInner) else { break }
      index &+= 1
    }
    guard index > 0, count &- index > 3 else { return false }
    return bytes[index] == Byte.colon && bytes[index &+ 1] == Byte.slash && bytes[index &+ 2] == Byte.slash
  }
}

enum KnownMethod {
  static func isConnect(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.elementsEqual("CONNECT".utf8)
  }
}
