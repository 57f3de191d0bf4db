// SPDX-License-Identifier: MIT
import Testing

@testable import bonnet

/// Cookies are kept and sent as curl does, as far as RFC 6265 allows.
@Suite struct CookieListTests {
  private static let now = 1_700_000_000

  private func place(_ address: String) throws -> CookiePlace {
    let address = try RequestAddress(address)
    return CookiePlace(scheme: address.scheme, host: address.host, path: address.path)
  }

  private func list(_ lines: [String], from address: String) throws -> CookieList {
    var list = CookieList()
    let place = try place(address)
    for line in lines {
      guard let cookie = StoredCookie(setCookie: line, from: place, now: Self.now) else { continue }
      list.add(cookie, isSafe: place.isSafe, now: Self.now)
    }
    return list
  }

  /// As many hosts as a browser's file has, and as many cookies of one host: none of them makes the next one slower.
  @Test(.timeLimit(.minutes(1)), arguments: [true, false]) func manyLinesOfAFile(ofOneHost: Bool) throws {
    var list = CookieList()
    for number in 0..<40_000 {
      let (host, name) = ofOneHost ? ("h", "a\(number)") : ("h\(number)", "a")
      let line = "\(host).test\tFALSE\t/\tFALSE\t0\t\(name)\t1"
      let cookie = try #require(StoredCookie(line: line[...], now: Self.now))
      list.add(cookie, isSafe: true, isOfFile: true, now: Self.now)
    }
    #expect(list.cookies.count == 40_000)
    let host = ofOneHost ? "h.test" : "h39999.test"
    #expect(list.header(for: try place("http://\(host)/"), now: Self.now)?.isEmpty == false)
  }

  /// Paths may be as many, of a file and of servers.
  @Test(.timeLimit(.minutes(1)), arguments: [true, false]) func manyPathsOfOneName(ofFile: Bool) throws {
    var list = CookieList()
    for number in 0..<30_000 {
      let line = "h.test\tFALSE\t/\(number)\tFALSE\t0\ta\t1"
      let cookie = try #require(StoredCookie(line: line[...], now: Self.now))
      list.add(cookie, isSafe: true, isOfFile: ofFile, now: Self.now)
    }
    let paths = list.cookies.map(\.path)
    #expect(ofFile ? paths.count == 30_000 : (9_000...10_000).contains(paths.count))
    #expect(paths.last == "/29999")
    #expect(paths.contains("/0") == ofFile)
    #expect(list.header(for: try place("http://h.test/29999"), now: Self.now) == "a=1")
  }

  /// Those of a file stay, whatever servers set.
  @Test(.timeLimit(.minutes(1))) func oldOnesOfServersMakeRoom() throws {
    var list = CookieList()
    for number in 0..<30_000 {
      let isOfFile = number.isMultiple(of: 30)
      let line = "h\(number % 100).test\tFALSE\t/\tFALSE\t0\ta\(number)\t1"
      let cookie = try #require(StoredCookie(line: line[...], now: Self.now))
      list.add(cookie, isSafe: true, isOfFile: isOfFile, now: Self.now)
    }
    let cookies = list.cookies
    #expect(cookies.count { !$0.isOfServer } == 1_000)
    #expect((9_000...10_000).contains(cookies.count { $0.isOfServer }))
    #expect(cookies.last?.name == "a29999")
  }

  @Test(arguments: [
    ("a=1", "Www.A.Test\tFALSE\t/x/\tFALSE\t0\ta\t1"),
    (" a = 1 ;path=/; HttpOnly", "#HttpOnly_Www.A.Test\tFALSE\t/\tFALSE\t0\ta\t1"),
    ("a=b=c; domain=.A.test", ".A.test\tTRUE\t/x/\tFALSE\t0\ta\tb=c"),
    (
      "a=1; Max-Age=10; expires=Thu, 01 Jan 1970 00:00:00 GMT",
      "Www.A.Test\tFALSE\t/x/\tFALSE\t1700000010\ta\t1"
    ),
    ("a=1; expires=01 Jan 2500", "Www.A.Test\tFALSE\t/x/\tFALSE\t16725225600\ta\t1"),
    (
      "a=1; expires=01 Jan 2400; expires=01 Jan 2500; expires=soon",
      "Www.A.Test\tFALSE\t/x/\tFALSE\t16725225600\ta\t1"
    ),
    ("a=1; expires=soon", "Www.A.Test\tFALSE\t/x/\tFALSE\t0\ta\t1"),
    ("a=1; path=none", "Www.A.Test\tFALSE\t/x/\tFALSE\t0\ta\t1"),
    ("a=1; max-age=99999999999999999999", "Www.A.Test\tFALSE\t/x/\tFALSE\t9223372036854775807\ta\t1"),
  ])
  func whatIsKept(line: String, kept: String) throws {
    #expect(try list([line], from: "http://Www.A.Test/x/y?z").cookies.map(\.line) == [kept])
  }

