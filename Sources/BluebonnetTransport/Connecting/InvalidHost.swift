// SPDX-License-Identifier: MIT

/// Why a host cannot be the name of one.
package enum InvalidHost: Error, Equatable, Sendable {
  case empty
  /// A percent sign without two hexadecimal digits, or bytes behind percent signs that are not UTF-8.
  case badPercentEncoding
  /// A code point that no host may contain, such as a space, a slash or a control character.
  case forbiddenCodePoint(UInt32)
  /// Brackets around something that is not an IPv6 address.
  case badAddressLiteral
  /// A label is empty or longer than 63 bytes, or the name is longer than 253 (RFC 1035 §2.3.4).
  case badLength
  /// A Unix-domain path that is empty, has a NUL, or is longer than the 107 bytes that the kernel has room for.
  case unusablePath
}

extension InvalidHost: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "it is empty"
    case .badPercentEncoding: "its percent-encoding is broken"
    case .forbiddenCodePoint(let value):
      "it contains the code point U+\(String(value, radix: 16, uppercase: true))"
    case .badAddressLiteral: "the brackets do not hold an IPv6 address"
    case .badLength: "a part of it is empty or too long"
    case .unusablePath: "the socket path is empty or too long"
    }
  }
}
