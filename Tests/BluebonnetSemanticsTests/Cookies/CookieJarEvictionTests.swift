// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

/// RFC 6265bis §5.7: what goes first when there are too many.
@Suite struct CookieJarEvictionTests {
  private typealias Jar = CookieJar

  private func cookie(
    _ name: String, _ domain: String, isSecure: Bool = false, expires: Double? = nil
  ) -> Cookie {
    var cookie = Cookie(name: name, value: "v", domain: domain, isHostOnly: false, path: "/")
    cookie.isSecure = isSecure
    cookie.expires = expires
    return cookie
  }

  @Test func endedCookiesGoFirstThenInsecureOnesThenTheLongestUnused() {
    var jar = Jar()
    for number in 0..<Jar.domainLimit {
      // 0 is secure and the oldest, 1 is insecure, 2 will have ended.
      jar.store(
        cookie("c\(number)", "a.test", isSecure: number != 1, expires: number == 2 ? 10 : nil), now: 0)
    }
    jar.store(cookie("first", "a.test", isSecure: true), now: 20)
    #expect(!jar.all(now: 0).contains { $0.name == "c2" })
    #expect(jar.all(now: 20).count == Jar.domainLimit)
    jar.store(cookie("second", "a.test", isSecure: true), now: 20)
    #expect(!jar.all(now: 20).contains { $0.name == "c1" })
    jar.store(cookie("third", "a.test", isSecure: true), now: 20)
    #expect(!jar.all(now: 20).contains { $0.name == "c0" })
    // All others are secure: one that is not is no reason to drop them.
    jar.store(cookie("fourth", "a.test"), now: 20)
    let names = jar.all(now: 20).map(\.name)
    #expect(names.count == Jar.domainLimit && !names.contains("fourth") && names.contains("c3"))
  }

  @Test func domainsThatHaveManyGiveWayToOthers() throws {
    var jar = Jar()
    // The oldest of all is the only one of its domain.
    jar.store(cookie("only", "modest.test"), now: 0)
    let crowd = Jar.fairShare + 1
    for number in 0..<crowd { jar.store(cookie("s\(number)", "b.test", isSecure: true), now: 0) }
    for number in 0..<crowd { jar.store(cookie("p\(number)", "c.test"), now: 0) }
    for number in 0..<(Jar.totalLimit - 1 - 2 * crowd) { jar.store(cookie("c", "h\(number).test"), now: 0) }
    jar.store(cookie("one more", "d.test"), now: 0)
    func names() -> [String] { jar.all(now: 0).map(\.name) }
    // An insecure one of a domain with many, though a secure one of another is older.
    #expect(!names().contains("p0") && names().contains("s0") && names().contains("only"))
    jar.store(cookie("two more", "d.test"), now: 0)
    // That domain has no more than its share now.
    #expect(!names().contains("s0") && names().contains("p1") && names().contains("only"))
    jar.store(cookie("three more", "d.test"), now: 0)
    // No domain has many: the oldest of all.
    #expect(!names().contains("only") && names().contains("s1"))
    #expect(names().count == Jar.totalLimit)
  }

  @Test func oldCookiesOfAFileGoOutInAnOrderOfTheirOwn() throws {
    var jar = Jar()
    func named(_ name: String, _ domain: String, _ path: String = "/") -> Cookie {
      Cookie(name: name, value: "v", domain: domain, isHostOnly: false, path: path)
    }
    jar.store(named("new", "b.a.test"), now: 0)
    for cookie in [
      named("x", "a.test"), named("longer", "a.test"), named("y", "b.a.test"), named("z", "a.test"),
      named("deep", "a.test", "/p"),
    ] {
      jar.store(cookie, now: 0, isOld: true)
    }
    let target = try TargetURI("http://b.a.test/p") { $0 }
    #expect(jar.cookies(for: target, now: 0).map(\.name) == ["deep", "y", "longer", "x", "z", "new"])
    #expect(jar.all(now: 0).map(\.name) == ["x", "longer", "y", "z", "deep", "new"])
  }

  @Test func everyChangeIsCounted() throws {
    var jar = Jar()
    var last = jar.changeCount
    func hasChanged() -> Bool {
      defer { last = jar.changeCount }
      return jar.changeCount != last
    }
    jar.store(cookie("a", "a.test", expires: 10), now: 0)
    #expect(hasChanged())
    _ = jar.cookies(for: try TargetURI("http://a.test/") { $0 }, now: 0)
    _ = jar.all(now: 0)
    #expect(!hasChanged())
    jar.store(cookie("b", "a.test", expires: 0), now: 0)
    #expect(!hasChanged())
    _ = jar.all(now: 10)
    #expect(hasChanged() && jar.isEmpty)
    jar.remove { _, _ in true }
    #expect(!hasChanged())
  }
}
