// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

@Suite struct CookieTests {
  private static let now = 1_700_000_000.0

  private func cookie(_ line: String, from url: String = "https://www.example.org/a/b?c") throws -> Cookie? {
    let target = try TargetURI(url) { $0.lowercased() }
    return Cookie(setCookie: line[...], from: target, now: Self.now) { $0.lowercased() }
  }

  @Test func everyAttributeIsRead() throws {
    let cookie = try #require(
      try cookie("sid=31d4; Path=/p; Domain=Example.org; Secure; HttpOnly; Max-Age=60; SameSite=Strict; X=y"))
    var expected = Cookie(name: "sid", value: "31d4", domain: "example.org", isHostOnly: false, path: "/p")
    expected.expires = Self.now + 60
    expected.isSecure = true
    expected.isHTTPOnly = true
    expected.sameSite = "strict"
    #expect(cookie == expected)
  }

  @Test func defaultsComeFromTheTarget() throws {
    #expect(
      try cookie("a=b")
        == Cookie(name: "a", value: "b", domain: "www.example.org", isHostOnly: true, path: "/a"))
  }

  @Test(
    arguments: [
      ("0", -.infinity), ("-1", -.infinity), ("-99999999999999999999", -.infinity), ("000", -.infinity),
      ("1", 1), ("99999999999999999999999", 34_560_000), ("34560001", 34_560_000),
    ] as [(String, Double)])
  func maximumAgeGoesBeforeExpires(_ age: String, _ seconds: Double) throws {
    let cookie = try #require(try cookie("a=b; Expires=Wed, 21 Oct 2065 07:28:00 GMT; Max-Age=\(age)"))
    #expect(cookie.expires == Self.now + seconds)
    #expect(cookie.hasEnded(by: Self.now) == (seconds <= 0))
  }

  @Test(arguments: ["", "+1", "1.5", "-", "x", " "]) func anAgeThatIsNoneIsIgnored(_ age: String) throws {
    #expect(try cookie("a=b; Max-Age=\(age)")?.expires == nil)
  }

  @Test(arguments: [
    "", ";", "=", " = ", "; Secure", "a=b\u{1}", "a=b\u{0}", "a\u{0}=b", "a=b; Path=/\u{0}", "a=b\r\nX: y",
    "a=b\u{7F}", "a=b; Domain=other.org", "a=b; Domain=org", "a=b; Domain=example.org.",
    "a=b; Domain=w.example.org",
    "a=b; Domain=ample.org", "a=b; Domain=a.www.example.org", "a=b; Domain=..example.org",
    "a=b; Domain=ex%61mple.org", "a=b; Domain=ex\u{E4}mple.org", "a=b; Domain=example.org:443",
    "a=b; Path=/a\tb", "a=b; SameSite=None",
  ])
  func whatIsNoCookieOfThisHostIsRefused(_ line: String) throws {
    #expect(try cookie(line) == nil)
  }

  /// RFC 6265bis §5.6: name, value.
  @Test(arguments: [
    ("a=b", "a", "b"), ("a", "", "a"), ("=a", "", "a"), (" a ", "", "a"), ("a=", "a", ""),
    (" a = b ", "a", "b"),
    ("\ta\t=\tb\t", "a", "b"), ("a=b=c", "a", "b=c"), ("==a", "", "=a"), ("a b=c d", "a b", "c d"),
    ("a\tb=c\td", "a\tb", "c\td"), ("\"a\"=\"b;c\"", "\"a\"", "\"b"), ("a=b,c=d", "a", "b,c=d"),
    ("path=/x", "path", "/x"), ("\u{E4}=\u{F6}", "\u{E4}", "\u{F6}"),
  ])
  func aPairIsTakenApart(_ line: String, _ name: String, _ value: String) throws {
    for rest in ["", ";", "; Unknown", ";Path=/;"] {
      let cookie = try #require(try cookie(line + rest), "\(line)\(rest)")
      // Not everything with an open quote ends where it seems to.
      #expect(cookie.name == name && cookie.value == value, "\(line)\(rest)")
    }
  }

  @Test func nameAndValueHaveALimitTogether() throws {
    for nameSize in [0, 1, 2048, 4095, 4096] {
      let name = String(repeating: "n", count: nameSize)
      for excess in [0, 1] {
        let value = String(repeating: "v", count: 4096 - nameSize + excess)
        #expect((try cookie("\(name)=\(value); Path=/") == nil) == (excess == 1), "\(nameSize) \(excess)")
      }
    }
    // What surrounds them does not count.
    let spaces = String(repeating: " ", count: 5000)
    #expect(try cookie("\(spaces)a=b\(spaces); Unknown=\(spaces)x") != nil)
  }

  @Test func anAttributeWhoseValueIsTooLongIsPassedOver() throws {
    for excess in [0, 1] {
      let path = "/" + String(repeating: "p", count: 1023 + excess)
      #expect(try cookie("a=b; Path=/p; Path=\(path)")?.path == (excess == 0 ? path : "/p"))
      let age = String(repeating: "0", count: 1023 + excess) + "9"
      #expect((try cookie("a=b; Max-Age=\(age)")?.expires == nil) == (excess == 1))
      let date = "21 Oct 2033 07:28:00" + String(repeating: " ", count: 1003 + excess) + "x"
      #expect((try cookie("a=b; Expires=\(date)")?.expires == nil) == (excess == 1), "\(date.utf8.count)")
    }
    #expect(try cookie("a=b; Domain=\(String(repeating: "x", count: 1025))")?.domain == "www.example.org")
  }

  /// The attributes, and what becomes of `Path`, `Domain` and the flags.
  @Test(arguments: [
    ("", "/a", "www.example.org", true), ("Path=/", "/", "www.example.org", true),
    ("Path=", "/a", "www.example.org", true), ("Path=x", "/a", "www.example.org", true),
    ("Path=/x; Path=y", "/a", "www.example.org", true), ("Path=y; Path=/x", "/x", "www.example.org", true),
    ("path = /x ", "/x", "www.example.org", true), ("Path=\"/x\"", "/a", "www.example.org", true),
    ("Domain=example.org", "/a", "example.org", false), ("Domain=.EXAMPLE.org", "/a", "example.org", false),
    ("Domain=", "/a", "www.example.org", true), ("Domain=.", "/a", "www.example.org", true),
    ("Domain", "/a", "www.example.org", true),
    ("Domain=example.org; Domain=", "/a", "www.example.org", true),
    ("Domain=other.org; Domain=example.org", "/a", "example.org", false),
    ("Domain=www.example.org", "/a", "www.example.org", false),
  ])
  func pathAndDomainAreRead(_ attributes: String, _ path: String, _ domain: String, _ isHostOnly: Bool) throws
  {
    let cookie = try #require(try cookie("a=b; \(attributes)"))
    #expect(cookie.path == path && cookie.domain == domain && cookie.isHostOnly == isHostOnly)
  }

  @Test(arguments: ["Secure", "secure", " SECURE ", "Secure=", "Secure=false", "Secure ; x"])
  func flagsHaveNoValue(_ flag: String) throws {
    #expect(try cookie("a=b;\(flag)")?.isSecure == true)
    #expect(try cookie("a=b;\(flag.replacing("ecure", with: "ecured"))")?.isSecure == flag.hasSuffix("E "))
    #expect(try cookie("a=b; HttpOnly=x")?.isHTTPOnly == true)
  }

  @Test(arguments: [
    ("SameSite=Strict", "strict"), ("samesite=LAX", "lax"), ("SameSite=None; Secure", "none"),
    ("SameSite=x", nil), ("SameSite", nil), ("SameSite=Strict; SameSite=x", nil),
    ("SameSite=x; SameSite=Lax", "lax"),
  ])
  func sameSiteIsRead(_ attribute: String, _ expected: String?) throws {
    let cookie = try #require(try cookie("a=b; \(attribute)"))
    #expect(cookie.sameSite == expected)
    #expect(cookie.goesAcrossSites == (expected == nil || expected == "none"))
  }

  /// §5.7, steps 20 to 22.
  @Test(arguments: [
    ("__Secure-a=b; Secure", true), ("__Secure-a=b", false), ("__SECURE-a=b", false),
    ("__secure-a=b; Secure", true),
    ("__Host-a=b; Secure; Path=/", true), ("__Host-a=b; Secure", false), ("__Host-a=b; Path=/", false),
    ("__Host-a=b; Secure; Path=/a", false), ("__hOST-a=b; Secure; Path=/a", false),
    ("__Host-a=b; Secure; Path=/; Domain=example.org", false),
    ("__Host-a=b; Secure; Path=/; Domain=www.example.org", false),
    ("__Host-a=b; Secure; Path=/; Domain=", true),
    ("__Secure-a", false), ("=__Secure-a=b; Secure", false), ("__host-a; Secure; Path=/", false),
    ("=__Host-a=b; Secure; Path=/", false), ("__Secur-a=b", true), ("a__Secure-=b", true),
    ("__Secure-\u{301}a=b", false), ("__Secure=b", true),
  ])
  func prefixesKeepTheirPromise(_ line: String, _ isTaken: Bool) throws {
    #expect((try cookie(line) != nil) == isTaken)
  }

  /// The path that `__Host-` asks for has to be stated, also where the default would be the same.
  @Test func aHostPrefixNeedsAStatedPath() throws {
    #expect(try cookie("__Host-a=b; Secure", from: "https://example.org/") == nil)
    #expect(try cookie("__Host-a=b; Secure; Path=/", from: "https://example.org/") != nil)
  }

  @Test(arguments: [
    ("https://example.org/", true), ("wss://example.org/", true), ("http://example.org/", false),
    ("http://localhost:8080/", true), ("http://127.0.0.1/", true), ("http://[::1]/", true),
    ("http://a.localhost/", false), ("http://127.0.0.2/", false),
  ])
  func onlyASecureOriginMakesSecureCookies(_ url: String, _ isTaken: Bool) throws {
    let target = try TargetURI(url) { $0 == "[::1]" ? "::1" : $0 }
    let cookie = Cookie(setCookie: "a=b; Secure", from: target, now: 0) { $0 }
    #expect((cookie != nil) == isTaken)
  }

  /// An address is no domain: a cookie of it is its own.
  @Test(arguments: ["127.0.0.1", "10.1.2.3"]) func addressesKeepTheirCookies(_ host: String) throws {
    let url = "http://\(host)/"
    #expect(try cookie("a=b; Domain=\(host)", from: url)?.isHostOnly == true)
    #expect(try cookie("a=b; Domain=.\(host)", from: url)?.isHostOnly == true)
    #expect(try cookie("a=b; Domain=\(host.dropFirst(3))", from: url) == nil)
    #expect(try cookie("a=b; Domain=1", from: url) == nil)
  }

  /// §5.5: also what states a date.
  @Test func noCookieLivesLongerThan400Days() throws {
    let limit = Self.now + 34_560_000
    #expect(try cookie("a=b; Expires=Fri, 31 Dec 9999 23:59:59 GMT")?.expires == limit)
    #expect(try cookie("a=b; Expires=\(HTTPDate.format(Int(limit) - 1))")?.expires == limit - 1)
    #expect(try cookie("a=b; Expires=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Expires=y")?.expires == 0)
  }

  @Test func aDomainThatIsNoHostIsRefused() throws {
    struct NoHost: Error {}
    let target = try TargetURI("http://a.test/") { $0 }
    let cookie = Cookie(setCookie: "a=b; Domain=x", from: target, now: 0) { _ throws in throw NoHost() }
    #expect(cookie == nil)
  }

  @Test(arguments: [
    ("www.example.org", "example.org", true), ("example.org", "example.org", true),
    ("badexample.org", "example.org", false), ("example.org", "www.example.org", false),
    ("127.0.0.1", "0.0.1", false), ("::1", "::1", true), ("a.b", "b", true),
  ])
  func hostsMatchDomains(_ host: String, _ domain: String, _ matches: Bool) {
    #expect(CookieScope.host(host, matches: domain) == matches)
  }

  @Test(arguments: [
    ("/a/b", "/a/b", true), ("/a/bc", "/a/b", false), ("/a/b/c", "/a/b", true), ("/a/b?c", "/a/b", true),
    ("/a", "/a/", false), ("/a/", "/a/", true), ("/", "/", true), ("/x?/a", "/x/", false),
  ])
  func pathsMatchPrefixes(_ path: String, _ prefix: String, _ matches: Bool) {
    #expect(CookieScope.path(path, matches: prefix) == matches)
  }

  @Test(arguments: [
    ("www.example.org", "example.org", true), ("a.shop.co.uk", "shop.co.uk", true),
    ("shop.co.uk", "mall.co.uk", false), ("127.0.0.1", "127.0.0.2", false), ("localhost", "localhost", true),
    ("co.uk", "co.uk", true), ("co.uk", "shop.co.uk", false), ("a.com", "b.com", false),
    ("com", "org", false),
  ])
  func sitesAreRegisteredDomains(_ host: String, _ other: String, _ isSame: Bool) {
    #expect(CookieScope.isSameSite(host, other, suffixes: .builtIn) == isSame)
  }

  @Test func aCookieWithoutANameIsSentAsItsValue() throws {
    let cookies = try ["a=b", "c", "d=", "=e=f"].map { try #require(try cookie($0)) }
    #expect(Cookie.header(of: cookies) == "a=b; c; d=; e=f")
    #expect(Cookie.header(of: [Cookie]()) == nil)
  }

  @Test func linesThatWereJoinedAreTakenApart() {
    #expect(
      Cookie.split("a=b; Expires=Wed, 21 Oct 2065 07:28:00 GMT, c=d; Path=/,e=f").map {
        $0.trimmingOptionalWhitespace
      }
        == ["a=b; Expires=Wed, 21 Oct 2065 07:28:00 GMT", "c=d; Path=/", "e=f"])
    #expect(Cookie.split("").count == 1)
  }
}
