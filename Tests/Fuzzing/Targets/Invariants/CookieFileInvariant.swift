// SPDX-License-Identifier: MIT

// A file of cookies may hold anything. What is read of it is a cookie that can be sent and is written so that it is read again.

import Bluebonnet
@testable import BluebonnetHTTP1
@testable import BluebonnetSemantics

@testable import BluebonnetURLLoading

enum CookieFileInvariant {
  private static let now = 1_700_000_000.0

  private static func read(_ file: [UInt8]) -> NetscapeCookies.Reading {
    NetscapeCookies.read(
      file, now: now, suffixes: { .builtIn }, canonicalHost: HostName.canonical)
  }

  static func violation(_ input: [UInt8]) -> String? {
    let isRepeated = input.first == 0xFF && input.count <= 64
    let bytes = isRepeated ? Text.repeated(input[1...], limit: 1 << 16) : input
    let reading = read(bytes)
    let lineCount = bytes.split(whereSeparator: { $0 == 10 || $0 == 13 }).count
    if reading.cookies.count + reading.unparsedLineCount > lineCount {
      return "\(reading.cookies.count) cookies and \(reading.unparsedLineCount) others of \(lineCount) lines"
    }
    var kept: [Cookie] = []
    for cookie in reading.cookies {
      if let problem = violation(cookie) { return problem }
      guard let line = NetscapeCookies.line(cookie, now: now) else { continue }
      var again = cookie
      // What the form has no place for.
      again.sameSite = nil
      again.expires = again.expires.map { min($0, 253_402_300_799) }
      // Of ASCII it does not matter by which encoding it was read: that of the whole line.
      if (again.name + again.value + again.path).utf8.allSatisfy({ $0 < 128 }) { again.encoding = .utf8 }
      let found = read(cookie.encoding.bytes(of: line))
      if found != NetscapeCookies.Reading(cookies: [again]) { return "\(line) is read as \(found)" }
      kept.append(again)
    }
    let file = NetscapeCookies.write(
      reading.cookies, remarks: [Text.of(bytes)], keepsSessionCookies: true, now: now)
    let found = read(file)
    return found == NetscapeCookies.Reading(cookies: kept) ? nil : "\(kept) is written, and \(found) read"
  }

  private static func violation(_ cookie: Cookie) -> String? {
    if cookie.name.isEmpty, cookie.value.isEmpty { return "neither name nor value" }
    for byte in cookie.name.utf8 where byte < 32 && byte != 9 || byte == 127 || byte == 59 || byte == 61 {
      return "byte \(byte) in the name \(cookie.name)"
    }
    for byte in cookie.value.utf8 where byte < 32 && byte != 9 || byte == 127 || byte == 59 {
      return "byte \(byte) in the value \(cookie.value)"
    }
    if cookie.path.utf8.first != UInt8(ascii: "/") { return "path \(cookie.path)" }
    if (try? HostName.canonical(cookie.domain)) != cookie.domain { return "domain \(cookie.domain)" }
    if !cookie.isHostOnly, PublicSuffixRules.builtIn.covers(cookie.domain) {
      return "all of \(cookie.domain)"
    }
    if cookie.hasEnded(by: now) { return "\(cookie.name) has ended" }
    return cookie.satisfiesNamePrefix() ? nil : "\(cookie.name) does not keep its promise"
  }
}
