// SPDX-License-Identifier: MIT
#if !Foundation
  extension StringProtocol {
    /// The text with every `%XX` decoded; `nil` if one is broken or the result is not UTF-8.
    public var removingPercentEncoding: String? {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(utf8.count)
      var rest = utf8.makeIterator()
      while let byte = rest.next() {
        guard byte == UInt8(ascii: "%") else {
          bytes.append(byte)
          continue
        }
        guard let high = rest.next().flatMap(Self.digit), let low = rest.next().flatMap(Self.digit) else {
          return nil
        }
        bytes.append(high << 4 | low)
      }
      return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
      switch byte {
      case 48...57: byte - 48
      case 65...70: byte - 55
      case 97...102: byte - 87
      default: nil
      }
    }
  }
#endif
