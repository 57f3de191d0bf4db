// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetSemantics

extension Cookie {
  /// Reads Apple's property dictionary: name, value, path, and a domain or an origin must be there. A domain covers
  /// the hosts below it only if it starts with a dot.
  init?(properties: [HTTPCookiePropertyKey: Any]) {
    let text = properties.text
    let origin = properties.url(.originURL)
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
    expires = properties.expiry?.timeIntervalSince1970
    isSecure = Self.flag(text(.secure))
    isHTTPOnly = Self.flag(text(.httpOnly))
    sameSite = text(.sameSitePolicy)?.asciiLowercased
    ports = text(.port).map { $0.split(separator: ",").compactMap { Int($0.trimmingOptionalWhitespace) } }
  }

  fileprivate static func flag(_ text: String?) -> Bool {
    guard let text = text?.asciiLowercased else { return false }
    return !["", "false", "no", "0"].contains(text)
  }
}

extension HTTPCookie.Remarks {
  init(properties: [HTTPCookiePropertyKey: Any]) {
    expires = properties.expiry
    comment = properties.text(.comment)
    commentURL = properties.url(.commentURL)
    version = properties.text(.version).flatMap { Int($0) } ?? (properties[.maximumAge] == nil ? 0 : 1)
  }
}

extension [HTTPCookiePropertyKey: Any] {
  fileprivate func text(_ key: HTTPCookiePropertyKey) -> String? {
    self[key].map { ($0 as? String) ?? "\($0)" }
  }

  fileprivate func url(_ key: HTTPCookiePropertyKey) -> URL? {
    (self[key] as? URL) ?? (self[key] as? String).flatMap { URL(string: $0) }
  }

  /// A cookie that is to be discarded ends with the session, whatever else is said.
  fileprivate var expiry: Date? {
    if Cookie.flag(text(.discard)) { return nil }
    if let age = self[.maximumAge], let seconds = Double("\(age)") {
      return seconds <= 0 ? .distantPast : Date().addingTimeInterval(seconds)
    }
    if let date = self[.expires] as? Date { return date }
    return (self[.expires] as? String).flatMap { CookieDate.parse($0) }.map {
      Date(timeIntervalSince1970: Double($0))
    }
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
