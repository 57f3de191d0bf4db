// SPDX-License-Identifier: MIT
import BluebonnetLibc

/// IP addresses between text and the bytes that certificates hold.
enum AddressText {
  /// 4 or 16 bytes, or `nil` if the text is no address.
  static func bytes(of text: String) -> [UInt8]? {
    var v4 = in_addr()
    if inet_pton(AF_INET, text, &v4) == 1 { return withUnsafeBytes(of: v4) { Array($0) } }
    var v6 = in6_addr()
    if inet_pton(AF_INET6, text, &v6) == 1 { return withUnsafeBytes(of: v6) { Array($0) } }
    return nil
  }

  static func text(of bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(family, bytes.baseAddress, &buffer, socklen_t(buffer.count)) != nil else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
