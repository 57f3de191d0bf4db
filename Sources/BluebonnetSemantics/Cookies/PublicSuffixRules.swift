// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// The public suffix list as a value: which domains belong to a registry, so that no site may set a cookie for all of
/// them (https://publicsuffix.org/list/, *Algorithm*).
///
/// All names are in the canonical form of hosts: lower case, `xn--` labels, no dot at either end.
///
/// One array holds the names of all rules, another a hash table of what they say: about 250 KB for the real list, and a
/// lookup costs one step per byte of the domain.
package struct PublicSuffixRules: Sendable {
  /// The statement of a rule about its name; several rules may be about the same one.
  struct Kinds: OptionSet {
    let rawValue: UInt8
    /// The name is a suffix.
    static let plain = Kinds(rawValue: 1)
    /// Every label in front of the name makes a suffix with it (`*.ck`). The name is then one, too, or the sites below it
    /// could share it; libpsl and browsers take it so.
    static let wildcard = Kinds(rawValue: 2)
    /// The name is no suffix, though a wildcard says so (`!www.ck`).
    static let exception = Kinds(rawValue: 4)
  }

  private var names: [UInt8] = []
  /// Slots of a hash table with open addressing: 0 where free, else offset, length and kinds of a name.
  private var slots: [UInt64] = []
  /// Names that have rules.
  private var nameCount = 0
  /// The number of rules read.
  package private(set) var ruleCount = 0
  /// Whether `co.`, `com.` and the like below two letters count, too, for a list that does not name them all.
  private let guessesSecondLevels: Bool

  init(guessesSecondLevels: Bool = false) { self.guessesSecondLevels = guessesSecondLevels }

  // MARK: Asking

  /// Whether a domain is itself a public suffix; also one that no rule knows and that has a single label, and none at all.
  package func covers(_ domain: String) -> Bool {
    var domain = domain
    return domain.withUTF8 { suffixStart(in: $0) == 0 }
  }

  /// The domain that was registered: the suffix and the one label before it. Nil for a suffix itself.
  package func registrableDomain(of host: String) -> String? {
    var host = host
    return host.withUTF8 { bytes in
      let suffix = suffixStart(in: bytes)
      guard suffix > 1, bytes[suffix - 2] != Byte.dot else { return nil }
      let start = bytes[..<(suffix - 1)].lastIndex(of: Byte.dot).map { $0 + 1 } ?? 0
      return String(decoding: bytes[start...], as: UTF8.self)
    }
  }

  /// Whether there is a rule about exactly this name.
  package func names(_ name: String) -> Bool {
    var name = name
    return name.withUTF8 { bytes in
      !kinds(of: bytes[...], bytes.reversed().reduce(Self.seed, Self.step)).isEmpty
    }
  }

  /// The start of the longest suffix that a rule names; without a rule, of the last label.
  private func suffixStart(in domain: UnsafeBufferPointer<UInt8>) -> Int {
    var hash = Self.seed
    var start = domain.count
    var end = domain.count
    var isBelowWildcard = false
    var secondLevel: Int?
    while end > 0 {
      let label = domain[..<end].lastIndex(of: Byte.dot).map { $0 + 1 } ?? 0
      for index in stride(from: end - 1, through: label, by: -1) { hash = Self.step(hash, domain[index]) }
      let kinds = kinds(of: domain[label...], hash)
      // An exception goes before all other rules; its suffix is the name without the first label.
      if kinds.contains(.exception) { return min(end + 1, domain.count) }
      if !kinds.isEmpty || isBelowWildcard || start == domain.count { start = label }
      if end < domain.count, secondLevel == nil { secondLevel = label }
      isBelowWildcard = kinds.contains(.wildcard)
      guard label > 0 else { break }
      hash = Self.step(hash, Byte.dot)
      end = label - 1
    }
    if guessesSecondLevels, let secondLevel, start > secondLevel,
      Self.isSecondLevel(domain[secondLevel...])
    {
      return secondLevel
    }
    return start
  }

  private func kinds(of name: Slice<UnsafeBufferPointer<UInt8>>, _ hash: UInt64) -> Kinds {
    guard !slots.isEmpty else { return [] }
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let entry = Entry(slots[slot])
      if entry.length == name.count, names[entry.range].elementsEqual(name) { return entry.kinds }
      slot = (slot + 1) & (slots.count - 1)
    }
    return []
  }

  // MARK: Filling

  /// Takes in a rule about a name in its canonical form, without `*.` and `!`. A name that DNS does not allow is passed over.
  mutating func add(_ kinds: Kinds, _ name: some BidirectionalCollection<UInt8>) {
    guard (1...253).contains(name.count) else { return }
    ruleCount += 1
    // Two thirds at most are taken.
    if slots.count * 2 < (nameCount + 1) * 3 { grow() }
    let hash = name.reversed().reduce(Self.seed, Self.step)
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let entry = Entry(slots[slot])
      if entry.length == name.count, names[entry.range].elementsEqual(name) {
        slots[slot] = Entry(offset: entry.offset, length: entry.length, entry.kinds.union(kinds)).word
        return
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = Entry(offset: names.count, length: name.count, kinds).word
    names.append(contentsOf: name)
    nameCount += 1
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: 0, count: max(256, old.count * 2))
    for word in old where word != 0 {
      let hash = names[Entry(word).range].reversed().reduce(Self.seed, Self.step)
      var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = word
    }
  }

  // FNV-1a from the last byte to the first, so that one pass over a domain hashes all its suffixes.
  private static var seed: UInt64 { 0xCBF2_9CE4_8422_2325 }
  private static func step(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
    let product = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    return product ^ (product >> 29)
  }

  /// A name among `names`, and its kinds.
  private struct Entry {
    let offset: Int
    let length: Int
    let kinds: Kinds

    init(offset: Int, length: Int, _ kinds: Kinds) {
      self.offset = offset
      self.length = length
      self.kinds = kinds
    }

    /// Offset in the upper 48 bits, then length, then kinds, of which there is always one: no word is 0.
    init(_ word: UInt64) {
      offset = Int(word >> 16)
      length = Int(word >> 8 & 0xFF)
      kinds = Kinds(rawValue: UInt8(truncatingIfNeeded: word))
    }

    var word: UInt64 { UInt64(offset) << 16 | UInt64(length) << 8 | UInt64(kinds.rawValue) }
    var range: Range<Int> { offset..<(offset + length) }
  }
}

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
