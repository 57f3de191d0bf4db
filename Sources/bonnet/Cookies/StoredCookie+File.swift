// SPDX-License-Identifier: MIT
import Bluebonnet

/// Netscape's file: seven fields with tabs between them, `#HttpOnly_` in front of those that scripts must not see.
extension StoredCookie {
  private static let hiddenMark = "#HttpOnly_"
  private static let fieldName = "set-cookie:"

  /// Takes a line of a file; nil for remarks and invalid lines. A line of a response's head is taken, too, if it names
  /// the cookie's domain.
  init?(line: Substring, now: Int) {
    var rest = line
    if rest.utf8.prefix(Self.fieldName.utf8.count).elementsEqual(
      Self.fieldName.utf8, by: { $0 | 0x20 == $1 | 0x20 })
    {
      let text = String(Substring(rest.utf8.dropFirst(Self.fieldName.utf8.count)))
      guard let domain = Self.statedDomain(of: text) else { return nil }
      self.init(setCookie: text, from: CookiePlace(scheme: "https", host: domain, path: "/"), now: now)
      return
    }
    let isHTTPOnly = rest.hasPrefix(Self.hiddenMark)
    if isHTTPOnly { rest = rest.dropFirst(Self.hiddenMark.count) }
    guard !rest.hasPrefix("#"), !rest.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
      return nil
    }
    // Empty ones are not counted; a path may be left out, and so may a value.
    var fields = ByteText.split(rest, at: "\t").filter { !$0.isEmpty }
    if fields.count > 2, ["TRUE", "FALSE"].contains(fields[2]) { fields.insert("/", at: 2) }
    if fields.count == 6 { fields.append("") }
    guard fields.count == 7, let expires = Self.seconds(fields[4]),
      ByteText.count(fields[5]) + ByteText.count(fields[6]) <= Self.sizeLimit,
      !fields[5].unicodeScalars.contains(where: { $0 == ";" || $0 == "=" }),
      !fields[6].unicodeScalars.contains(";")
    else { return nil }
    let domain = fields[0].hasPrefix(".") ? String(fields[0].dropFirst()) : fields[0]
    self.init(
      name: fields[5], value: fields[6], domain: domain,
      coversHostsBelow: fields[1].uppercased() == "TRUE",
      path: fields[2].utf8.first == UInt8(ascii: "/") ? fields[2] : "/", expires: expires)
    isSecure = fields[3].uppercased() == "TRUE"
    self.isHTTPOnly = isHTTPOnly
    guard !domain.isEmpty, satisfiesNamePrefix,
      !coversHostsBelow || domain.lowercased() == "localhost"
        || !PublicSuffixList.inUse.isPublicSuffix(domain)
    else { return nil }
  }

  /// A time beyond all others lasts for ever.
  private static func seconds(_ text: String) -> Int? {
    guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Int(text) ?? .max
  }

  private static func statedDomain(of text: String) -> String? {
    for part in ByteText.split(text, at: ";").dropFirst() {
      guard let (name, value) = ByteText.halves(part, at: "="), !value.isEmpty,
        name.trimmingCharacters(in: .whitespaces).lowercased() == "domain"
      else { continue }
      let domain = value.trimmingCharacters(in: .whitespaces)
      return domain.hasPrefix(".") ? String(domain.dropFirst()) : domain
    }
    return nil
  }

  /// Its line in a jar, without the end.
  var line: String {
    [
      (isHTTPOnly ? Self.hiddenMark : "") + (coversHostsBelow ? "." : "") + domain,
      coversHostsBelow ? "TRUE" : "FALSE", path, isSecure ? "TRUE" : "FALSE", "\(expires)", name, value,
    ].joined(separator: "\t")
  }
}
