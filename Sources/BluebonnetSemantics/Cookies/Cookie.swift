// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// A cookie (RFC 6265bis §5.7).
package struct Cookie: Sendable, Equatable {
  /// May be empty: what a server sets without an equals sign is all value (§5.6).
  package var name: String
  package var value: String
  /// The encoding of name and value: they go back as the bytes that came (RFC 6265 §5.4).
  package var encoding = FieldValue.Encoding.utf8
  /// In the canonical form of hosts, without a dot in front.
  package var domain: String
  /// Whether hosts below the domain are excluded.
  package var isHostOnly: Bool
  package var path: String
  /// The end of the cookie, in seconds since the start of 1970; nil for the end of the session.
  package var expires: Double?
  package var isSecure = false
  package var isHTTPOnly = false
  /// In lower case: `strict`, `lax`, or `none` where the server has said so; nil by default.
  package var sameSite: String?
  /// The ports that the cookie is sent to; nil for all.
  package var ports: [Int]?

  package init(name: String, value: String, domain: String, isHostOnly: Bool, path: String) {
    self.name = name
    self.value = value
    self.domain = domain
    self.isHostOnly = isHostOnly
    self.path = path
  }

  /// One cookie takes the place of another with the same name, domain and path (§5.7, step 23), byte by byte: servers tell
  /// an accent from a letter that has one.
  package borrowing func hasSameIdentity(as other: borrowing Cookie) -> Bool {
    isHostOnly == other.isHostOnly && name.hasSameBytes(as: other.name)
      && (encoding == other.encoding || name.utf8.allSatisfy { $0 < 0x80 })
      && path.hasSameBytes(as: other.path) && domain == other.domain
  }

  package func hasEnded(by now: Double) -> Bool { expires.map { $0 <= now } ?? false }

  /// Whether the server allows the cookie on requests that other sites cause. Where it has said nothing, yes: what
  /// browsers assume protects people from pages, and there are none here.
  package var goesAcrossSites: Bool { sameSite == nil || sameSite == "none" }

  /// The bytes of name and value that a client has to take, and more than which it must refuse (§5.6, step 5).
  package static let sizeLimit = 4096

  /// Whether the cookie satisfies the prefix of its name, which tells a server where it was set (§4.1.3). Names are
  /// compared without regard to case, because servers look them up that way; and of a cookie without a name, the value is
  /// what a server takes for one (§5.7, steps 20 to 22).
  ///
  /// - Parameter hasStatedPath: Whether the server has stated the path, which `__Host-` asks for.
  package func satisfiesNamePrefix(hasStatedPath: Bool = true) -> Bool {
    let shown = name.isEmpty ? value : name
    guard shown.utf8.first == UInt8(ascii: "_") else { return true }
    let hasHostPrefix = shown.hasPrefix(ignoringCase: "__Host-")
    guard hasHostPrefix || shown.hasPrefix(ignoringCase: "__Secure-") else { return true }
    guard !name.isEmpty, isSecure else { return false }
    return !hasHostPrefix || isHostOnly && hasStatedPath && path == "/"
  }
}

extension String {
  fileprivate func hasPrefix(ignoringCase prefix: String) -> Bool {
    utf8.count >= prefix.utf8.count
      && Substring(utf8.prefix(prefix.utf8.count)).equalsIgnoringASCIICase(prefix)
  }
}

extension Cookie {
  /// The value of `Cookie` (RFC 6265bis §5.8.3, step 4), or nil for no cookies. A cookie without a name is its value alone.
  package static func header(of cookies: [Cookie]) -> FieldValue? {
    guard !cookies.isEmpty else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(cookies.reduce(0) { $0 + headerLength(of: $1) })
    for cookie in cookies { cookie.write(to: &bytes) }
    return FieldValue(bytes: bytes)
  }

  /// The bytes that a cookie takes of a field, and sometimes a few more.
  static func headerLength(of cookie: borrowing Cookie) -> Int {
    cookie.name.utf8.count + cookie.value.utf8.count + 3
  }

  /// Appends the cookie to a field that may have others.
  borrowing func write(to bytes: inout [UInt8]) {
    if !bytes.isEmpty { bytes.append(contentsOf: "; ".utf8) }
    guard encoding == .utf8 else {
      let text = name.isEmpty ? value : "\(name)=\(value)"
      bytes.append(contentsOf: encoding.bytes(of: text))
      return
    }
    if !name.isEmpty {
      bytes.append(contentsOf: name.utf8)
      bytes.append(Byte.equals)
    }
    bytes.append(contentsOf: value.utf8)
  }
}
