// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetLibc

/// The server of an address for connecting, by `--resolve` and `--connect-to`.
struct ConnectOverrides: Hashable, Sendable {
  /// In the place of the address's host and port; nil for these.
  private(set) var host: String?
  private(set) var port: Int?
  /// The host's stated addresses; empty for a lookup.
  private(set) var addresses: [String] = []

  init(_ options: ConnectionOptions, to address: RequestAddress) throws(CommandError) {
    let plainHost = Self.withoutBrackets(address.host)
    let (host, port) = try Self.detour(options.detours, plainHost, address.effectivePort)
    // A redirect of a connection to its own target needs no connection of its own.
    if host != plainHost.lowercased() || port != address.effectivePort {
      (self.host, self.port) = (host, port)
    }
    addresses = try Self.addresses(options.addresses, host, port)
  }

  private static func withoutBrackets(_ host: String) -> String {
    host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
  }

  /// `host:port:host:port`, where an empty one of the first two stands for any, and one of the last two for the same.
  private static func detour(
    _ texts: [String], _ host: String, _ port: Int
  ) throws(CommandError) -> (String, Int) {
    for text in texts {
      let fault = CommandError(
        .badOption, "--connect-to is written as HOST1:PORT1:HOST2:PORT2, not as '\(text)'")
      let parts = split(text)
      guard parts.count == 4, let from = number(parts[1]), let to = number(parts[3]) else { throw fault }
      let name = withoutBrackets(parts[0])
      guard name.isEmpty || name.lowercased() == host.lowercased(), from == 0 || from == port else {
        continue
      }
      let place = withoutBrackets(parts[2])
      return (place.isEmpty ? host.lowercased() : place.lowercased(), to == 0 ? port : to)
    }
    return (host.lowercased(), port)
  }

  /// `[+]host:port:address,address`, or `-host:port` to take one back; `*` stands for any host. The last one that fits counts.
  private static func addresses(
    _ texts: [String], _ host: String, _ port: Int
  ) throws(CommandError) -> [String] {
    var known: [String: [String]] = [:]
    for text in texts {
      let fault = CommandError(
        .badOption, "--resolve is written as HOST:PORT:ADDRESS[,ADDRESS], not as '\(text)'")
      let removes = text.hasPrefix("-")
      let parts = split(removes || text.hasPrefix("+") ? String(text.dropFirst()) : text, atMost: 3)
      guard parts.count == (removes ? 2 : 3), !parts[0].isEmpty, let number = Int(parts[1]),
        (1...65_535).contains(number)
      else { throw fault }
      let key = "\(withoutBrackets(parts[0]).lowercased()):\(number)"
      guard !removes else {
        known[key] = nil
        continue
      }
      let addresses = parts[2].split(separator: ",").map { withoutBrackets(String($0)) }
      guard !addresses.isEmpty, addresses.allSatisfy(isAddress) else { throw fault }
      known[key] = addresses
    }
    return known["\(host):\(port)"] ?? known["*:\(port)"] ?? []
  }

  /// Whether a text is an IP address, without a zone.
  private static func isAddress(_ text: String) -> Bool {
    var bytes = in6_addr()
    return inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1
  }

  /// At colons, but for those between brackets.
  private static func split(_ text: String, atMost limit: Int = .max) -> [String] {
    var parts = [""]
    var depth = 0
    for character in text {
      if character == "[" { depth += 1 } else if character == "]" { depth -= 1 }
      if character == ":", depth == 0, parts.count < limit {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }

  /// 0 for none; nil for text that is no port.
  private static func number(_ text: String) -> Int? {
    text.isEmpty ? 0 : Int(text).flatMap { (1...65_535).contains($0) ? $0 : nil }
  }
}
