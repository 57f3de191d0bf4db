// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

extension PublicSuffixRules {
  /// Reads the list in the form in which it is published (https://publicsuffix.org/list/, *Format*): a rule is a line up
  /// to its first white space; empty lines and those that begin with `//` say nothing. Both sections count, also the one
  /// of private domains: sites under `github.io` are as strange to each other as those under `co.uk`.
  ///
  /// - Parameter canonicalHost: The form of a host in which names are compared; only rules outside ASCII are put to it.
  ///   A rule that has none is passed over.
  package init(_ list: [UInt8], canonicalHost: (String) throws -> String) {
    self.init()
    list.withUnsafeBufferPointer { list in
      var start = 0
      while start < list.count {
        let end = list[start...].firstIndex(of: Byte.lf) ?? list.count
        let rule = list[start..<end].prefix { $0 > Byte.space }
        if let first = rule.first, first != Byte.slash { read(rule, canonicalHost) }
        start = end + 1
      }
    }
  }

  private mutating func read(
    _ rule: Slice<UnsafeBufferPointer<UInt8>>, _ canonicalHost: (String) throws -> String
  ) {
    var name = rule
    var kind = Kinds.plain
    if name.first == UInt8(ascii: "!") {
      kind = .exception
      name = name.dropFirst()
    } else if name.first == UInt8(ascii: "*") {
      kind = .wildcard
      name = name.dropFirst()
      guard name.first == Byte.dot else { return }
    }
    if name.first == Byte.dot { name = name.dropFirst() }
    if name.allSatisfy({ Byte.isVisible($0) && $0 &- 0x41 >= 26 }) { return add(kind, name) }
    guard let canonical = try? canonicalHost(String(decoding: name, as: UTF8.self)) else { return }
    add(kind, Array(canonical.utf8))
  }
}
