// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetLibc

/// The peer that a transfer connects to: the origin, or the proxy on the way to it.
struct ConnectionRoute: Equatable, Sendable {
  /// Without brackets.
  let host: String
  let port: Int
  /// It is a proxy's.
  var isProxy = false
  /// The addresses of the origin are looked up before the proxy is connected to.
  var looksUpTarget = false
  /// The Unix domain socket to connect to instead.
  var socketPath: String?
  var family = ConnectionOptions.Family.any
  /// `--resolve`: instead of a lookup.
  var statedAddresses: [String] = []

  /// The addresses, the first one to try in front, as far as they are known without a lookup; nil if they are not.
  var knownAddresses: [String]? {
    if socketPath != nil { return [] }
    let all =
      if !statedAddresses.isEmpty { statedAddresses } else if let literal = HostAddresses.literal(host) {
        [literal]
      } else if HostAddresses.isLocal(host) {
        // The library's order.
        ["::1", "127.0.0.1"]
      } else { nil as [String]? }
    return all.map(allowed)
  }

  /// The addresses of a family that may be used.
  private func allowed(_ addresses: [String]) -> [String] {
    switch family {
    case .any: addresses
    case .four: addresses.filter { !$0.contains(":") }
    case .six: addresses.filter { $0.contains(":") }
    }
  }

  /// An address with the port, as in a URL.
  static func shown(_ address: String, _ port: Int) -> String {
    address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
  }
}

/// Addresses of hosts, for messages.
enum HostAddresses {
  /// The address that a text is, in its usual spelling; nil for a name.
  static func literal(_ host: String) -> String? {
    // Names have no digit at the beginning of their last label, and no colons.
    let last = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: true).last?.first ?? 0
    guard host.contains(":") || (0x30...0x39).contains(last) else { return nil }
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_flags = Int32(AI_NUMERICHOST)
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &list) == 0, let entry = list?.pointee else { return nil }
    defer { freeaddrinfo(list) }
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard
      getnameinfo(entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
    else { return nil }
    return ByteText.text(text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) })
  }

  /// Whether a name is always this machine's (RFC 6761 §6.3).
  static func isLocal(_ host: String) -> Bool {
    let name = (host.hasSuffix(".") ? String(host.dropLast()) : host).lowercased()
    return name == "localhost" || name.hasSuffix(".localhost")
  }
}
