// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetFoundation

/// The ASCII characters that percent-encoding leaves alone, as 128 bits. Other bytes are always encoded.
struct AllowedBytes: Equatable, Sendable {
  private var bits: UInt128 = 0

  /// The bytes of a query (RFC 3986 §3.4) without the characters that servers take for separators: the
  /// sub-delimiters, and of the general ones all but `?` and `/`.
  static let urlQuery = AllowedBytes(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/?")

  init(_ characters: StaticString) {
    characters.withUTF8Buffer { buffer in
      for byte in buffer { insert(byte) }
    }
  }

  init(_ set: CharacterSet) {
    for byte in 0..<UInt8(128) where set.contains(Unicode.Scalar(byte)) {
      insert(byte)
    }
  }

  func contains(_ byte: UInt8) -> Bool {
    byte < 128 && (bits &>> UInt128(byte)) & 1 == 1
  }

  private mutating func insert(_ byte: UInt8) {
    bits |= 1 &<< UInt128(byte)
  }
}

extension CharacterSet {
  /// The bytes that percent-encoding leaves as they are in a query's keys and values.
  public static let afURLQueryAllowed = CharacterSet(
    charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/?")
}

extension String {
  /// This text with every byte outside of `allowed` percent-encoded, and spaces written as `space`.
  func percentEncoded(allowing allowed: AllowedBytes, space: StaticString = "%20") -> String {
    let space = space.withUTF8Buffer { Array($0) }
    if utf8.allSatisfy({ $0 != UInt8(ascii: " ") && allowed.contains($0) }) { return self }
    return String(unsafeUninitializedCapacity: utf8.count * 3) { output in
      var count = 0
      func append(_ byte: UInt8) {
        output[count] = byte
        count += 1
      }
      for byte in utf8 {
        if byte == UInt8(ascii: " ") {
          space.forEach(append)
        } else if allowed.contains(byte) {
          append(byte)
        } else {
          append(UInt8(ascii: "%"))
          append(Byte.hexadecimalDigit(byte >> 4))
          append(Byte.hexadecimalDigit(byte & 15))
        }
      }
      return count
    }
  }
}
