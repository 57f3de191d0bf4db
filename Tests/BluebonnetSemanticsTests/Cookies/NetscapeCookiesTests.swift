// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

@Suite struct NetscapeCookiesTests {
  private static let now = 1_700_000_000.0

  private func read(_ file: String) -> NetscapeCookies.Reading {
    NetscapeCookies.read(Array(file.utf8), now: Self.now, suffixes: { .builtIn }) { host in
      struct NoHost: Error {}
      if host.contains(" ") { throw NoHost() }
      return host.lowercased().trimmingBrackets
    }
  }

  /// A cookie, and its line.
  private static let pairs: [(line: String, cookie: Cookie)] = {
    var narrow = Cookie(name: "a", value: "b", domain: "example.org", isHostOnly: true, path: "/")
    narrow.expires = 2_000_000_000
    var wide = Cookie(name: "a", value: "b=c d", domain: "example.org", isHostOnly: false, path: "/p")
    wide.isSecure = true
    wide.isHTTPOnly = true
    let session = Cookie(name: "a", value: "", domain: "example.org", isHostOnly: true, path: "/")
    let nameless = Cookie(name: "", value: "v", domain: "example.org", isHostOnly: true, path: "/")
    let tabbed = Cookie(name: "a", value: "b\tc", domain: "example.org", isHostOnly: true, path: "/")
    var ported = Cookie(name: "a", value: "b", domain: "127.0.0.1", isHostOnly: true, path: "/")
    ported.ports = [8080]
    var address = Cookie(name: "a", value: "b", domain: "::1", isHostOnly: true, path: "/")
    address.ports = [80]
    return [
      ("example.org\tFALSE\t/\tFALSE\t2000000000\ta\tb", narrow),
      ("#HttpOnly_.example.org\tTRUE\t/p\tTRUE\t0\ta\tb=c d", wide),
      ("example.org\tFALSE\t/\tFALSE\t0\ta\t", session), ("example.org\tFALSE\t/\tFALSE\t0\t\tv", nameless),
      ("example.org\tFALSE\t/\tFALSE\t0\ta\tb\tc", tabbed),
      ("127.0.0.1:8080\tFALSE\t/\tFALSE\t0\ta\tb", ported), ("[::1]:80\tFALSE\t/\tFALSE\t0\ta\tb", address),
      (
        "::1\tFALSE\t/\tFALSE\t0\ta\tb",
        Cookie(name: "a", value: "b", domain: "::1", isHostOnly: true, path: "/")
      ),
    ]
  }()

