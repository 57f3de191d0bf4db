// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetURLLoading
import Glibc
import Testing

/// The list is the process's: the tests that change it go one after the other, to lists that say the same about the domains
/// that other tests use.
@Suite(.serialized) struct PublicSuffixListTests {
  static let hasSystemList = access(PublicSuffixList.systemPath, R_OK) == 0

  /// The cases that the list's own maintainers publish (publicsuffix.org, `test_psl.txt`, in the public domain): a host,
  /// and the domain that was registered. The exceptions of Kobe are as the algorithm, libpsl and `www.ck` have them.
  @Test(
    .enabled(if: hasSystemList),
    arguments: [
      ("COM", nil), ("example.COM", "example.com"), ("WwW.example.COM", "example.com"), (".com", nil),
      (".example", nil), (".example.com", nil), (".example.example", nil), ("example", nil),
      ("example.example", "example.example"), ("b.example.example", "example.example"),
      ("a.b.example.example", "example.example"), ("biz", nil), ("domain.biz", "domain.biz"),
      ("b.domain.biz", "domain.biz"), ("a.b.domain.biz", "domain.biz"), ("com", nil),
      ("example.com", "example.com"), ("b.example.com", "example.com"), ("a.b.example.com", "example.com"),
      ("uk.com", nil), ("example.uk.com", "example.uk.com"), ("b.example.uk.com", "example.uk.com"),
      ("a.b.example.uk.com", "example.uk.com"), ("test.ac", "test.ac"), ("mm", nil), ("c.mm", nil),
      ("b.c.mm", "b.c.mm"), ("a.b.c.mm", "b.c.mm"), ("jp", nil), ("test.jp", "test.jp"),
      ("www.test.jp", "test.jp"), ("ac.jp", nil), ("test.ac.jp", "test.ac.jp"),
      ("www.test.ac.jp", "test.ac.jp"), ("kyoto.jp", nil), ("test.kyoto.jp", "test.kyoto.jp"),
      ("ide.kyoto.jp", nil), ("b.ide.kyoto.jp", "b.ide.kyoto.jp"), ("a.b.ide.kyoto.jp", "b.ide.kyoto.jp"),
      ("c.kobe.jp", nil), ("b.c.kobe.jp", "b.c.kobe.jp"), ("a.b.c.kobe.jp", "b.c.kobe.jp"),
      ("city.kobe.jp", "city.kobe.jp"), ("www.city.kobe.jp", "city.kobe.jp"), ("ck", nil), ("test.ck", nil),
      ("b.test.ck", "b.test.ck"), ("a.b.test.ck", "b.test.ck"), ("www.ck", "www.ck"),
      ("www.www.ck", "www.ck"),
      ("us", nil), ("test.us", "test.us"), ("www.test.us", "test.us"), ("ak.us", nil),
      ("test.ak.us", "test.ak.us"), ("www.test.ak.us", "test.ak.us"), ("k12.ak.us", nil),
      ("test.k12.ak.us", "test.k12.ak.us"), ("www.test.k12.ak.us", "test.k12.ak.us"),
      ("食狮.com.cn", "xn--85x722f.com.cn"), ("食狮.公司.cn", "xn--85x722f.xn--55qx5d.cn"),
      ("www.食狮.公司.cn", "xn--85x722f.xn--55qx5d.cn"), ("shishi.公司.cn", "shishi.xn--55qx5d.cn"),
      ("公司.cn", nil), ("食狮.中国", "xn--85x722f.xn--fiqs8s"), ("www.食狮.中国", "xn--85x722f.xn--fiqs8s"),
      ("shishi.中国", "shishi.xn--fiqs8s"), ("中国", nil), ("xn--85x722f.com.cn", "xn--85x722f.com.cn"),
      ("xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
      ("www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
      ("shishi.xn--55qx5d.cn", "shishi.xn--55qx5d.cn"), ("xn--55qx5d.cn", nil),
      ("xn--85x722f.xn--fiqs8s", "xn--85x722f.xn--fiqs8s"),
      ("www.xn--85x722f.xn--fiqs8s", "xn--85x722f.xn--fiqs8s"), ("shishi.xn--fiqs8s", "shishi.xn--fiqs8s"),
      ("xn--fiqs8s", nil), ("", nil),
    ] as [(String, String?)])
  func theSystemsListJudgesAsItsMaintainersDo(_ host: String, _ registered: String?) {
    let list = PublicSuffixList.inUse
    #expect(list.registrableDomain(of: host) == registered)
    if registered == nil, !host.hasPrefix(".example") { #expect(list.isPublicSuffix(host)) }
  }

  @Test(.enabled(if: hasSystemList)) func theSystemsListIsUsed() {
    PublicSuffixList.useSystem()
    let list = PublicSuffixList.inUse
    #expect(list.source == .file(path: "/usr/share/publicsuffix/public_suffix_list.dat"))
    #expect(list.problem == nil)
    #expect(list.ruleCount > 9000)
    #expect(
      list.isPublicSuffix(".CO.UK") && list.isPublicSuffix("github.io") && !list.isPublicSuffix("example.org")
    )
    #expect(list.registrableDomain(of: "127.0.0.1") == nil && list.registrableDomain(of: "[::1]") == nil)
  }

  private func file(_ text: String) throws -> String {
    let path = FileManager.default.temporaryDirectory.path + "/suffixes-\(UUID.random().uuidString)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test func anotherListCanBeChosen() throws {
    defer { PublicSuffixList.useSystem() }
    let path = try file("// A list\ncom\norg\nuk\nco.uk\nhoster.test\n公司.cn\n")
    defer { unlink(path) }
    try PublicSuffixList.use(fileAt: path)
    #expect(PublicSuffixList.inUse.source == .file(path: path))
    #expect(PublicSuffixList.inUse.ruleCount == 6)
    #expect(PublicSuffixList.inUse.isPublicSuffix("xn--55qx5d.cn"))
    let url = try #require(URL(string: "http://www.site.hoster.test/"))
    #expect(HTTPCookie(setCookie: "a=b; Domain=hoster.test", from: url) == nil)
    #expect(HTTPCookie(setCookie: "a=b; Domain=site.hoster.test", from: url)?.domain == ".site.hoster.test")
    PublicSuffixList.useBuiltIn()
    #expect(PublicSuffixList.inUse.source == .builtIn)
    #expect(PublicSuffixList.inUse.problem == nil)
    #expect(HTTPCookie(setCookie: "a=b; Domain=hoster.test", from: url) != nil)
  }

  @Test func whatIsNoListIsRefused() throws {
    let before = PublicSuffixList.inUse.source
    #expect(throws: POSIXError.self) { try PublicSuffixList.use(fileAt: "/nowhere/list") }
    #expect(throws: POSIXError.self) { try PublicSuffixList.use(fileAt: "/") }
    for text in ["", "<html>\n<body>not\nfound", "// only\n// remarks\n", "com\n"] {
      let path = try file(text)
      defer { unlink(path) }
      #expect(throws: CocoaError.self) { try PublicSuffixList.use(fileAt: path) }
    }
    #expect(throws: CocoaError.self) { try PublicSuffixList.use(fileAt: "/dev/zero") }
    #expect(PublicSuffixList.inUse.source == before)
  }

  /// The first response that names a domain waits for the list.
  @Test(.enabled(if: hasSystemList)) func aLoadHasTheListRead() async throws {
    let origin = Origin.inMemory()
    let configuration = URLSessionConfiguration.inMemory
    let storage = try #require(configuration.httpCookieStorage)
    let session = URLSession(configuration: configuration)
    origin.script(
      "/set",
      .response(fields: [
        // Only the real list knows it.
        ("Set-Cookie", "suffix=1; Domain=k12.ak.us"), ("Set-Cookie", "site=1; domain = .site.k12.ak.us"),
        ("Set-Cookie", "narrow=1"),
      ]))
    PublicSuffixList.forget()
    var request = URLRequest(url: try #require(URL(string: origin.baseURL + "/set")))
    request.setValue("www.site.k12.ak.us", forHTTPHeaderField: "Host")
    _ = try await session.data(for: request)
    #expect(storage.cookies?.map(\.name) == ["site", "narrow"])
  }
}
