import BluebonnetFoundation
import BluebonnetTransport

extension RequestTarget {
  /// The part of a URL between `//` and the path (RFC 3986 §3.2).
  struct Authority {
    let origin: Origin
    let field: String
    let userInformation: UserInformation?
    let isRooted: Bool

    init(url: URL, bytes: Slice<UnsafeBufferPointer<UInt8>>, isSecure: Bool) throws(URLError) {
      var place = bytes
      var information: UserInformation?
      if let at = bytes.lastIndex(of: Byte.at) {
        place = bytes[(at + 1)...]
        information = UserInformation(bytes[..<at])
      }
      let (host, port) = try Self.split(place, of: url)
      guard !host.isEmpty else { throw URLError.refusal(.badURL, url, "the URL has no host") }
      let number = try Self.number(port, of: url) ?? (isSecure ? 443 : 80)
      let canonical = try Self.host(host, of: url)
      let name = canonical.name
      origin = Origin(isSecure: isSecure, host: name, port: number)
      userInformation = information
      isRooted = host.last == UInt8(ascii: ".")
      let shown = canonical.isIPv6 ? "[\(name.prefix { $0 != "%" })]" : name
      field = origin.isDefaultPort ? shown : "\(shown):\(number)"
    }

    /// Host (with brackets, if it has them) and port.
    private static func split(
      _ place: Slice<UnsafeBufferPointer<UInt8>>, of url: URL
    ) throws(URLError) -> (Slice<UnsafeBufferPointer<UInt8>>, Slice<UnsafeBufferPointer<UInt8>>) {
      var end = place.endIndex
      if place.first == Byte.openBracket {
        guard let close = place.firstIndex(of: Byte.closeBracket) else {
          throw URLError.refusal(.badURL, url, "the bracket before its address is not closed")
        }
        end = close + 1
        if end == place.endIndex { return (place, place[end...]) }
        guard place[end] == Byte.colon else {
          throw URLError.refusal(.badURL, url, "something other than a port follows the address in brackets")
        }
      } else if let colon = place.firstIndex(of: Byte.colon) {
        end = colon
      } else {
        return (place, place[end...])
      }
      return (place[..<end], place[(end + 1)...])
    }

    private static func number(
      _ digits: Slice<UnsafeBufferPointer<UInt8>>, of url: URL
    ) throws(URLError) -> UInt16? {
      if digits.isEmpty { return nil }
      var value = 0
      for digit in digits {
        guard digit &- 48 < 10 else { throw URLError.refusal(.badURL, url, "its port is not a number") }
        value = min(value * 10 + Int(digit &- 48), 65536)
      }
      guard value > 0, let port = UInt16(exactly: value) else {
        throw URLError.refusal(.badURL, url, "there is no port \(String(decoding: digits, as: UTF8.self))")
      }
      return port
    }

    private static func host(
      _ bytes: Slice<UnsafeBufferPointer<UInt8>>, of url: URL
    ) throws(URLError) -> CanonicalHost {
      do throws(InvalidHost) {
        return try CanonicalHost(String(decoding: bytes, as: UTF8.self))
      } catch {
        throw URLError.refusal(.badURL, url, "its host cannot be one: \(error)")
      }
    }
  }
}

extension RequestTarget.UserInformation {
  /// Nil where there is neither a name nor a password (WHATWG URL §4.1, "includes credentials").
  init?(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    let halves = bytes.split(separator: Byte.colon, maxSplits: 1, omittingEmptySubsequences: false)
    let name = halves.first.map(Self.decoded) ?? []
    let secret = halves.count == 2 ? Self.decoded(halves[1]) : []
    if name.isEmpty && secret.isEmpty { return nil }
    user = String(decoding: name, as: UTF8.self)
    password = String(decoding: secret, as: UTF8.self)
    // The bytes as they were, also where they are no UTF-8 (RFC 7617 §2 leaves the charset open).
    authorization = "Basic " + Data(name + [Byte.colon] + secret).base64EncodedString()
  }

  /// Without percent-encoding; a percent sign without two digits stands for itself.
  private static func decoded(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
    var result: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      if byte == Byte.percent, rest.count >= 2,
        let high = Byte.hexadecimalDigit(rest[rest.startIndex]),
        let low = Byte.hexadecimalDigit(rest[rest.startIndex + 1])
      {
        result.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return result
  }
}
