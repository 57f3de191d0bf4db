// SPDX-License-Identifier: MIT
import BluebonnetURLLoading
import Testing

@Suite struct HTTPCookieTests {
  private let now = Date(timeIntervalSince1970: 1_700_000_000)

  private func cookie(_ line: String, from url: String = "https://www.example.org/a/b?c") throws
    -> HTTPCookie?
  {
    HTTPCookie(setCookie: line, from: try #require(URL(string: url)), now: now)
  }

  @Test func everyAttributeIsRead() throws {
    let line =
      "sid=31d4; Path=/p; Domain=Example.org; Secure; HttpOnly; Max-Age=60; SameSite=Strict; Unknown=x"
    let cookie = try #require(try cookie(line))
    #expect(cookie.name == "sid")
    #expect(cookie.value == "31d4")
    #expect(cookie.path == "/p")
    #expect(cookie.domain == ".example.org")
    #expect(cookie.isSecure)
    #expect(cookie.isHTTPOnly)
    #expect(cookie.sameSitePolicy == .sameSiteStrict)
    #expect(cookie.expiresDate == now.addingTimeInterval(60))
    #expect(!cookie.isSessionOnly)
  }

  @Test func defaultsComeFromTheAddress() throws {
    let cookie = try #require(try cookie("a=b"))
    #expect(cookie.domain == "www.example.org")
    #expect(cookie.path == "/a")
    #expect(cookie.isSessionOnly)
    #expect(!cookie.isSecure && !cookie.isHTTPOnly)
    #expect(cookie.sameSitePolicy == nil)
  }

  @Test(arguments: [
    ("a=b", "a", "b"), (" a = b ; Path=/", "a", "b"), ("a=", "a", ""), ("a=b=c", "a", "b=c"),
    ("a=\"quoted\"", "a", "\"quoted\""), ("a=ü", "a", "ü"), ("a=b c", "a", "b c"), ("=b", "", "b"),
    ("novalue", "", "novalue"),
    // A server splits `Cookie` at bytes, whatever accents stand behind them; U+037E only looks like a semicolon.
    ("a=b;\u{301}c=d", "a", "b"), ("a=\u{301}b=c", "a", "\u{301}b=c"), ("a=b\u{37E}c", "a", "b\u{37E}c"),
  ])
  func namesAndValuesAreTrimmedAndKept(_ line: String, _ name: String, _ value: String) throws {
    let cookie = try #require(try cookie(line))
    #expect(cookie.name == name)
    #expect(cookie.value == value)
  }

  @Test(arguments: [
    "", ";", "=", "a=b\u{0}", "a=b\u{1}", "a=b\r\nX: y", "a=b; Domain=other.org", "a=b; Domain=org",
    "a=b; Domain=w.example.org", "a=b; Domain=ample.org", "__Secure-a=b", "__Host-a=b; Secure",
    "__Host-a=b; Secure; Path=/; Domain=example.org", "__Secure-\u{301}a=b",
  ])
  func whatIsNoCookieOfThisHostIsRefused(_ line: String) throws {
    #expect(try cookie(line) == nil)
  }

  @Test func aCookieThatIsTooLargeIsRefused() throws {
    #expect(try cookie("a=" + String(repeating: "x", count: 4095) + "; Path=/") != nil)
    #expect(try cookie("a=" + String(repeating: "x", count: 4096)) == nil)
  }

  @Test(arguments: [
    ("__Secure-a=b; Secure", true), ("__Host-a=b; Secure; Path=/", true), ("a=b; Domain=.example.org", true),
    ("a=b; Domain=", true), ("a=b; Path=relative", true),
  ])
  func theseAreTaken(_ line: String, _ taken: Bool) throws {
    #expect((try cookie(line) != nil) == taken)
  }

  @Test func publicSuffixesTakeNoCookiesOfTheirSites() throws {
    #expect(try cookie("a=b; Domain=co.uk", from: "http://shop.co.uk/") == nil)
    #expect(try cookie("a=b; Domain=shop.co.uk", from: "http://www.shop.co.uk/")?.domain == ".shop.co.uk")
    #expect(try cookie("a=b; Domain=localhost", from: "http://localhost/")?.domain == "localhost")
    #expect(try cookie("a=b; Domain=0.0.1", from: "http://127.0.0.1/") == nil)
    #expect(try cookie("a=b; Domain=127.0.0.1", from: "http://127.0.0.1/") != nil)
  }

  @Test func onlyASecureOriginMakesSecureCookies() throws {
    #expect(try cookie("a=b; Secure", from: "http://example.org/") == nil)
    #expect(try cookie("a=b; Secure", from: "http://localhost/")?.isSecure == true)
  }

  @Test(arguments: [("Strict", HTTPCookieStringPolicy.sameSiteStrict), ("lax", .sameSiteLax), ("x", nil)])
  func thePolicyForOtherSitesIsTold(_ value: String, _ policy: HTTPCookieStringPolicy?) throws {
    let cookie = try #require(try cookie("a=b; SameSite=\(value)"))
    #expect(cookie.sameSitePolicy == policy)
    #expect(cookie.properties?[.sameSitePolicy] as? String == policy?.rawValue)
    #expect(try self.cookie("a=b; SameSite=None; Secure")?.sameSitePolicy?.rawValue == "none")
    #expect(try self.cookie("a=b; SameSite=None") == nil)
  }

  @Test(arguments: [("0", true), ("-1", true), ("1", false), ("99999999999999999999999", false)])
  func maximumAgeGoesBeforeExpires(_ age: String, _ ended: Bool) throws {
    let cookie = try #require(try cookie("a=b; Expires=Wed, 21 Oct 2065 07:28:00 GMT; Max-Age=\(age)"))
    let expires = try #require(cookie.expiresDate)
    #expect((expires <= now) == ended)
    #expect(expires <= now.addingTimeInterval(400 * 86_400))
  }

  @Test func joinedLinesAreTakenApart() throws {
    let url = try #require(URL(string: "http://example.org/"))
    let joined = "a=b; Expires=Wed, 21 Oct 2065 07:28:00 GMT, c=d; Path=/,e=f"
    let cookies = HTTPCookie.cookies(withResponseHeaderFields: ["set-cookie": joined], for: url)
    #expect(cookies.map(\.name) == ["a", "c", "e"])
    // No longer than 400 days (RFC 6265bis §5.5).
    let end = try #require(cookies.first?.expiresDate?.timeIntervalSinceNow)
    #expect((34_559_900...34_560_000).contains(end))
    #expect(HTTPCookie.requestHeaderFields(with: cookies) == ["Cookie": "a=b; c=d; e=f"])
    #expect(HTTPCookie.requestHeaderFields(with: []).isEmpty)
  }

  @Test func propertiesMakeACookieAndCookiesMakeProperties() throws {
    let properties: [HTTPCookiePropertyKey: Any] = [
      .domain: "example.org", .path: "/", .name: "foo", .value: "bar", .expires: now, .secure: "TRUE",
    ]
    let cookie = try #require(HTTPCookie(properties: properties))
    #expect(cookie.domain == "example.org")
    #expect(cookie.expiresDate == now)
    #expect(cookie.isSecure)
    let written = try #require(cookie.properties)
    let again = try #require(HTTPCookie(properties: written))
    #expect(again == cookie)
    var discarded = properties
    discarded[.discard] = "TRUE"
    #expect(HTTPCookie(properties: discarded)?.isSessionOnly == true)
    #expect(HTTPCookie(properties: discarded)?.expiresDate == nil)
    discarded[.discard] = "FALSE"
    #expect(HTTPCookie(properties: discarded)?.expiresDate == now)
    #expect(HTTPCookie(properties: [.name: "a", .value: "b", .path: "/"]) == nil)
    #expect(HTTPCookie(properties: [.name: "a\r\n", .value: "b", .path: "/", .domain: "x.org"]) == nil)
    #expect(HTTPCookie(properties: [.name: "a", .value: "b", .path: "/", .originURL: "http://x.org"]) != nil)
  }

  /// The root's dot of a domain is one of the host's, or the cookie is for another one (RFC 6265bis §5.1.3).
  @Test(arguments: [
    ("http://www.example.org/", "example.org.", false), ("http://www.example.org./", "example.org.", true),
    ("http://www.example.org/", "example.org", true), ("http://example.org/", "example.org.", false),
  ])
  func theRootsDot(place: String, domain: String, isTaken: Bool) throws {
    let fields = ["Set-Cookie": "a=b; Domain=\(domain)"]
    let cookies = HTTPCookie.cookies(withResponseHeaderFields: fields, for: try #require(URL(string: place)))
    #expect(cookies.isEmpty != isTaken)
  }
}