  @Test func linesAreWrittenAndReadBack() {
    for (line, cookie) in Self.pairs {
      #expect(NetscapeCookies.line(cookie, now: Self.now) == line)
      #expect(read(line) == .init(cookies: [cookie]), "\(line)")
    }
    let file = NetscapeCookies.write(
      Self.pairs.map(\.cookie), remarks: ["One", "T\nwo"], keepsSessionCookies: true, now: Self.now)
    let text = String(decoding: file, as: UTF8.self)
    #expect(
      text
        == (["# Netscape HTTP Cookie File", "# One", "# Two", ""] + Self.pairs.map(\.line) + [""])
        .joined(separator: "\n"))
    #expect(read(text) == .init(cookies: Self.pairs.map(\.cookie)))
    #expect(read(text.replacing("\n", with: "\r\n")) == .init(cookies: Self.pairs.map(\.cookie)))
  }

  @Test func sessionCookiesAreKeptIfAsked() {
    let file = NetscapeCookies.write(Self.pairs.map(\.cookie), keepsSessionCookies: false, now: Self.now)
    #expect(read(String(decoding: file, as: UTF8.self)).cookies == [Self.pairs[0].cookie])
    #expect(read("# Netscape HTTP Cookie File\n\n").cookies.isEmpty)
  }

  @Test func whatTheFileHasNoPlaceForIsNotWritten() {
    func line(_ change: (inout Cookie) -> Void) -> String? {
      var cookie = Self.pairs[0].cookie
      change(&cookie)
      return NetscapeCookies.line(cookie, now: Self.now)
    }
    #expect(line { $0.name = "a\tb" } == nil)
    #expect(line { $0.path = "/a\tb" } == nil)
    #expect(line { $0.value = "a\nb" } == nil)
    #expect(line { $0.ports = [80, 81] } == nil)
    #expect(line { $0.ports = [] } == nil)
    #expect(line { $0.expires = Self.now } == nil)
    #expect(line { $0.expires = -.infinity } == nil)
    #expect(line { $0.expires = .infinity }?.contains("\t253402300799\t") == true)
    #expect(line { $0.expires = Self.now + 0.5 }?.contains("\t1700000001\t") == true)
  }

  @Test func whatOtherProgramsWriteIsRead() {
    let reading = read(
      """
      # Netscape HTTP Cookie File\r
      # a remark
      \t
        example.org\tfalse\t/\tFalse\t2000000000.75\tindented\tv
      .example.org\tTRUE\t\tFALSE\t\tno path and no end\tv
      .example.org\tFALSE\t/\tFALSE\t0\tdotted\tv
      EXAMPLE.org\tTRUE\tx\tFALSE\t22147483647\tlong lived\tv
      example.org\tFALSE\t/\tFALSE\t2000000000\tno value
      Set-Cookie: header=v; domain=example.org; path=/x; secure; Max-Age=60
      set-cookie:narrow=v;domain=.Example.org
      """)
    #expect(reading.unparsedLineCount == 0)
    #expect(
      reading.cookies.map { "\($0.isHostOnly ? "" : ".")\($0.domain)\($0.path) \($0.name)=\($0.value)" } == [
        "example.org/ indented=v", ".example.org/ no path and no end=v", "example.org/ dotted=v",
        ".example.org/ long lived=v", "example.org/ no value=", ".example.org/x header=v",
        ".example.org/ narrow=v",
      ])
    #expect(
      reading.cookies.map(\.expires) == [
        2_000_000_000, nil, nil, 22_147_483_647, 2_000_000_000, Self.now + 60, nil,
      ])
    #expect(reading.cookies.map(\.isSecure) == [false, false, false, false, false, true, false])
  }

  @Test(arguments: [
    "example.org", "a\tb\tc", "example.org\tFALSE\t/\tFALSE\t0", "example.org\tmaybe\t/\tFALSE\t0\ta\tb",
    "example.org\tFALSE\t/\t1\t0\ta\tb", "example.org\tFALSE\t/\tFALSE\tx\ta\tb",
    "example.org\tFALSE\t/\tFALSE\t+1\ta\tb", "example.org\tFALSE\t/\tFALSE\t-\ta\tb",
    "\tFALSE\t/\tFALSE\t0\ta\tb", "exa mple.org\tFALSE\t/\tFALSE\t0\ta\tb", ".\tTRUE\t/\tFALSE\t0\ta\tb",
    "example.org:\tFALSE\t/\tFALSE\t0\ta\tb", "example.org:0\tFALSE\t/\tFALSE\t0\ta\tb",
    "example.org:65536\tFALSE\t/\tFALSE\t0\ta\tb", "example.org:+1\tFALSE\t/\tFALSE\t0\ta\tb",
    "example.org\tFALSE\t/\tFALSE\t0\t\t", "example.org\tFALSE\t/\tFALSE\t0\ta=b\tc",
    "example.org\tFALSE\t/\tFALSE\t0\ta;b\tc", "example.org\tFALSE\t/\tFALSE\t0\ta\tb; c",
    "example.org\tFALSE\t/\tFALSE\t0\ta\u{0}\tb", "example.org\tFALSE\t/\tFALSE\t0\ta\tb\u{7F}",
    // What no server could have set.
    "example.org\tFALSE\t/\tFALSE\t0\t__Secure-a\tb", "example.org\tTRUE\t/\tTRUE\t0\t__Host-a\tb",
    "example.org\tFALSE\t/x\tTRUE\t0\t__Host-a\tb", ".co.uk\tTRUE\t/\tFALSE\t0\ta\tb",
    "com\tTRUE\t/\tFALSE\t0\ta\tb", "Set-Cookie: a=b", "Set-Cookie: a=b; domain=co uk",
    "Set-Cookie: __Host-a=b; domain=example.org",
  ])
  func strangeLinesAreCountedAndPassedOver(_ line: String) {
    let good = Self.pairs[0]
    #expect(read("\(line)\n\(good.line)") == .init(cookies: [good.cookie], unparsedLineCount: 1))
  }

  @Test func endedCookiesAndHugeOnesAreNotRead() {
    for end in ["1", "-1", "-5", "1700000000", "0000000001"] {
      #expect(read("example.org\tFALSE\t/\tFALSE\t\(end)\ta\tb") == .init(), "\(end)")
    }
    for excess in [0, 1] {
      let value = String(repeating: "v", count: 4095 + excess)
      #expect(read("example.org\tFALSE\t/\tFALSE\t0\ta\t\(value)").cookies.count == 1 - excess)
    }
    #expect(read("example.org\tFALSE\t/\tFALSE\t\(String(repeating: "9", count: 33))\ta\tb").cookies.isEmpty)
  }
}

extension String {
  fileprivate var trimmingBrackets: String { replacing("[", with: "").replacing("]", with: "") }
}
