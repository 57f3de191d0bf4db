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
    "", ";", "=b", "novalue", "a=b\u{1}", "a=b\r\nX: y", "a=b\u{7F}", "a=b; Domain=other.org",
    "a=b; Domain=org",
    "a=b; Domain=w.example.org", "a=b; Domain=ample.org", "__Secure-a=b", "__Host-a=b; Secure",
    "__Host-a=b; Secure; Path=/; Domain=example.org", "a=b; Domain=a.www.example.org",
  ])
  func whatIsNoCookieOfThisHostIsRefused(_ line: String) throws {
    #expect(try cookie(line) == nil)
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
  ])
  func sitesAreRegisteredDomains(_ host: String, _ other: String, _ isSame: Bool) {
    #expect(CookieScope.isSameSite(host, other) == isSame)
  }

  @Test(arguments: [
    ("com", true), ("co.uk", true), ("example.com", false), ("a.co.uk", false), ("com.au", true), ("", true),
    ("co.com", false), ("github.io", false),
  ])
  func publicSuffixesAreToldByRule(_ domain: String, _ covered: Bool) {
    #expect(PublicSuffix.covers(domain) == covered)
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
