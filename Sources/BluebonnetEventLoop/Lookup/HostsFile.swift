// SPDX-License-Identifier: MIT

/// The names that this machine's administrator has given addresses (hosts(5)).
///
/// Read by ourselves, because the C library asks for them and for the DNS in a single call that may wait for the latter.
package enum HostsFile {
  /// The addresses that `/etc/hosts` has for a name; nil if it has none, or is not the first to be asked
  /// (nsswitch.conf(5)).
  package static func addresses(of host: String) -> [SocketAddress]? {
    let order = (try? Syscall.contents(ofFile: "/etc/nsswitch.conf", limit: 1 << 20)) ?? []
    guard NameServiceOrder.filesComeFirst(in: String(decoding: order, as: UTF8.self)),
      let contents = try? Syscall.contents(ofFile: "/etc/hosts", limit: 1 << 26)
    else { return nil }
    let found = addresses(of: host, in: contents)
    return found.isEmpty ? nil : found
  }

  /// The addresses of a name in the text of a hosts file: each once, IPv6 first, as RFC 6724 has it by default.
  static func addresses(of host: String, in contents: [UInt8]) -> [SocketAddress] {
    var name = Array(host.utf8.map(lowercased))
    if name.last == 0x2E { name.removeLast() }
    guard !name.isEmpty else { return [] }
    var found: [SocketAddress] = []
    for line in contents.split(separator: 0x0A) {
      let fields = line.prefix { $0 != 0x23 }.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
      guard fields.dropFirst().contains(where: { $0.elementsEqual(name) { lowercased($0) == $1 } }),
        let text = fields.first,
        let address = SocketAddress(literal: String(decoding: text, as: UTF8.self), port: 0),
        !found.contains(address)
      else { continue }
      found.append(address)
    }
    return found.filter { $0.family == .ipv6 } + found.filter { $0.family != .ipv6 }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}

/// The order of sources for host names in nsswitch.conf(5).
enum NameServiceOrder {
  /// Whether the hosts file is asked before anything that may wait for the network.
  static func filesComeFirst(in text: String) -> Bool {
    for line in text.split(separator: "\n") {
      let line = line.prefix { $0 != "#" }
      guard let colon = line.firstIndex(of: ":"),
        line[..<colon].split(whereSeparator: \.isWhitespace) == ["hosts"]
      else { continue }
      for service in line[line.index(after: colon)...].split(whereSeparator: \.isWhitespace) {
        switch service {
        case "files": return true
        // systemd's, which read the hosts file themselves or know this machine only; and what to do on their answers.
        case "resolve", "myhostname", "mymachines": break
        case let action where action.hasPrefix("[") || action.hasSuffix("]"): break
        default: return false
        }
      }
      return false
    }
    // glibc's own order is "files dns".
    return true
  }
}
