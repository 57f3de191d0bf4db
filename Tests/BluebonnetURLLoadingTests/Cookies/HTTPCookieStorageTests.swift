// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetURLLoading
import Testing

@Suite struct HTTPCookieStorageTests {
  private let storage = HTTPCookieStorage()
  private let now = Date().timeIntervalSince1970

  private func set(_ lines: [String], from address: String, document: String? = nil) throws {
    let url = try #require(URL(string: address))
    storage.store(
      setCookiesOf: FieldBlock(lines.map { ("Set-Cookie", $0) }), from: url,
      mainDocumentURL: document.flatMap { URL(string: $0) }, now: now)
  }

  private func header(_ address: String, after seconds: Double = 0) throws -> String? {
    storage.header(for: try #require(URL(string: address)), now: now + seconds)?.text
  }

  @Test func anEmptyStorageSendsNothing() throws {
    #expect(try header("http://example.org/") == nil)
    #expect(storage.cookies == [])
  }

  @Test func aCookieEndsWithItsAge() throws {
    try set(["a=b; Max-Age=60"], from: "http://example.org/")
    #expect(try header("http://example.org/", after: 59) == "a=b")
    #expect(try header("http://example.org/", after: 61) == nil)
  }

  @Test func domainsAreMatched() throws {
    try set(["wide=1; Domain=example.org", "narrow=2"], from: "http://www.example.org/")
    #expect(try header("http://www.example.org/") == "wide=1; narrow=2")
    #expect(try header("http://example.org/") == "wide=1")
    #expect(try header("http://a.b.example.org/") == "wide=1")
    #expect(try header("http://badexample.org/") == nil)
    #expect(try header("http://org/") == nil)
  }

  @Test func pathsAreMatchedAndLongerOnesComeFirst() throws {
    try set(["root=1; Path=/", "deep=2; Path=/a/b", "mid=3; Path=/a/"], from: "http://example.org/")
    #expect(try header("http://example.org/a/b") == "deep=2; mid=3; root=1")
    #expect(try header("http://example.org/a/b/c?/x") == "deep=2; mid=3; root=1")
    #expect(try header("http://example.org/a/bc") == "mid=3; root=1")
    #expect(try header("http://example.org/a?b") == "root=1")
  }

  @Test func secureCookiesNeedTLS() throws {
    try set(["s=1; Secure", "p=2"], from: "https://example.org/")
    #expect(try header("https://example.org/") == "s=1; p=2")
    #expect(try header("http://example.org/") == "p=2")
  }

  @Test func aCookieIsReplacedAndKeepsItsPlace() throws {
    try set(["a=1", "b=2"], from: "http://example.org/")
    try set(["a=3"], from: "http://example.org/")
    #expect(try header("http://example.org/") == "a=3; b=2")
    #expect(storage.cookies?.count == 2)
  }

  @Test func anEndedCookieRemovesTheStoredOne() throws {
    try set(["a=1", "b=2"], from: "http://example.org/")
    try set(["a=; Max-Age=0"], from: "http://example.org/")
    #expect(try header("http://example.org/") == "b=2")
    try set(["b=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], from: "http://example.org/")
    #expect(storage.cookies == [])
  }

  @Test func thePolicyDecides() throws {
    storage.cookieAcceptPolicy = .never
    try set(["a=1"], from: "http://example.org/")
    #expect(storage.cookies == [])
    storage.cookieAcceptPolicy = .onlyFromMainDocumentDomain
    try set(["a=1"], from: "http://tracker.test/", document: "http://www.example.org/")
    #expect(storage.cookies == [])
    try set(["a=1"], from: "http://static.example.org/", document: "http://www.example.org/")
    #expect(storage.cookies?.count == 1)
    storage.cookieAcceptPolicy = .always
    try set(["a=1"], from: "http://tracker.test/", document: "http://www.example.org/")
    #expect(storage.cookies?.count == 2)
  }

  @Test func aDomainHasALimitAndTheLongestUnusedGoes() throws {
    for index in 0..<180 { try set(["c\(index)=1; Path=/\(index)"], from: "http://example.org/") }
    #expect(try header("http://example.org/0") == "c0=1")
    try set(["last=1; Path=/last"], from: "http://example.org/")
    #expect(storage.cookies?.count == 180)
    #expect(try header("http://example.org/0") == "c0=1")
    #expect(try header("http://example.org/1") == nil)
    #expect(try header("http://example.org/last") == "last=1")
  }

  @Test func theWholeHasALimit() throws {
    for index in 0..<3_310 { try set(["c=\(index)"], from: "http://h\(index).example.org/") }
    #expect(storage.cookies?.count == 3_300)
    #expect(try header("http://h0.example.org/") == nil)
    #expect(try header("http://h3309.example.org/") == "c=3309")
  }

  @Test func cookiesAreForgotten() throws {
    try set(["a=1", "b=2"], from: "http://example.org/")
    let first = try #require(storage.cookies?.first)
    storage.deleteCookie(first)
    #expect(storage.cookies?.map(\.name) == ["b"])
    storage.removeCookies(since: .distantFuture)
    #expect(storage.cookies?.count == 1)
    storage.removeCookies(since: .distantPast)
    #expect(storage.cookies == [])
  }

  @Test func hostsAreComparedInTheirCanonicalForm() throws {
    try set(
      ["a=1", "b=2; Domain=XN--BCHER-kva.example.", "no=1; Domain=bücher.example"],
      from: "http://www.b%C3%BCcher.example./")
    for host in ["www.bücher.example", "WWW.xn--BCHER-kva.example.", "www.b%c3%bccher.example"] {
      #expect(try header("http://\(host)/") == "a=1; b=2", "\(host)")
    }
    #expect(try header("http://xn--bcher-kva.example/") == "b=2")
    let made = try #require(
      HTTPCookie(properties: [.name: "c", .value: "3", .domain: ".Bücher.Example", .path: "/"]))
    storage.setCookie(made)
    #expect(try header("http://xn--bcher-kva.example/") == "b=2; c=3")
    try set(["d=4; Domain=d .example"], from: "http://d.example/")
    #expect(try header("http://d.example/") == nil)
  }

  /// RFC 6265bis §5.7, step 16, by the way that responses take and by that of the caller.
  @Test func anInsecureOriginLeavesSecureCookiesAlone() throws {
    try set(["a=secure; Secure; Path=/"], from: "https://example.org/")
    try set(["a=plain; Path=/", "a=wide; Domain=example.org", "b=plain"], from: "http://www.example.org/")
    #expect(try header("https://www.example.org/") == "b=plain")
    #expect(try header("https://example.org/") == "a=secure")
    try set(["a=plain; Path=/", "b=plain"], from: "http://example.org/")
    #expect(try header("https://example.org/") == "a=secure; b=plain")
    try set(["a=; Max-Age=0; Path=/"], from: "http://example.org/")
    #expect(try header("https://example.org/") == "a=secure; b=plain")
    let plain = try #require(
      HTTPCookie(properties: [.name: "a", .value: "plain", .domain: "example.org", .path: "/"]))
    storage.setCookies([plain], for: URL(string: "http://example.org/"), mainDocumentURL: nil)
    #expect(try header("https://example.org/") == "a=secure; b=plain")
    // The program itself may do what it likes.
    storage.setCookie(plain)
    #expect(try header("https://example.org/") == "a=plain; b=plain")
  }

  /// As with Foundation on Linux, and as §5.7 has it for responses.
  @Test(arguments: [
    ("example.org", "http://example.org/", true), ("example.org", "https://EXAMPLE.org.:8443/a", true),
    ("example.org", "http://www.example.org/", false), ("www.example.org", "http://example.org/", false),
    (".example.org", "http://example.org/", true), (".Example.org", "http://a.b.example.org/", true),
    (".example.org", "http://badexample.org/", false), (".example.org", "http://example.org.test/", false),
    (".bücher.example", "http://www.xn--bcher-kva.example/", true), ("127.0.0.1", "http://127.0.0.1/", true),
    (".0.0.1", "http://127.0.0.1/", false), ("example.org", "file:///example.org", false),
    ("example.org", "/example.org", false), ("example.org", nil, false),
  ])
  func cookiesOfOtherDomainsAreNotSet(domain: String, address: String?, isSet: Bool) throws {
    let cookie = try #require(
      HTTPCookie(properties: [.name: "a", .value: "1", .domain: domain, .path: "/"]))
    for policy in [HTTPCookie.AcceptPolicy.always, .onlyFromMainDocumentDomain] {
      storage.cookieAcceptPolicy = policy
      storage.setCookies([cookie], for: address.flatMap { URL(string: $0) }, mainDocumentURL: nil)
      #expect(storage.cookies == (isSet ? [cookie] : []), "\(policy)")
      storage.deleteCookie(cookie)
    }
  }

