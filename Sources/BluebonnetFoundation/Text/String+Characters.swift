// SPDX-License-Identifier: MIT
#if !Foundation
  import FoundationEssentials

  extension StringProtocol {
    /// The UTF-8 of the text with every scalar outside of the set as `%XX`.
    public func addingPercentEncoding(withAllowedCharacters allowed: CharacterSet) -> String? {
      let digits = Array("0123456789ABCDEF".utf8)
      var bytes: [UInt8] = []
      bytes.reserveCapacity(utf8.count)
      for scalar in unicodeScalars {
        // As in Foundation, only ASCII can be allowed.
        let isKept = scalar.isASCII && allowed.contains(scalar)
        for byte in UTF8.encode(scalar) ?? .init() {
          if isKept {
            bytes.append(byte)
          } else {
            bytes += [37, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
          }
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// Without the scalars of the set at both ends.
    public func trimmingCharacters(in set: CharacterSet) -> String {
      var scalars = Substring(self).unicodeScalars
      while let first = scalars.first, set.contains(first) { scalars.removeFirst() }
      while let last = scalars.last, set.contains(last) { scalars.removeLast() }
      return String(scalars)
    }
  }
#endif
