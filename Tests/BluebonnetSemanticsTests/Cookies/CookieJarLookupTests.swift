// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

/// Domains are found again after others have come and gone, and the last answer is not taken for the next one.
@Suite struct CookieJarLookupTests {
  private final class Known: Sendable {}

  private func cookie(_ name: String, _ domain: String, path: String = "/") -> Cookie {
    Cookie(name: name, value: "v", domain: domain, isHostOnly: false, path: path)
  }

  private func target(_ host: String) throws -> TargetURI { try TargetURI("http://\(host)/") { $0 } }

  @Test func domainsComeAndGoBetweenRequests() throws {
    var jar = CookieJar()
    func names(_ host: String) throws -> [String] {
      let target = try target(host)
      let names = jar.cookies(for: target, now: 0).map(\.name)
      let field = names.map { "\($0)=v" }.joined(separator: "; ")
      #expect((jar.header(for: target, now: 0)?.text ?? "") == field)
      return names
    }
    for name in ["a", "b", "c", "d"] { jar.store(cookie(name, "\(name).test"), now: 0) }
    #expect(try names("www.a.test") == ["a"])
    // A domain above the host that was just asked for.
    jar.store(cookie("www", "www.a.test"), now: 0)
    #expect(try names("www.a.test") == ["a", "www"])
    #expect(try names("d.test") == ["d"])
    // The first domain goes: another takes its place.
    jar.remove { cookie, _ in cookie.domain == "a.test" }
    for (host, found) in [("www.a.test", ["www"]), ("a.test", []), ("b.test", ["b"]), ("d.test", ["d"])] {
      #expect(try names(host) == found, "\(host)")
    }
    jar.store(cookie("a", "a.test"), now: 0)
    #expect(try names("www.a.test") == ["www", "a"])
    jar.remove { cookie, _ in cookie.name != "c" }
    #expect(jar.all(now: 0).map(\.name) == ["c"])
    #expect(try names("www.a.test") == [] && names("c.test") == ["c"])
  }

  @Test func oneObjectStandsForACookieUntilItIsReplaced() throws {
    var jar = CookieJar()
    let given = Known()
    jar.store(cookie("given", "a.test"), given, now: 0)
    jar.store(cookie("made", "a.test"), now: 0)
    let target = try target("a.test")
    func objects() -> [ObjectIdentifier] {
      jar.holders(for: target, now: 0) { _ in Known() }.map { ObjectIdentifier($0) }
    }
    let first = objects()
    #expect(first.first == ObjectIdentifier(given) && objects() == first)
    #expect(jar.allHolders(now: 0) { _ in Known() }.map { ObjectIdentifier($0) } == first)
    jar.store(cookie("given", "a.test"), now: 0)
    #expect(objects().first != ObjectIdentifier(given))
    jar.remove(cookie("given", "a.test")) { $0 == nil }
    #expect(objects().count == 2)
    jar.remove(cookie("given", "a.test")) { $0 != nil }
    #expect(jar.all(now: 0).map(\.name) == ["made"])
  }
}
