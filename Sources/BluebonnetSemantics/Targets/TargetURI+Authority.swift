// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

extension TargetURI {
  /// The part of a URL between `//` and the path (RFC 3986 §3.2).
  struct Authority {
    let origin: WebOrigin
    let field: String
    let userInformation: UserInformation?
    let isRooted: Bool

    init(
      _ bytes: Slice<UnsafeBufferPointer<UInt8>>, isSecure: Bool, _ canonicalHost: (String) throws -> String
    ) throws(InvalidTarget) {
      var place = bytes
      var information: UserInformation?
      if let at = bytes.lastIndex(of: Byte.at) {
        place = bytes[(at + 1)...]
        information = UserInformation(bytes[..<at])
        // RFC 7617 §2: neither the name nor the password may have control characters.
        if let information, information.hasControls {
          throw InvalidTarget(.malformed, "its user information has a control character")
        }
      }
      let (host, port) = try Self.split(place)
      guard !host.isEmpty else { throw InvalidTarget(.malformed, "the URL has no host") }
      let number = try Self.number(port) ?? (isSecure ? 443 : 80)
      let name = try Self.name(of: host, canonicalHost)
      origin = WebOrigin(isSecure: isSecure, host: name, port: number)
      userInformation = information
      isRooted = host.last == Byte.dot
      let shown = name.utf8.contains(Byte.colon) ? "[\(name.prefix { $0 != "%" })]" : name
      field = origin.isDefaultPort ? shown : "\(shown):\(number)"
    }

    /// Host (with brackets, if it has them) and port.
    private static func split(
      _ place: Slice<UnsafeBufferPointer<UInt8>>
    ) throws(InvalidTarget) -> (Slice<UnsafeBufferPointer<UInt8>>, Slice<UnsafeBufferPointer<UInt8>>) {
      var end = place.endIndex
      if place.first == Byte.openBracket {
        guard let close = place.firstIndex(of: Byte.closeBracket) else {
          throw InvalidTarget(.malformed, "the bracket before its address is not closed")
        }
        end = close + 1
        if end == place.endIndex { return (place, place[end...]) }
        guard place[end] == Byte.colon else {
          throw InvalidTarget(.malformed, "something other than a port follows the address in brackets")
        }
      } else if let colon = place.firstIndex(of: Byte.colon) {
        end = colon
      } else {
        return (place, place[end...])
      }
      return (place[..<end], place[(end + 1)...])
    }

    private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) throws(InvalidTarget) -> UInt16? {
      if digits.isEmpty { return nil }
      var value = 0
      for digit in digits {
        guard Byte.isDigit(digit) else { throw InvalidTarget(.malformed, "its port is not a number") }
        value = min(value * 10 + Int(digit &- 48), 65536)
      }
      guard value > 0 else { throw InvalidTarget(.malformed, "there is no port 0") }
      guard let port = UInt16(exactly: value) else {
        let number = String(decoding: digits.prefix(20), as: UTF8.self) + (digits.count > 20 ? "…" : "")
        throw InvalidTarget(.malformed, "port \(number) is out of range: the largest is 65535")
      }
      return port
    }

    private static func name(
      of host: Slice<UnsafeBufferPointer<UInt8>>, _ canonicalHost: (String) throws -> String
    ) throws(InvalidTarget) -> String {
      do {
        return try canonicalHost(String(decoding: host, as: UTF8.self))
      } catch {
        throw InvalidTarget(.malformed, "its host cannot be one: \(error)")
      }
    }
  }
}

extension TargetURI.UserInformation {
  fileprivate var hasControls: Bool {
    [user, password].contains { $0.utf8.contains { $0 < 0x20 || $0 == 0x7F } }
  }

  /// Nil where there is neither a name nor a password (WHATWG URL §4.1, "includes credentials").
  init?(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    let halves = bytes.split(separator: Byte.colon, maxSplits: 1, omittingEmptySubsequences: false)
    let name = halves.first.map { PercentCoding.decoded($0) } ?? []
    let secret = halves.count == 2 ? PercentCoding.decoded(halves[1]) : []
    if name.isEmpty && secret.isEmpty { return nil }
    userBytes = name
    password = String(decoding: secret, as: UTF8.self)
    // The bytes as they were, also where they are no UTF-8 (RFC 7617 §2 leaves the charset open).
    authorization = BasicCredentials.authorization(user: name, password: secret)
  }
}
