// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

/// RFC 6265bis §5.7, step 16: an insecure origin leaves secure cookies alone.
@Suite struct CookieJarSecureTests {
  private static func origin(_ url: String) throws -> WebOrigin { try TargetURI(url) { $0 }.origin }

  private static func cookie(_ text: String, isSecure: Bool = false) -> Cookie {
    // name@domain/path, with a dot in front of the domain if hosts below it are covered.
    let halves = text.split(separator: "@")
    let place = halves[1].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let domain = String(place[0])
    var cookie = Cookie(
      name: String(halves[0]), value: isSecure ? "secure" : "plain",
      domain: domain.hasPrefix(".") ? String(domain.dropFirst()) : domain, isHostOnly: !domain.hasPrefix("."),
      path: "/" + place[1])
    cookie.isSecure = isSecure
    return cookie
  }

  @Test(arguments: [
    // The one that is there, the new one, whether that is stored.
    ("a@www.a.test/", "a@www.a.test/", false), ("a@www.a.test/", "b@www.a.test/", true),
    ("a@www.a.test/", "a@.a.test/", false), ("a@.a.test/", "a@www.a.test/", false),
    ("a@.a.test/", "a@.www.a.test/", false), ("a@www.a.test/", "a@ftp.a.test/", true),
    ("a@www.a.test/", "a@wwww.a.test/", true), ("a@ww.a.test/", "a@www.a.test/", true),
    // Its path reaches requests that carry the secure one.
    ("a@www.a.test/", "a@www.a.test/x", false), ("a@www.a.test/x", "a@www.a.test/x/y", false),
    // It doesn't: the draft lets a shorter path in.
    ("a@www.a.test/x", "a@www.a.test/", true), ("a@www.a.test/x", "a@www.a.test/xy", true),
    ("a@www.a.test/x/y", "a@www.a.test/x", true),
  ])
  func anInsecureOriginDoesNotCover(_ old: String, _ new: String, _ isStored: Bool) throws {
    for (url, isAllowed) in [
      ("http://www.a.test/", isStored), ("https://www.a.test/", true), ("http://localhost/", true),
    ] {
      var jar = CookieJar()
      jar.store(Self.cookie(old, isSecure: true), now: 0)
      jar.set(Self.cookie(new), from: try Self.origin(url))
      #expect(jar.all(now: 0).contains { $0.value == "plain" } == isAllowed, "\(url)")
    }
  }

  @Test func whatWasRemovedIsInNobodysWay() throws {
    var jar = CookieJar()
    let origin = try Self.origin("http://a.test/")
    jar.store(Self.cookie("a@a.test/", isSecure: true), now: 0)
    jar.store(Self.cookie("a@a.test/x", isSecure: true), now: 0)
    for path in ["/", "/x"] {
      jar.set(Self.cookie("a@a.test/x"), from: origin)
      #expect(!jar.all(now: 0).contains { $0.value == "plain" }, "\(path)")
      jar.remove { holder, _ in holder.path == path }
    }
    jar.set(Self.cookie("a@a.test/x"), from: origin)
    #expect(jar.all(now: 0).map(\.value) == ["plain"])
  }

  /// An insecure cookie that has ended removes nothing of a secure origin's either.
  @Test func anInsecureOriginRemovesNoSecureCookie() throws {
    var jar = CookieJar()
    jar.store(Self.cookie("a@a.test/", isSecure: true), now: 0)
    var gone = Self.cookie("a@a.test/")
    gone.expires = -.infinity
    jar.set(gone, from: try Self.origin("http://a.test/"))
    #expect(jar.all(now: 0).count == 1)
    jar.set(gone, from: try Self.origin("https://a.test/"))
    #expect(jar.isEmpty)
  }

  /// A replacement takes over the place and the creation, and counts as secure only if it is.
  @Test func aReplacementIsAsSecureAsItSays() throws {
    var jar = CookieJar()
    jar.store(Self.cookie("a@a.test/", isSecure: true), now: 0)
    jar.store(Self.cookie("b@a.test/"), now: 0)
    let insecure = try Self.origin("http://a.test/")
    #expect(!jar.accepts(Self.cookie("a@a.test/x"), from: insecure))
    jar.store(Self.cookie("a@a.test/"), now: 0)
    #expect(jar.accepts(Self.cookie("a@a.test/x"), from: insecure))
    jar.store(Self.cookie("a@a.test/", isSecure: true), now: 0)
    #expect(!jar.accepts(Self.cookie("a@a.test/x"), from: insecure))
    let found = jar.cookies(for: try TargetURI("https://a.test/") { $0 }, now: 0)
    #expect(found.map(\.name) == ["a", "b"])
    #expect(jar.all(now: 0).count == 2)
  }

  @Test func secureCookiesGoToThisMachineInTheClear() throws {
    var jar = CookieJar()
    for host in ["localhost", "a.test"] { jar.store(Self.cookie("a@\(host)/", isSecure: true), now: 0) }
    for (url, count) in [
      ("http://localhost:8080/", 1), ("https://localhost/", 1), ("http://a.test/", 0), ("https://a.test/", 1),
    ] {
      let found = jar.cookies(for: try TargetURI(url) { $0 }, now: 0)
      #expect(found.count == count, "\(url)")
    }
  }
}

extension CookieJar {
  fileprivate mutating func set(_ cookie: Cookie, from origin: WebOrigin) {
    if accepts(cookie, from: origin) { store(cookie, now: 0) }
  }
}
