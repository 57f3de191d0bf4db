// SPDX-License-Identifier: MIT
import BluebonnetTransport

/// The hosts that a setting is for, in the canonical form: one, or the names with exactly one label more than a domain's.
package enum HostPattern: Hashable, Sendable {
  case host(String)
  /// `*.example.org`, by what stands behind the wildcard.
  case below(String)

  /// Why no host can be meant, in words.
  package struct Unusable: Error, CustomStringConvertible {
    package let description: String
  }

  package init(_ text: String) throws(Unusable) {
    self =
      text.hasPrefix("*.")
      ? .below(try Self.parent(String(text.dropFirst(2)))) : .host(try Self.canonical(text))
  }

  /// Those that may be for a host, the more exact one first.
  ///
  /// Certificates know no zones, and a redirect may add one to any address: it must not lead around the address's own.
  package static func candidates(for host: String) -> [HostPattern] {
    let name = (try? HostName.canonical(host)) ?? host
    if let zone = name.firstIndex(of: "%") { return [.host(name), .host(String(name[..<zone]))] }
    guard let dot = name.firstIndex(of: "."), dot != name.startIndex else { return [.host(name)] }
    return [.host(name), .below(String(name[name.index(after: dot)...]))]
  }

  private static func canonical(_ text: String) throws(Unusable) -> String {
    let host: String
    do {
      host = try HostName.canonical(text)
    } catch {
      // Most of these are a URL or have a port: an IPv6 address without brackets would have been read.
      let isMore =
        !text.hasPrefix("[") && text.utf8.contains { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
      throw Unusable(
        description: isMore
          ? "a key is a host alone, without scheme, port and path" : "it is not a host: \(error)")
    }
    guard !host.utf8.contains(UInt8(ascii: "*")) else {
      throw Unusable(description: "a wildcard is the whole first label and no other, as in *.example.org")
    }
    return host
  }

  /// The domain after the wildcard.
  private static func parent(_ rest: String) throws(Unusable) -> String {
    let parent = try canonical(rest)
    // No name ends in a number (WHATWG URL §3.6), and the end of an address is not one.
    let end = parent.utf8.reversed().prefix { $0 != UInt8(ascii: ".") }
    guard !parent.utf8.contains(UInt8(ascii: ":")), !end.allSatisfy({ $0 &- UInt8(ascii: "0") <= 9 }) else {
      throw Unusable(description: "a wildcard stands for names, not for addresses")
    }
    return parent
  }
}

/// `CanonicalHost` for the layers that do not know the transport.
package enum HostName {
  /// The one form in which a host is compared, whichever spelling it comes in.
  ///
  /// - Throws: A reason for people, where it is no host.
  package static func canonical(_ spelling: String) throws -> String { try CanonicalHost(spelling).name }
}
