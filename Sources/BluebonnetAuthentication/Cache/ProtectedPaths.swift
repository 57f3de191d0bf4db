// SPDX-License-Identifier: MIT
import BluebonnetSemantics

/// The extent of a protection space.
enum ProtectedPaths {
  /// The paths of the space that an answer has opened a target of. The empty one covers all of the server.
  static func paths(
    of offer: AuthenticationOffer, _ origin: WebOrigin, _ side: AuthenticationSide, at target: String
  ) -> [String] {
    // RFC 7616 §3.3: a proxy's space is the whole proxy.
    if side == .proxy { return [""] }
    switch offer.scheme {
    case .basic: return [directory(of: target)]
    case .digest:
      guard let domain = offer.digest?.domain, !domain.isEmpty else { return [""] }
      // Other servers of the domain would be shown what this one has asked for: they have to ask themselves.
      let own = domain.compactMap { path($0, within: origin) }
      return own.isEmpty ? [directory(of: target)] : own
    case .bearer, .ntlm, .negotiate: return [""]
    }
  }

  /// Whether a target is a path, or below it. `/a` covers `/a/b` and `/a?b`, but not `/ab`.
  static func path(_ path: String, covers target: String) -> Bool {
    guard target.utf8.starts(with: path.utf8) else { return false }
    if path.isEmpty || path.utf8.last == UInt8(ascii: "/") { return true }
    let next = target.utf8.dropFirst(path.utf8.count).first
    return next == nil || next == UInt8(ascii: "/") || next == UInt8(ascii: "?")
  }

  /// RFC 7617 §2.2: everything at or below the last slash of the path.
  private static func directory(of target: String) -> String {
    let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
    let end = path.lastIndex(of: UInt8(ascii: "/")).map { path.index(after: $0) } ?? path.endIndex
    return String(target[..<end])
  }

  /// The path that an address of the domain names at this origin; nil if it is another's.
  private static func path(_ address: String, within origin: WebOrigin) -> String? {
    if address.utf8.first == UInt8(ascii: "/"), !address.utf8.dropFirst().starts(with: "/".utf8) {
      return address
    }
    guard let target = try? TargetURI(address, canonicalHost: { $0.asciiLowercased }), target.origin == origin
    else { return nil }
    return target.path
  }
}
