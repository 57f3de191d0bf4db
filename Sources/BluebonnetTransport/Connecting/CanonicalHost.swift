// SPDX-License-Identifier: MIT
import BluebonnetEventLoop

/// A host in the one form that everything compares: the pool, certificates, evaluators, cookies, the cache and
/// credentials.
///
/// Names: percent-decoded, in lower case, `xn--` labels for characters outside ASCII, without the root's dot. IPv4
/// addresses: four decimal numbers, whichever of the forms was written that a resolver takes (`127.1`, `0x7f.1`,
/// `2130706433`; WHATWG URL §3.5 does the same). IPv6 addresses: as RFC 5952 writes them, without brackets; a zone is
/// the name of its interface. Text that no resolver takes for an address stays a name. An IPv4-mapped IPv6 address is a host
/// of its own: certificates tell it from the IPv4 address.
package struct CanonicalHost: Hashable, Sendable, CustomStringConvertible {
  /// The canonical form, without brackets.
  package let name: String

  /// Reads a host as a URL, a field or a caller spells it; an IPv6 address with or without brackets.
  package init(_ spelling: String) throws(InvalidHost) {
    if let plain = Self.isPlainAddress(spelling) ? spelling : Self.plainName(spelling) {
      name = plain
      return
    }
    let ascii = try InternationalHost.ascii(spelling)
    if ascii.utf8.contains(UInt8(ascii: ":")) {
      name = try Self.ipv6(ascii)
    } else {
      let unrooted = ascii.utf8.last == UInt8(ascii: ".") ? String(ascii.dropLast()) : ascii
      name = IPv4Spelling.canonical(unrooted) ?? unrooted
    }
  }

  package var description: String { name }

  /// Whether it is an IPv6 address, which `Host` and URLs put into brackets.
  package var isIPv6: Bool { name.utf8.contains(UInt8(ascii: ":")) }

  /// The way most names go: nothing in them but letters, digits, hyphens and single dots, and no digit at the start of
  /// the last label, which might make the whole an address. Nil for everything else.
  private static func plainName(_ spelling: String) -> String? {
    var isLowercase = true
    var labelLength = 0
    var labelStart: UInt8 = 0
    for byte in spelling.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        if labelLength == 0 { labelStart = byte }
        labelLength += 1
      case UInt8(ascii: "A")...UInt8(ascii: "Z"):
        if labelLength == 0 { labelStart = byte }
        labelLength += 1
        isLowercase = false
      case UInt8(ascii: "."):
        guard labelLength > 0 else { return nil }
        labelLength = 0
      default: return nil
      }
      guard labelLength <= 63 else { return nil }
    }
    guard labelLength > 0, labelStart &- UInt8(ascii: "0") > 9, spelling.utf8.count <= 253 else { return nil }
    return isLowercase ? spelling : spelling.lowercased()
  }

  /// Four decimal numbers as they are meant, without a zero in front: such an address is its own canonical form.
  private static func isPlainAddress(_ spelling: String) -> Bool {
    var (dots, value, digits) = (0, 0, 0)
    for byte in spelling.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        if digits > 0, value == 0 { return false }
        value = value * 10 + Int(byte &- UInt8(ascii: "0"))
        digits += 1
        if value > 255 { return false }
      case UInt8(ascii: ".") where digits > 0:
        (dots, value, digits) = (dots + 1, 0, 0)
      default: return false
      }
    }
    return dots == 3 && digits > 0
  }

  private static func ipv6(_ text: String) throws(InvalidHost) -> String {
    let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    guard let digits = parts.first, let address = SocketAddress(ipv6: String(digits), port: 0) else {
      throw .badAddressLiteral
    }
    guard parts.count == 2 else { return address.host }
    guard let zone = SocketAddress.interfaceName(ofZone: String(parts[1])) else { throw .badAddressLiteral }
    return "\(address.host)%\(zone)"
  }
}
