import BluebonnetFoundation
import BluebonnetTransport

extension RequestTarget {
  /// The part of a URL between `//` and the path (RFC 3986 §3.2).
  struct Authority {
    let origin: Origin
    let field: String
    let userInformation: UserInformation?

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
      let literal = host.first == Byte.openBracket
      let name = try Self.name(literal ? host.dropFirst().dropLast() : host, isLiteral: literal, of: url)
      origin = Origin(isSecure: isSecure, host: name, port: number)
      userInformation = information
      let shown = literal ? "[\(name.prefix { $0 != "%" })]" : name
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

    /// The host in the form that a resolver, a certificate and `Host` want.
    private static func name(
      _ bytes: Slice<UnsafeBufferPointer<UInt8>>, isLiteral: Bool, of url: URL
    ) throws(URLError) -> String {
      let plain = String(decoding: bytes.lazy.map(\.asciiLowercased), as: UTF8.self)
      guard isLiteral || bytes.contains(where: { $0 == Byte.percent || $0 >= 0x80 }) else { return plain }
      do {
        return try InternationalHost.ascii(isLiteral ? "[\(plain)]" : plain)
      } catch {
        throw URLError.refusal(.badURL, url, "its host cannot be one: \(error)")
      }
    }
  }
}

extension RequestTarget.UserInformation {
  init(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    let text = String(decoding: bytes, as: UTF8.self)
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    user = halves[0].removingPercentEncoding ?? String(halves[0])
    password = halves.count == 2 ? halves[1].removingPercentEncoding ?? String(halves[1]) : ""
  }
}
