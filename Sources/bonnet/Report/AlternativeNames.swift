import Bluebonnet
import BluebonnetLibc

/// The names of a certificate's `subjectAltName` (RFC 5280 §4.2.1.6), for the line of `-v` about the one that matches. Whether a
/// certificate is the host's is decided by the library.
struct AlternativeNames: Equatable {
  private(set) var names: [String] = []
  private(set) var addresses: [[UInt8]] = []

  /// 2.5.29.17.
  private static let identifier: [UInt8] = [0x55, 0x1D, 0x11]

  /// - Parameter der: A certificate.
  init(der: [UInt8]) {
    var certificate = DERReader(der[...])
    guard var outer = certificate.next(0x30), var body = outer.next(0x30) else { return }
    while let (tag, content) = body.next() {
      // Extensions are [3].
      guard tag == 0xA3 else { continue }
      var list = DERReader(content)
      guard var extensions = list.next(0x30) else { return }
      while var entry = extensions.next(0x30) {
        guard let identifier = entry.next(0x06), Array(identifier.rest) == Self.identifier else { continue }
        // A Boolean may stand between.
        while let (tag, content) = entry.next() { if tag == 0x04 { take(content) } }
      }
    }
  }

  private mutating func take(_ value: ArraySlice<UInt8>) {
    var value = DERReader(value)
    guard var list = value.next(0x30) else { return }
    while let (tag, content) = list.next() {
      switch tag {
      case 0x82: names.append(ByteText.text(content))
      case 0x87: addresses.append(Array(content))
      default: break
      }
    }
  }

  var isEmpty: Bool { names.isEmpty && addresses.isEmpty }

  /// The end of the line about a host; nil if there are no names.
  func line(about host: String) -> String? {
    guard !isEmpty else { return nil }
    if let bytes = Self.bytes(of: host) {
      if addresses.contains(bytes) { return "subjectAltName: host \"\(host)\" matched cert's IP address!" }
    } else if let name = names.first(where: { Self.matches($0, host) }) {
      return "subjectAltName: host \"\(host)\" matched cert's \"\(name)\""
    }
    return "subjectAltName does not match \(host)"
  }

  /// A `*` stands for one label, the first (RFC 6125 §6.4.3).
  private static func matches(_ name: String, _ host: String) -> Bool {
    func plain(_ text: String) -> String {
      (text.hasSuffix(".") ? String(text.dropLast()) : text).lowercased()
    }
    let (name, host) = (plain(name), plain(host))
    guard name.hasPrefix("*.") else { return name == host }
    guard let dot = host.firstIndex(of: "."), dot != host.startIndex else { return false }
    return host[dot...] == name.dropFirst()
  }

  private static func bytes(of host: String) -> [UInt8]? {
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: count)
      if inet_pton(family, host, &bytes) == 1 { return bytes }
    }
    return nil
  }
}

/// Reads values of DER, one after the other.
private struct DERReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// The next value's tag and content; nil at the end, and for a value that is cut off.
  mutating func next() -> (tag: UInt8, content: ArraySlice<UInt8>)? {
    guard let tag = rest.popFirst(), var length = rest.popFirst().map(Int.init) else { return nil }
    if length >= 0x80 {
      let count = length - 0x80
      guard (1...4).contains(count), rest.count >= count else { return nil }
      length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(count)
    }
    guard rest.count >= length else { return nil }
    defer { rest = rest.dropFirst(length) }
    return (tag, rest.prefix(length))
  }

  /// The content of the next value, which has to have this tag.
  mutating func next(_ tag: UInt8) -> DERReader? {
    guard let (found, content) = next(), found == tag else { return nil }
    return DERReader(content)
  }
}