  @Test(arguments: [
    "a", "=1", "a=1\tb", "a=1; domain=b.test", "a=1; domain=test", "a=1; domain=w.a.test.", "a=1; secure",
    "a=1; max-age=0", "a=1; max-age=-5", "__Secure-a=1", "__Host-a=1; path=/",
    "a=" + String(repeating: "x", count: 4_095), "a=1; domain=co.uk",
  ])
  func whatIsNoneHere(line: String) throws {
    #expect(try list([line], from: "http://w.a.test/").cookies == [])
  }

  @Test func sitesOnPublicSuffixesHaveTheirOwn() throws {
    #expect(try list(["a=1; domain=co.uk"], from: "http://co.uk/").cookies.map(\.coversHostsBelow) == [false])
    #expect(try list(["a=1; domain=a.co.uk"], from: "http://b.a.co.uk/").cookies.count == 1)
  }

  @Test func thoseThatFitGoOutTheLongestFirst() throws {
    let list = try list(
      [
        "a=1; path=/", "b=2", "cc=3", "d=4; domain=a.test", "e=5; path=/x/y", "f=6; path=/xx",
        "g=7; domain=w.a.test",
      ],
      from: "http://w.a.test/x/")
    #expect(
      list.header(for: try place("http://w.a.test/x/y"), now: Self.now) == "e=5; cc=3; g=7; b=2; d=4; a=1")
    #expect(list.header(for: try place("http://v.a.test/x/"), now: Self.now) == "d=4")
    #expect(list.header(for: try place("http://wa.test/x/"), now: Self.now) == nil)
    #expect(list.header(for: try place("http://w.a.test/xy"), now: Self.now) == "a=1")
  }

  @Test func secureOnesAreSentWhereNobodyListens() throws {
    let list = try list(["a=1; secure; path=/"], from: "https://localhost/")
    #expect(list.header(for: try place("http://LOCALHOST/"), now: Self.now) == "a=1")
    let far = try self.list(["a=1; secure; path=/"], from: "https://a.test/")
    #expect(far.header(for: try place("http://a.test/"), now: Self.now) == nil)
    #expect(far.header(for: try place("https://a.test/"), now: Self.now) == "a=1")
  }

  /// RFC 6265bis §5.7, step 16.
  @Test func whatIsSecureIsNotHidden() throws {
    var list = try list(["a=1; secure; path=/"], from: "https://a.test/")
    let place = try place("http://a.test/x/y")
    let cookie = try #require(StoredCookie(setCookie: "a=2", from: place, now: Self.now))
    list.add(cookie, isSafe: place.isSafe, now: Self.now)
    #expect(list.cookies.map(\.value) == ["1"])
  }

  /// Those of the domains above and below are sent with some of its requests.
  @Test(arguments: [
    ("https://a.test/", "; domain=a.test", "http://w.a.test/"),
    ("https://w.a.test/", "", "http://v.w.a.test/; domain=a.test"),
    ("https://a.test/", "; domain=a.test", "http://w.a.test/; domain=a.test"),
  ])
  func whatIsSecureIsNotHiddenByRelatives(_ first: String, _ scope: String, _ second: String) throws {
    var list = try list(["a=1; secure; path=/\(scope)"], from: first)
    let parts = second.split(separator: ";", maxSplits: 1)
    let place = try place(String(parts[0]))
    let line = "a=2; path=/" + (parts.count > 1 ? ";\(parts[1])" : "")
    let cookie = try #require(StoredCookie(setCookie: line, from: place, now: Self.now))
    list.add(cookie, isSafe: place.isSafe, now: Self.now)
    #expect(list.cookies.map(\.value) == ["1"])
    let unrelated = try self.place("http://wa.test/")
    list.add(
      try #require(
        StoredCookie(setCookie: line.replacing("; domain=a.test", with: ""), from: unrelated, now: Self.now)),
      isSafe: unrelated.isSafe, now: Self.now)
    #expect(list.cookies.map(\.value) == ["1", "2"])
  }

  @Test func newOnesTakeThePlaceOfOld() throws {
    let list = try list(["a=1", "b=2", "a=3", "b=4; max-age=0"], from: "http://a.test/")
    #expect(list.header(for: try place("http://a.test/"), now: Self.now) == "a=3")
    #expect(list.file(now: Self.now).hasSuffix("\n\na.test\tFALSE\t/\tFALSE\t0\ta\t3\n"))
  }

  /// What a server has said since is newer than the file, also that there is none any more.
  @Test func filesBringNothingBack() throws {
    var list = try list(["a=1", "b=2", "b=2; max-age=0"], from: "http://a.test/")
    for name in ["a", "b", "c"] {
      let cookie = try #require(
        StoredCookie(line: "a.test\tFALSE\t/\tFALSE\t0\t\(name)\tfile", now: Self.now))
      list.add(cookie, isSafe: true, isOfFile: true, now: Self.now)
    }
    #expect(list.header(for: try place("http://a.test/"), now: Self.now) == "c=file; a=1")
  }

  @Test func theFieldHasALimit() throws {
    let value = String(repeating: "x", count: 4_000)
    let list = try list(["a=\(value)", "b=\(value)", "c=\(value)"], from: "http://a.test/")
    #expect(list.header(for: try place("http://a.test/"), now: Self.now)?.hasPrefix("c=x") == true)
    #expect(list.header(for: try place("http://a.test/"), now: Self.now)?.contains("a=") == false)
  }

  @Test(
    arguments: [
      ("a.test\tFALSE\t/\tFALSE\t0\tn\tv", "a.test\tFALSE\t/\tFALSE\t0\tn\tv"),
      (".a.test\tTRUE\t/\tTRUE\t9\tn", ".a.test\tTRUE\t/\tTRUE\t9\tn\t"),
      ("a.test\tTRUE\tFALSE\t0\tn\tv", ".a.test\tTRUE\t/\tFALSE\t0\tn\tv"),
      ("#HttpOnly_.a.test\tTRUE\t/\tFALSE\t0\tn\tv", "#HttpOnly_.a.test\tTRUE\t/\tFALSE\t0\tn\tv"),
      ("Set-Cookie: n=v; domain=a.test", ".a.test\tTRUE\t/\tFALSE\t0\tn\tv"),
    ] as [(String, String)])
  func linesOfFiles(line: String, kept: String) {
    #expect(StoredCookie(line: line[...], now: Self.now)?.line == kept)
  }

  /// A combining mark behind a mark of the grammar makes another character of it, and no other byte.
  @Test(
    arguments: [
      ("a=\u{301}1;\u{301}x; path=/", "a.test\tFALSE\t/\tFALSE\t0\ta\t\u{301}1"),
      ("a=1; path=/\u{301}", "a.test\tFALSE\t/\u{301}\tFALSE\t0\ta\t1"),
    ] as [(String, String)])
  func bytesDecide(line: String, kept: String) throws {
    #expect(
      try list([line], from: "http://a.test/").cookies.map { Array($0.line.utf8) } == [Array(kept.utf8)])
    let inFile = "a.test\tFALSE\t/\tFALSE\t0\tn\t\u{301}v"
    #expect(StoredCookie(line: inFile[...], now: Self.now)?.line == inFile)
    #expect(StoredCookie(line: "a.test\tFALSE\t/\tFALSE\t0\tn\tv;\u{301}x"[...], now: Self.now) == nil)
    #expect(
      StoredCookie(line: "Set-Cookie:\u{301}n=v; domain=a.test"[...], now: Self.now)?.name == "\u{301}n")
  }

  /// A byte that is no UTF-8 is one byte of a cookie's 4,096 (RFC 6265bis §5.6).
  @Test func bytesAreCounted() throws {
    let value = ByteText.text([UInt8](repeating: 0xE9, count: 4_000))
    let list = try list(["a=\(value)", "bb=\(value)"], from: "http://a.test/")
    #expect(list.header(for: try place("http://a.test/"), now: Self.now) == "bb=\(value); a=\(value)")
    #expect(StoredCookie(line: "a.test\tFALSE\t/\tFALSE\t0\tn\t\(value)"[...], now: Self.now) != nil)
    let long = ByteText.text([UInt8](repeating: 0xE9, count: 4_096))
    #expect(try self.list(["a=\(long)"], from: "http://a.test/").cookies == [])
    #expect(StoredCookie(line: "a.test\tFALSE\t/\tFALSE\t0\tn\t\(long)"[...], now: Self.now) == nil)
    // No byte of a domain becomes a letter.
    let domain = ByteText.text([0xE9])
    let stated = try self.list(["a=1; domain=\(domain).test"], from: "http://x.test/")
    #expect(stated.cookies == [])
  }

  @Test(arguments: [
    "", "# a remark", "a.test\tFALSE", "a.test\tFALSE\t/\tFALSE\tx\tn\tv", "Set-Cookie: n=v",
    ".com\tTRUE\t/\tFALSE\t0\tn\tv", "a.test\tFALSE\t/\tFALSE\t0\t__Host-n\tv",
    "a.test\tFALSE\t/\tFALSE\t0\tn\tv;x", "a.test\tFALSE\t/\tFALSE\t0\tn\tv\tw",
  ])
  func linesThatAreNone(line: String) {
    #expect(StoredCookie(line: line[...], now: Self.now) == nil)
  }
}