  @Test func schemesAndPortsShareCookies() throws {
    try set(["a=1"], from: "http://example.org:8080/")
    try set(["b=2"], from: "https://example.org/")
    for address in ["http://example.org/", "https://example.org:8443/", "ws://example.org/"] {
      #expect(try header(address) == "a=1; b=2", "\(address)")
    }
  }

  /// `SameSite`, where the caller says for which document a request is made.
  @Test func whatIsOfOneSiteStaysThere() throws {
    storage.cookieAcceptPolicy = .always
    try set(
      ["strict=1; SameSite=Strict", "lax=2; SameSite=Lax", "none=3; SameSite=None; Secure", "open=4"],
      from: "https://www.example.org/")
    let url = try #require(URL(string: "https://www.example.org/"))
    for (document, expected) in [
      (nil, "strict=1; lax=2; none=3; open=4"), ("https://example.org/", "strict=1; lax=2; none=3; open=4"),
      ("http://static.example.org/", "strict=1; lax=2; none=3; open=4"),
      ("https://other.test/", "none=3; open=4"),
    ] {
      #expect(
        storage.header(for: url, mainDocumentURL: document.flatMap { URL(string: $0) }, now: now)?.text
          == expected)
    }
    storage.removeCookies(since: .distantPast)
    try set(
      ["strict=1; SameSite=Strict", "open=2"], from: "https://a.test/", document: "https://other.test/")
    #expect(try header("https://a.test/") == "open=2")
  }

  @Test func cookiesAreSorted() throws {
    try set(["b=1", "a=2", "c=1; Path=/x"], from: "http://example.org/")
    func names(_ cookies: [HTTPCookie]) -> [String] { cookies.map(\.name) }
    #expect(names(storage.sortedCookies(using: [ByName()])) == ["a", "b", "c"])
    #expect(names(storage.sortedCookies(using: [ByName(order: .reverse)])) == ["c", "b", "a"])
    #expect(names(storage.sortedCookies(using: [ByName]())) == ["b", "a", "c"])
    #if Foundation
      let byValue = NSSortDescriptor(keyPath: \HTTPCookie.value, ascending: false)
      let byPath = NSSortDescriptor(keyPath: \HTTPCookie.path, ascending: false)
      #expect(names(storage.sortedCookies(using: [byValue])) == ["a", "b", "c"])
      #expect(names(storage.sortedCookies(using: [byValue, byPath])) == ["a", "c", "b"])
    #endif
  }

  private struct ByName: SortComparator {
    var order = SortOrder.forward

    func compare(_ left: HTTPCookie, _ right: HTTPCookie) -> ComparisonResult {
      if left.name == right.name { return .orderedSame }
      return (left.name < right.name) == (order == .forward) ? .orderedAscending : .orderedDescending
    }
  }

  /// Many threads at once: nothing is lost that fits.
  @Test func threadsShareAStorage() async throws {
    let url = try #require(URL(string: "http://example.org/"))
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask { [storage, now] in
          for number in 0..<20 {
            storage.store(
              setCookiesOf: FieldBlock([("Set-Cookie", "c\(thread)x\(number)=1")]), from: url,
              mainDocumentURL: nil, now: now)
            _ = storage.header(for: url, now: now)
          }
        }
      }
    }
    #expect(storage.cookies?.count == 160)
  }
}
