// SPDX-License-Identifier: MIT
import Bluebonnet

/// A cookie as it was set or read: its domain and path in their own spelling, which a jar shows again.
struct StoredCookie: Equatable, Sendable {
  var name: String
  var value: String
  /// Without a dot in front.
  var domain: String
  /// Whether hosts below the domain are meant, too.
  var coversHostsBelow: Bool
  /// As it was stated; without a statement the request's up to its last slash.
  var path: String
  /// Seconds since 1970; 0 for the end of the session.
  var expires: Int
  var isSecure = false
  var isHTTPOnly = false
  /// A server has set it since the program began.
  var isOfServer = false
  /// Numbers cookies in the order in which they came.
  var number = 0

  /// The most bytes of a name and its value together (RFC 6265bis §5.6).
  static let sizeLimit = 4_096

  /// The path that requests are compared with: without a slash at its end.
  var comparedPath: String { path.utf8.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path }

  func hasEnded(by now: Int) -> Bool { expires != 0 && expires <= now }

  /// Whether a request carries it.
  func goes(to place: CookiePlace) -> Bool {
    guard !isSecure || place.isSafe else { return false }
    let host = place.host.lowercased()
    let domain = domain.lowercased()
    guard coversHostsBelow && !place.isAddress ? Self.host(host, isWithin: domain) : host == domain else {
      return false
    }
    // RFC 6265 §5.1.4.
    let own = comparedPath
    let path = place.path
    return own == path
      || path.hasPrefix(own) && (own.hasSuffix("/") || path.dropFirst(own.count).first == "/")
  }

  /// RFC 6265 §5.1.3; both in lower case.
  static func host(_ host: String, isWithin domain: String) -> Bool {
    host == domain || host.hasSuffix("." + domain)
  }

  /// The prefix of its name (RFC 6265bis §4.1.3).
  var satisfiesNamePrefix: Bool {
    let shown = name.lowercased()
    if shown.hasPrefix("__host-") { return isSecure && path == "/" && !coversHostsBelow }
    return !shown.hasPrefix("__secure-") || isSecure
  }
}

extension CookiePlace {
  /// Whether the session's rules take the value of a `Set-Cookie` from here: all but that for SameSite. It is about pages,
  /// and curl does not know it.
  func mayBeSet(by line: String, now: Int) -> Bool {
    let parts = ByteText.split(line, at: ";").compactMap { part -> String? in
      let name = ByteText.halves(part, at: "=")?.before ?? part
      switch name.trimmingCharacters(in: .whitespaces).lowercased() {
      case "samesite": return nil
      // A letter in it could make a host of an invalid one.
      case "domain": return part
      // It counts bytes, and which of these it is does not matter to it.
      default: return ByteText.measurable(part)
      }
    }
    let line = parts.joined(separator: ";")
    return url.flatMap {
      HTTPCookie(setCookie: line, from: $0, now: Date(timeIntervalSince1970: Double(now)))
    } != nil
  }
}

/// The target of a request, as far as cookies are concerned.
struct CookiePlace: Equatable, Sendable {
  /// In the user's spelling, without brackets.
  let host: String
  /// Without the query.
  let path: String
  /// Safe from eavesdroppers on the way: TLS, or this machine.
  let isSafe: Bool
  let isAddress: Bool
  /// A setter of cookies.
  private let url: URL?

  init(scheme: String, host: String, path: String) {
    var name = host[...]
    if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
    self.host = String(name)
    self.path = path
    let literal = name.contains(":") ? "[\(name)]" : String(name)
    url = URL(string: "\(scheme)://\(literal)\(path)") ?? URL(string: "\(scheme)://\(literal)/")
    isAddress =
      name.contains(":")
      || name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { UInt8($0) != nil }
    isSafe = scheme == "https" || ["127.0.0.1", "::1", "localhost"].contains(name.lowercased())
  }
}
