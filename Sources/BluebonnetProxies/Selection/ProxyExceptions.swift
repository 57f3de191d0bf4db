// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics

/// The hosts that no proxy is used for, as the system settings of Apple's platforms have them (`ExceptionsList`).
///
/// Unlike in ``NoProxyList``, a name stands for itself alone; `*` stands for any characters (`*.example.com`), and a
/// network may be written without its last numbers (`169.254/16`).
package struct ProxyExceptions: Hashable, Sendable {
  private enum Entry: Hashable {
    /// In lower case; asterisks stand for anything.
    case pattern([UInt8])
    case network(IPAddress, bits: Int)
  }

  private let entries: [Entry]
  /// Whether names without a dot are among them (`ExcludeSimpleHostnames`).
  private let includesSimpleNames: Bool

  package init(_ words: [String] = [], includesSimpleNames: Bool = false) {
    entries = words.map(Self.entry)
    self.includesSimpleNames = includesSimpleNames
  }

  /// - Parameter host: In its canonical form, without brackets.
  package func contains(_ host: String) -> Bool {
    let address = IPAddress(host.prefix { $0 != "%" })
    if includesSimpleNames, address == nil, !host.utf8.contains(Byte.dot) { return true }
    let bytes = Array(host.utf8)
    return entries.contains { entry in
      switch entry {
      case .pattern(let pattern): Self.matches(pattern, bytes)
      case .network(let network, let bits): address?.shares(bits, bitsWith: network) ?? false
      }
    }
  }

  private static func entry(_ word: String) -> Entry {
    let word = word.trimmingOptionalWhitespace
    let halves = word.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    if halves.count == 2, let bits = Int(halves[1]), bits >= 0 {
      if let address = IPAddress(halves[0]), bits <= address.bytes.count * 8 {
        return .network(address, bits: bits)
      }
      let numbers = halves[0].utf8.split(separator: Byte.dot, omittingEmptySubsequences: false)
        .compactMap { IPAddress.number(Array($0)[...]) }
      let missing = [UInt8](repeating: 0, count: max(0, 4 - numbers.count))
      if let address = IPAddress(bytes: numbers + missing), !numbers.isEmpty, bits <= 32 {
        return .network(address, bits: bits)
      }
    }
    if let address = IPAddress(word) { return .network(address, bits: address.bytes.count * 8) }
    return .pattern(Array(word.asciiLowercased.utf8))
  }

  /// Glob matching that goes back to the last asterisk only: at most as many steps as the product of the lengths.
  private static func matches(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
    var (at, position) = (0, 0)
    var retry: (at: Int, position: Int)?
    while position < text.count {
      if at < pattern.count, pattern[at] == UInt8(ascii: "*") {
        retry = (at + 1, position)
        at += 1
      } else if at < pattern.count, pattern[at] == text[position] {
        at += 1
        position += 1
      } else if let last = retry {
        retry = (last.at, last.position + 1)
        (at, position) = (last.at, last.position + 1)
      } else {
        return false
      }
    }
    return pattern[at...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
