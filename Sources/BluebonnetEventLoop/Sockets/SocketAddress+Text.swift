// SPDX-License-Identifier: MIT
import BluebonnetLibc
import CBluebonnetLinux

extension SocketAddress {
  /// Four decimal numbers with dots, and nothing else (RFC 3986 §3.2.2).
  package init?(ipv4 text: String, port: UInt16) {
    var address = in_addr()
    guard inet_pton(AF_INET, text, &address) == 1 else { return nil }
    self.init(.ipv4(UInt32(bigEndian: address.s_addr), port: port))
  }

  /// An IPv6 address without brackets, with an optional zone behind a percent sign: an interface's name or number
  /// (RFC 4007 §11).
  package init?(ipv6 text: String, port: UInt16) {
    let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    var address = in6_addr()
    guard let digits = parts.first, inet_pton(AF_INET6, String(digits), &address) == 1 else { return nil }
    var scope: UInt32 = 0
    if parts.count == 2 {
      guard let zone = Self.interfaceIndex(String(parts[1])) else { return nil }
      scope = zone
    }
    let (high, low) = withUnsafeBytes(of: &address) { bytes in
      (
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
    self.init(.ipv6(high: high, low: low, scope: scope, port: port))
  }

  /// An address literal of either family.
  package init?(literal text: String, port: UInt16) {
    if let address = SocketAddress(ipv4: text, port: port) ?? SocketAddress(ipv6: text, port: port) {
      self = address
    } else {
      return nil
    }
  }

  /// A path in the file system; nil if the kernel has no room for it or it contains a NUL.
  package init?(unixPath path: String) {
    let capacity = MemoryLayout.size(ofValue: sockaddr_un().sun_path)
    guard !path.isEmpty, path.utf8.count < capacity, !path.utf8.contains(0) else { return nil }
    self.init(.unix(path: path))
  }

  /// The address without its port, as text that the initialisers take.
  package var host: String {
    switch storage {
    case .ipv4(let address, _):
      let bytes = withUnsafeBytes(of: address.bigEndian) { $0.map { String($0) } }
      return bytes.joined(separator: ".")
    case .ipv6(let high, let low, let scope, _):
      var address = (high.bigEndian, low.bigEndian)
      var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
      inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
      let digits = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      return scope == 0 ? digits : "\(digits)%\(scope)"
    case .unix(let path):
      return path
    }
  }

  /// The name of the interface that a zone means, by number or by name; nil if there is none.
  package static func interfaceName(ofZone zone: String) -> String? {
    guard let index = interfaceIndex(zone) else { return nil }
    var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
    guard if_indextoname(index, &name) != nil else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func interfaceIndex(_ zone: String) -> UInt32? {
    if let number = UInt32(zone) { return number }
    let index = if_nametoindex(zone)
    return index == 0 ? nil : index
  }
}

extension SocketAddress: CustomStringConvertible {
  package var description: String {
    switch storage {
    case .ipv4(_, let port): "\(host):\(port)"
    case .ipv6(_, _, _, let port): "[\(host)]:\(port)"
    case .unix(let path): path
    }
  }
}
