// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics

/// Why a text does not name a proxy.
package struct InvalidProxy: Error, Equatable, Sendable, CustomStringConvertible {
  /// In words for people. It shows no password.
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

extension ProxyServer {
  /// Reads a proxy as curl's option and the environment spell it: `[scheme://][user[:password]@]host[:port][/…]`.
  ///
  /// - Parameters:
  ///   - text: Without a scheme it is an HTTP proxy. User and password may be percent-encoded. The rest behind the
  ///     authority means nothing.
  ///   - canonicalHost: The one form in which hosts are compared, made of a spelling.
  package init(_ text: String, canonicalHost: (String) throws -> String) throws(InvalidProxy) {
    let bytes = Array(text.utf8)
    guard bytes.allSatisfy(Byte.isVisible) || bytes.contains(where: { $0 >= 0x80 }),
      !bytes.contains(where: { $0 <= Byte.space || $0 == 0x7F })
    else { throw InvalidProxy("a proxy's address has no spaces or control characters") }
    var rest = bytes[...]
    var scheme = Scheme.http
    if let end = Self.schemeEnd(of: bytes) {
      scheme = try Self.scheme(named: String(decoding: bytes[..<end], as: UTF8.self))
      rest = bytes[(end + 3)...]
    }
    let end = rest.firstIndex { $0 == Byte.slash || $0 == Byte.question || $0 == Byte.hash }
    rest = rest[..<(end ?? rest.endIndex)]
    var credentials: Credentials?
    if let at = rest.lastIndex(of: Byte.at) {
      credentials = Credentials(userInformation: rest[..<at])
      rest = rest[(at + 1)...]
    }
    let (host, port) = try Self.split(rest)
    guard !host.isEmpty else { throw InvalidProxy("the proxy's address has no host") }
    do {
      let name = try canonicalHost(String(decoding: host, as: UTF8.self))
      self.init(scheme, host: name, port: port ?? scheme.defaultPort, credentials: credentials)
    } catch {
      throw InvalidProxy("the proxy's host cannot be one: \(error)")
    }
  }

  /// The index of `://`.
  private static func schemeEnd(of bytes: [UInt8]) -> Int? {
    let mark = Array("://".utf8)
    guard let colon = bytes.firstIndex(of: Byte.colon), bytes[colon...].starts(with: mark) else { return nil }
    return colon
  }

  private static func scheme(named name: String) throws(InvalidProxy) -> Scheme {
    let name = name.asciiLowercased
    if let scheme = Scheme(rawValue: name) { return scheme }
    // Older spellings: the version that came first.
    if name == "socks" { return .socks4 }
    let known = Scheme.allCases.map(\.rawValue).joined(separator: ", ")
    throw InvalidProxy("\"\(name)\" is no kind of proxy; there are \(known)")
  }

  /// Host (with brackets, if it has them) and port.
  private static func split(
    _ place: ArraySlice<UInt8>
  ) throws(InvalidProxy) -> (ArraySlice<UInt8>, UInt16?) {
    var end = place.firstIndex(of: Byte.colon) ?? place.endIndex
    if place.first == Byte.openBracket {
      guard let close = place.firstIndex(of: Byte.closeBracket) else {
        throw InvalidProxy("the bracket before the proxy's address is not closed")
      }
      end = close + 1
      guard end == place.endIndex || place[end] == Byte.colon else {
        throw InvalidProxy("something other than a port follows the proxy's address in brackets")
      }
    }
    let digits = place[end...].dropFirst()
    if digits.isEmpty { return (place[..<end], nil) }
    guard digits.count <= 5, digits.allSatisfy(Byte.isDigit),
      let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0
    else { throw InvalidProxy("there is no port \(String(decoding: digits.prefix(20), as: UTF8.self))") }
    return (place[..<end], port)
  }
}

extension ProxyServer.Credentials {
  /// Nil where there is neither a name nor a password.
  init?(userInformation bytes: ArraySlice<UInt8>) {
    let halves = bytes.split(separator: Byte.colon, maxSplits: 1, omittingEmptySubsequences: false)
    let user = halves.first.map { PercentCoding.decoded($0) } ?? []
    let password = halves.count == 2 ? PercentCoding.decoded(halves[1]) : []
    if user.isEmpty && password.isEmpty { return nil }
    self.init(
      user: String(decoding: user, as: UTF8.self), password: String(decoding: password, as: UTF8.self))
  }
}
