// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics

/// The hosts that no proxy is used for, as curl reads `no_proxy` and `--noproxy`.
///
/// Entries are separated by commas or blanks. A name stands for itself and everything below it, with or without a dot in
/// front: `example.com` and `.example.com` both mean `example.com` and `www.example.com`, and neither `nonexample.com`.
/// An address stands for itself, and with a prefix length for its network (`10.0.0.0/8`, `fd00::/8`). A `*` alone means
/// every host. There are no ports in it.
package struct NoProxyList: Hashable, Sendable {
  private enum Entry: Hashable {
    /// In lower case, without a dot at either end.
    case name(String)
    case network(IPAddress, bits: Int)
  }

  private let entries: [Entry]
  private let isEverything: Bool

  package init(_ text: String) {
    let separators: Set<UInt8> = [Byte.comma, Byte.space, Byte.tab]
    let words = text.utf8.split { separators.contains($0) }.map { String(decoding: $0, as: UTF8.self) }
    isEverything = words == ["*"]
    entries = words.compactMap(Self.entry)
  }

  /// Whether there is nothing in it.
  package var isEmpty: Bool { entries.isEmpty && !isEverything }

  /// - Parameter host: In its canonical form, without brackets.
  package func contains(_ host: String) -> Bool {
    if isEverything { return true }
    if entries.isEmpty { return false }
    // A zone names the interface, not the host.
    if let address = IPAddress(host.prefix { $0 != "%" }) {
      return entries.contains { entry in
        guard case .network(let network, let bits) = entry else { return false }
        return address.shares(bits, bitsWith: network)
      }
    }
    return entries.contains { entry in
      guard case .name(let name) = entry else { return false }
      return host == name || host.hasSuffix("." + name)
    }
  }

  private static func entry(_ word: String) -> Entry? {
    var text = Substring(word)
    if text.first == "[", text.last == "]" { text = text.dropFirst().dropLast() }
    let halves = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    if let address = halves.first.flatMap({ IPAddress($0) }) {
      let most = address.bytes.count * 8
      guard halves.count == 2 else { return .network(address, bits: most) }
      guard let bits = Int(halves[1]), halves[1].utf8.allSatisfy(Byte.isDigit), bits <= most else {
        return nil
      }
      return .network(address, bits: bits)
    }
    while text.last == "." { text.removeLast() }
    if text.first == "." { text.removeFirst() }
    return text.isEmpty ? nil : .name(text.asciiLowercased)
  }
}
