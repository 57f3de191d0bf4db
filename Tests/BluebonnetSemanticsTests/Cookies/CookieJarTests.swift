// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

@Suite struct CookieJarTests {
  private func target(_ url: String) throws -> TargetURI { try TargetURI(url) { $0 } }

  private func cookie(_ name: String, _ domain: String, expires: Double? = nil, path: String = "/") -> Cookie
  {
    var cookie = Cookie(name: name, value: "v", domain: domain, isHostOnly: false, path: path)
    cookie.expires = expires
    return cookie
  }

  @Test func longerPathsAndOlderCookiesGoFirst() throws {
    var jar = CookieJar()
    for (name, path) in [("root", "/"), ("deep", "/a/b"), ("old", "/a"), ("new", "/a")] {
      jar.store(cookie(name, "a.test", path: path), now: 0)
    }
    #expect(
      jar.cookies(for: try target("http://a.test/a/b"), now: 0).map(\.name) == ["deep", "old", "new", "root"])
    jar.store(cookie("old", "a.test", path: "/a"), now: 1)
    #expect(jar.cookies(for: try target("http://a.test/a"), now: 1).map(\.name) == ["old", "new", "root"])
  }

  @Test func aCookieEndsAtItsMoment() throws {
    var jar = CookieJar()
    jar.store(cookie("a", "a.test", expires: 100), now: 0)
    #expect(jar.cookies(for: try target("http://a.test/"), now: 99).count == 1)
    #expect(jar.cookies(for: try target("http://a.test/"), now: 100).isEmpty)
    #expect(jar.all(now: 100).isEmpty)
    #expect(jar.isEmpty)
  }

  @Test func onlyTheOriginsThatAreCoveredGetIt() throws {
    var jar = CookieJar()
    var narrow = cookie("narrow", "a.test")
    narrow.isHostOnly = true
    var secure = cookie("secure", "a.test")
    secure.isSecure = true
    var ported = cookie("ported", "a.test")
    ported.ports = [81]
    for cookie in [narrow, secure, ported, cookie("wide", "a.test")] { jar.store(cookie, now: 0) }
    for (url, names) in [
      ("http://a.test/", ["narrow", "wide"]), ("https://a.test/", ["narrow", "secure", "wide"]),
      ("http://b.a.test/", ["wide"]), ("http://b.a.test:81/", ["ported", "wide"]), ("http://test/", []),
    ] {
      #expect(jar.cookies(for: try target(url), now: 0).map(\.name) == names, "\(url)")
    }
  }

  @Test func aDomainHoldsItsLimitAndForgetsWhatWasUsedLeast() throws {
    var jar = CookieJar()
    let limit = CookieJar.domainLimit
    for number in 0..<limit { jar.store(cookie("c\(number)", "a.test", path: "/\(number)"), now: 0) }
    // The first one is used, so the second is the one that was not for longest.
    _ = jar.cookies(for: try target("http://a.test/0"), now: 0)
    jar.store(cookie("more", "a.test"), now: 0)
    let names = jar.all(now: 0).map(\.name)
    #expect(names.count == limit)
    #expect(names.contains("c0") && !names.contains("c1") && names.contains("more"))
  }

  @Test func allDomainsHoldTheirLimit() {
    var jar = CookieJar()
    for number in 0..<(CookieJar.totalLimit + 10) {
      jar.store(cookie("c", "h\(number).test"), now: 0)
    }
    let domains = jar.all(now: 0).map(\.domain)
    #expect(domains.count == CookieJar.totalLimit)
    #expect(!domains.contains("h9.test") && domains.contains("h10.test"))
  }

  @Test func cookiesAreRemovedByWhenTheyCame() {
    var jar = CookieJar()
    for number in 0..<10 { jar.store(cookie("c\(number)", "a.test"), now: Double(number)) }
    jar.remove { _, created in created > 4 }
    #expect(jar.all(now: 20).map(\.name) == ["c0", "c1", "c2", "c3", "c4"])
  }

  /// Names are bytes: these two are equal as characters.
  @Test func namesAreComparedByteByByte() {
    var jar = CookieJar()
    for name in ["\u{E9}", "e\u{301}", "\u{E9}", "E"] { jar.store(cookie(name, "a.test"), now: 0) }
    #expect(jar.all(now: 0).count == 3)
  }
}
