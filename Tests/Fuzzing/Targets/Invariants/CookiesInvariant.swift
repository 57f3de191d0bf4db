// SPDX-License-Identifier: MIT

// Any `Set-Cookie` value gives a cookie that its sender may set or none, at bounded cost.

import Bluebonnet
@testable import BluebonnetHTTP1
@testable import BluebonnetSemantics

@testable import BluebonnetURLLoading

/// Besides: what is sent back can't be taken for anything but that one cookie.
enum CookiesInvariant {
  static let senders = [
    "https://www.example.com/docs/index.html?q", "http://a.example.co.uk/", "http://127.0.0.1:8080/x/y",
    "https://localhost/", "http://[::1]/", "https://example.org",
  ].compactMap { URL(string: $0) }
  static let now = Date(timeIntervalSince1970: 1_700_000_000)

  static func violation(_ input: [UInt8]) -> String? {
    guard let selector = input.first else { return nil }
    let isRepeated = selector == 0xFF && input.count <= 16
    let bytes = isRepeated ? Text.repeated(input[1...], limit: 1 << 16) : Array(input[1...])
    let line = Text.of(bytes)
    let url = senders[Int(selector) % senders.count]
    guard let target = try? TargetURI.of(url) else { return "\(url) is no target" }
    if let cookie = HTTPCookie(setCookie: line, from: url, now: now) {
      if let problem = violation(cookie, target, url) { return problem }
    }
    let pieces = Cookie.split(line)
    if !pieces.joined(separator: ",").utf8.elementsEqual(line.utf8) {
      return "the cookies of \(line) are not it"
    }
    let cookies = HTTPCookie.cookies(withResponseHeaderFields: ["set-cookie": line], for: url)
    if cookies.count > pieces.count { return "\(cookies.count) cookies of \(pieces.count) pieces" }
    for cookie in cookies.prefix(16) {
      if let problem = violation(cookie, target, url) { return problem }
    }
    let seconds = Int(now.timeIntervalSince1970)
    if let date = HTTPDate.parse(line, now: seconds) {
      let text = HTTPDate.format(date)
      if HTTPDate.parse(text, now: seconds) != date { return "\(line) is written as \(text)" }
    }
    return nil
  }

  private static func violation(_ cookie: HTTPCookie, _ target: TargetURI, _ url: URL) -> String? {
    let fields = cookie.cookie
    if fields.name.isEmpty, fields.value.isEmpty { return "neither name nor value" }
    if fields.name.utf8.count + fields.value.utf8.count > 4096 { return "\(fields.name) is too large" }
    for byte in fields.name.utf8 where byte < 32 && byte != 9 || byte == 127 || byte == 59 || byte == 61 {
      return "byte \(byte) in the name \(fields.name)"
    }
    for byte in fields.value.utf8 where byte < 32 && byte != 9 || byte == 127 || byte == 59 {
      return "byte \(byte) in the value \(fields.value)"
    }
    if fields.path.utf8.first != UInt8(ascii: "/") { return "path \(fields.path)" }
    if fields.path.utf8.contains(UInt8(ascii: ";")) { return "path \(fields.path)" }
    let host = target.origin.host
    if fields.isHostOnly ? fields.domain != host : !CookieScope.host(host, matches: fields.domain) {
      return "domain \(fields.domain) set by \(host)"
    }
    if fields.isSecure, !CookieScope.isSecure(target.origin) { return "secure, but sent in the clear" }
    if fields.sameSite == "none", !fields.isSecure { return "insecure, but for all sites" }
    if let expires = cookie.expiresDate,
      !expires.timeIntervalSince1970.isFinite || expires > Date().addingTimeInterval(400 * 86400)
    {
      return "expires \(expires)"
    }
    if !fields.satisfiesNamePrefix() { return "\(fields.name) does not keep its promise" }
    guard let header = HTTPCookie.header(of: [cookie])?.text else { return "no header" }
    // These ask for attributes that a request does not carry; and a value alone may look like a name and a value.
    if fields.name.utf8.starts(with: "__".utf8) || fields.name.isEmpty && fields.value.contains("=") {
      return nil
    }
    guard let again = HTTPCookie(setCookie: header, from: url, now: now) else {
      return "\(header) is no cookie"
    }
    let isSame =
      again.name.utf8.elementsEqual(fields.name.utf8) && again.value.utf8.elementsEqual(fields.value.utf8)
    return isSame ? nil : "\(header) is \(again.name), \(again.value)"
  }
}
