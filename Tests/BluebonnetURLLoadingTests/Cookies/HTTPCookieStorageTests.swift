import BluebonnetURLLoading
import Testing

@Suite struct HTTPCookieStorageTests {
  private let storage = HTTPCookieStorage()

  private func set(_ lines: [String], from address: String, document: String? = nil) throws {
    let url = try #require(URL(string: address))
    storage.store(setCookieLines: lines, from: url, mainDocumentURL: document.flatMap { URL(string: $0) })
  }

  private func header(_ address: String) throws -> String? {
    storage.header(for: try #require(URL(string: address)))
  }

  @Test func anEmptyStorageSendsNothing() throws {
    #expect(try header("http://example.org/") == nil)
    #expect(storage.cookies == [])
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
    try set(["a=1", "b=2; Domain=BÜCHER.example."], from: "http://www.b%C3%BCcher.example./")
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
}
