// SPDX-License-Identifier: MIT

// The code of the article *Cookies*, word for word; `CookieExamplesTests` runs it.

import BluebonnetFoundation
import Bluebonnet

enum CookieExamples {
  static func settings(_ url: URL) async -> HTTPCookieStorage {
    let configuration = URLSessionConfiguration.ephemeral
    let cookies = HTTPCookieStorage()
    configuration.httpCookieStorage = cookies
    let session = Session(configuration: configuration)

    if let consent = HTTPCookie(properties: [
      .name: "consent", .value: "yes", .domain: "example.org", .path: "/", .secure: "TRUE",
    ]) {
      cookies.setCookie(consent)
    }
    _ = await session.request(url, method: .post, parameters: ["user": "me"]).serializingData().response
    for cookie in cookies.cookies(for: url) ?? [] {
      print(cookie.name, cookie.value, cookie.expiresDate ?? "until the session ends")
    }
    return cookies
  }

  static func keeping(_ file: URL, _ url: URL) async throws -> Int? {
    let configuration = URLSessionConfiguration.default
    let cookies = try HTTPCookieStorage(file: file, keepsSessionCookies: true)
    configuration.httpCookieStorage = cookies
    let session = Session(configuration: configuration)
    let answer = await session.request(url).serializingData().response
    try cookies.save()
    return answer.response?.statusCode
  }

  static func moving(into storage: HTTPCookieStorage, _ file: URL) throws {
    let kept = try CookieFile(contentsOf: file)
    for cookie in kept.cookies {
      storage.setCookie(cookie)
    }
    try CookieFile(cookies: storage.cookies ?? []).write(to: file)
  }

  static func suffixes() throws {
    if PublicSuffixList.inUse.source == .builtIn {
      print(PublicSuffixList.inUse.problem ?? "built-in rules were asked for")
    }
    try PublicSuffixList.use(fileAt: "/srv/lists/public_suffix_list.dat")
  }

  static func netrc() throws -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.default
    configuration.netrc = try Netrc(contentsOf: Netrc.defaultFile)
    return configuration
  }
}
