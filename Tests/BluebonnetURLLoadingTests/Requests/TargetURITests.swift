// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import BluebonnetURLLoading
import Testing

@Suite struct TargetURITests {
  struct Row: Sendable, CustomTestStringConvertible {
    let url: String
    let secure: Bool
    let host: String
    let port: UInt16
    let authority: String
    let path: String
    var testDescription: String { url }

    init(_ url: String, _ secure: Bool, _ host: String, _ port: UInt16, _ authority: String, _ path: String) {
      self.url = url
      self.secure = secure
      self.host = host
      self.port = port
      self.authority = authority
      self.path = path
    }
  }

  static let rows = [
    Row("http://example.org", false, "example.org", 80, "example.org", "/"),
    Row("http://example.org/", false, "example.org", 80, "example.org", "/"),
    Row("HTTPS://Example.ORG/A/b", true, "example.org", 443, "example.org", "/A/b"),
    Row("https://example.org:443/x", true, "example.org", 443, "example.org", "/x"),
    Row("https://example.org:80/x", true, "example.org", 80, "example.org:80", "/x"),
    Row("http://example.org:8080?q=1", false, "example.org", 8080, "example.org:8080", "/?q=1"),
    Row("http://example.org:/p", false, "example.org", 80, "example.org", "/p"),
    Row("http://example.org/p?q=a%20b#frag", false, "example.org", 80, "example.org", "/p?q=a%20b"),
    Row("http://example.org#frag", false, "example.org", 80, "example.org", "/"),
    Row("http://example.org/a?b/c:d@e", false, "example.org", 80, "example.org", "/a?b/c:d@e"),
    Row("http://u:p@example.org/x", false, "example.org", 80, "example.org", "/x"),
    Row("http://[::1]:81/x", false, "::1", 81, "[::1]:81", "/x"),
    Row("https://[2001:DB8::1]/", true, "2001:db8::1", 443, "[2001:db8::1]", "/"),
    Row("http://[fe80::1%25eth0]/", false, "fe80::1%eth0", 80, "[fe80::1]", "/"),
    Row("http://m%C3%BCller.example/", false, "xn--mller-kva.example", 80, "xn--mller-kva.example", "/"),
    Row("http://MÜLLER.example:81/", false, "xn--mller-kva.example", 81, "xn--mller-kva.example:81", "/"),
    Row("http://127.0.0.1:1/", false, "127.0.0.1", 1, "127.0.0.1:1", "/"),
    Row("http://example.org//double//slash", false, "example.org", 80, "example.org", "//double//slash"),
  ]

  @Test(arguments: rows) func aURLIsTakenApart(_ row: Row) throws {
    let url = try #require(URL(string: row.url))
    let target = try TargetURI(url)
    #expect(target.origin.isSecure == row.secure)
    #expect(target.origin.host == row.host)
    #expect(target.origin.port == row.port)
    #expect(target.authority == row.authority)
    #expect(target.path == row.path)
    #expect(try TargetURI.of(url) == target)
    #expect(try TargetURI.of(url) == target)
  }

  @Test func whatURLEncodesGoesOutEncoded() throws {
    let url = try #require(URL(string: "http://example.org/a b?c=d e&f=ü"))
    #expect(try TargetURI(url).path == "/a%20b?c=d%20e&f=%C3%BC")
  }

  @Test func aRelativeURLIsResolved() throws {
    let url = try #require(URL(string: "../c?d", relativeTo: URL(string: "http://example.org/a/b/x")))
    #expect(try TargetURI(url).path == "/a/c?d")
  }

  @Test func theRootsDotIsNoPartOfTheHost() throws {
    let rooted = try TargetURI(try #require(URL(string: "https://Example.org.:444/")))
    #expect(rooted.origin.host == "example.org" && rooted.authority == "example.org:444" && rooted.isRooted)
    #expect(try !TargetURI(try #require(URL(string: "https://example.org/"))).isRooted)
  }

  @Test(arguments: [
    "http://a..b/", "http://.a/", "http://a%20b/", "http://a%2Fb/",
    "http://\(String(repeating: "a", count: 64))/",
  ])
  func whatIsNoHostIsRefused(text: String) throws {
    let url = try #require(URL(string: text))
    let error = #expect(throws: URLError.self) { try TargetURI(url) }
    #expect(error?.code == .badURL)
  }

  @Test func userInformationIsDecodedAndKeptApart() throws {
    let target = try TargetURI(try #require(URL(string: "http://us%40er:pa%3Ass@example.org/")))
    #expect(target.userInformation?.user == "us@er")
    #expect(target.userInformation?.password == "pa:ss")
    #expect(target.absoluteForm == "http://example.org/")
  }

  @Test(arguments: [
    ("ftp://example.org/", URLError.Code.unsupportedURL), ("file:///etc/passwd", .unsupportedURL),
    ("data:text/plain,x", .unsupportedURL), ("relative/path", .unsupportedURL), ("http:///path", .badURL),
    ("http:path", .badURL), ("http://example.org:0/", .badURL), ("http://example.org:65536/", .badURL),
    ("https://:443/", .badURL),
  ])
  func whatCannotBeLoadedIsRefused(_ text: String, _ code: URLError.Code) throws {
    let url = try #require(URL(string: text))
    let error = #expect(throws: URLError.self) { try TargetURI(url) }
    #expect(error?.code == code)
    #expect(error?.failingURL == url)
  }
}
