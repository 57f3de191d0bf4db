// SPDX-License-Identifier: MIT
import Bluebonnet

extension StoredCookie {
  /// Longer lines are none.
  private static let lineLimit = 5_000

  /// Takes the value of a `Set-Cookie` (RFC 6265 §5.2, §5.3), with the leniency of curl in dates; nil where it is no cookie, or
  /// one that the place may not set.
  ///
  /// - Parameters:
  ///   - place: Where it came from.
  ///   - now: Seconds since 1970.
  init?(setCookie line: String, from place: CookiePlace, now: Int) {
    // What the session would not keep, is not kept here: what follows is about the file, and narrower.
    guard ByteText.count(line) <= Self.lineLimit, place.mayBeSet(by: line, now: now) else { return nil }
    // Scalars decide, as bytes do for the session and the server.
    let parts = ByteText.split(line, at: ";").map(Self.pair)
    guard let first = parts.first, let value = first.value, !first.name.isEmpty,
      Self.isShortEnough(first.name, value),
      // A control character could end the field of a later request, or the line of a jar.
      !(first.name + value).utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
    else { return nil }
    let directory = place.path.lastIndex(of: "/").map { String(place.path[...$0]) } ?? "/"
    self.init(
      name: first.name, value: value, domain: place.host, coversHostsBelow: false, path: directory, expires: 0
    )
    var maximumAge: Int?
    for (name, value) in parts.dropFirst() {
      switch name.lowercased() {
      case "secure":
        guard place.isSafe else { return nil }
        isSecure = true
      case "httponly": isHTTPOnly = true
      case "path":
        // §5.2.4: text that is no path is as good as none.
        if let value, value.utf8.first == UInt8(ascii: "/") { path = value }
      case "domain":
        guard let value, !value.isEmpty else { continue }
        guard take(domain: value, from: place) else { return nil }
      case "max-age": maximumAge = value.flatMap { Self.end(afterSeconds: $0, now: now) } ?? maximumAge
      case "expires":
        // Of several the last counts (§5.3, step 3). Text that is no date is none; the end of the session, if there is no other.
        if let value, let date = DateText.seconds(value) { expires = max(date, 1) }
      default: break
      }
    }
    if let maximumAge { expires = maximumAge }
    guard !path.unicodeScalars.contains("\t"), satisfiesNamePrefix else { return nil }
  }

  /// In bytes, together and alone.
  private static func isShortEnough(_ name: String, _ value: String) -> Bool {
    let (name, value) = (ByteText.count(name), ByteText.count(value))
    return name + value <= sizeLimit && max(name, value) < sizeLimit - 1
  }

  private static func pair(_ part: String) -> (name: String, value: String?) {
    guard let (name, value) = ByteText.halves(part, at: "=") else { return (ByteText.trimmed(part), nil) }
    return (ByteText.trimmed(name), ByteText.trimmed(value))
  }

  /// - Returns: false if the place may not set cookies there.
  private mutating func take(domain stated: String, from place: CookiePlace) -> Bool {
    let name = stated.hasPrefix(".") ? String(stated.dropFirst()) : stated
    let host = place.host.lowercased()
    if place.isAddress { return name == place.host }
    guard Self.host(host, isWithin: name.lowercased()), name.contains(".") || host == "localhost" else {
      return false
    }
    domain = name
    coversHostsBelow = true
    guard host != "localhost", PublicSuffixList.inUse.isPublicSuffix(name) else { return true }
    // A site on a public suffix itself gets a cookie of its own (§5.3, step 5).
    coversHostsBelow = false
    return host == name.lowercased()
  }

  /// A number that is not positive is over at once (§5.2.2); nil for text that is no number.
  private static func end(afterSeconds text: String, now: Int) -> Int? {
    let digits = text.hasPrefix("\"") ? text.dropFirst() : text[...]
    let number = digits.prefix { $0 == "-" || $0.isASCII && $0.isNumber }
    guard !number.isEmpty else { return nil }
    guard let seconds = Int(number) else { return number.hasPrefix("-") ? 1 : .max }
    if seconds <= 0 { return 1 }
    let (end, overflows) = now.addingReportingOverflow(seconds)
    return overflows ? .max : end
  }
}
