import BluebonnetFoundation

extension HTTPCookie.Fields {
  /// Reads Apple's property dictionary: name, value, path, and a domain or an origin must be there. A domain covers
  /// the hosts below it only if it starts with a dot.
  init?(properties: [HTTPCookiePropertyKey: Any]) {
    func text(_ key: HTTPCookiePropertyKey) -> String? {
      properties[key].map { ($0 as? String) ?? "\($0)" }
    }
    let origin = Self.url(properties[.originURL])
    guard let name = text(.name), !name.isEmpty, let value = text(.value), let path = text(.path),
      let domain = text(.domain) ?? origin?.host(percentEncoded: false),
      ![name, value, path, domain].contains(where: {
        $0.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0x3B }
      })
    else { return nil }
    let stated = String(domain.drop { $0 == "." })
    guard !stated.isEmpty else { return nil }
    let plain = (try? HostName.canonical(stated)) ?? stated.asciiLowercased
    self.init(name: name, value: value, domain: plain, isHostOnly: !domain.hasPrefix("."), path: path)
    version = text(.version).flatMap { Int($0) } ?? (properties[.maximumAge] == nil ? 0 : 1)
    expires = Self.expiry(properties, version: version)
    isSecure = Self.flag(text(.secure))
    isHTTPOnly = Self.flag(text(.httpOnly))
    sameSite = text(.sameSitePolicy).map { HTTPCookieStringPolicy(rawValue: $0.asciiLowercased) }
    comment = text(.comment)
    commentURL = Self.url(properties[.commentURL])
    ports = text(.port).map { $0.split(separator: ",").compactMap { Int($0.trimmingOptionalWhitespace) } }
  }

  private static func url(_ value: Any?) -> URL? {
    (value as? URL) ?? (value as? String).flatMap { URL(string: $0) }
  }

  private static func flag(_ text: String?) -> Bool {
    guard let text = text?.asciiLowercased else { return false }
    return !["", "false", "no", "0"].contains(text)
  }

  private static func expiry(_ properties: [HTTPCookiePropertyKey: Any], version: Int) -> Date? {
    if let age = properties[.maximumAge], let seconds = Double("\(age)") {
      return seconds <= 0 ? .distantPast : Date().addingTimeInterval(seconds)
    }
    if let date = properties[.expires] as? Date { return date }
    return (properties[.expires] as? String).flatMap { CookieDate.parse($0) }
  }
}

extension HTTPCookie {
  /// The properties that the cookie can be made from again.
  public var properties: [HTTPCookiePropertyKey: Any]? {
    var result: [HTTPCookiePropertyKey: Any] = [
      .name: name, .value: value, .domain: domain, .path: path, .version: "\(version)",
    ]
    result[.expires] = expiresDate
    if isSecure { result[.secure] = "TRUE" }
    if isHTTPOnly { result[.httpOnly] = "TRUE" }
    if isSessionOnly { result[.discard] = "TRUE" }
    result[.sameSitePolicy] = sameSitePolicy?.rawValue
    result[.comment] = comment
    result[.commentURL] = commentURL
    result[.port] = portList.map { $0.map(String.init).joined(separator: ",") }
    return result
  }
}
