// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

@Suite struct PublicSuffixRulesTests {
  private static let list = """
    // A comment, and an empty line.

    // ===BEGIN ICANN DOMAINS===
    com
    uk
    co.uk and a remark
    *.ck
    !www.ck
    jp
    *.kobe.jp\t// another
    !city.kobe.jp
    *.a.b.test
    \u{4E2D}.cn
    *nonsense
    !
    *.
    \(String(repeating: "x", count: 300)).com
    // ===BEGIN PRIVATE DOMAINS===
    github.io\r
    co.co.uk
    """

  private static let rules = PublicSuffixRules(Array(list.utf8)) { name in
    name == "\u{4E2D}.cn" ? "xn--fiq.cn" : name
  }

  @Test func whatIsNoRuleIsPassedOver() {
    #expect(Self.rules.ruleCount == 12)
    #expect(PublicSuffixRules([]) { $0 }.ruleCount == 0)
  }

  @Test(
    arguments: [
      ("com", nil), ("a.com", "a.com"), ("c.b.a.com", "a.com"), ("uk", nil), ("a.uk", "a.uk"), ("co.uk", nil),
      ("a.co.uk", "a.co.uk"), ("b.a.co.uk", "a.co.uk"), ("co.co.uk", nil), ("a.co.co.uk", "a.co.co.uk"),
      // A wildcard: every label in front of it makes a suffix, and the name itself is one.
      ("ck", nil), ("a.ck", nil), ("b.a.ck", "b.a.ck"), ("www.ck", "www.ck"), ("a.www.ck", "www.ck"),
      ("kobe.jp", nil), ("a.kobe.jp", nil), ("b.a.kobe.jp", "b.a.kobe.jp"), ("city.kobe.jp", "city.kobe.jp"),
      ("x.city.kobe.jp", "city.kobe.jp"),
      ("test", nil), ("b.test", "b.test"), ("a.b.test", nil), ("c.a.b.test", nil),
      ("d.c.a.b.test", "d.c.a.b.test"),
      ("xn--fiq.cn", nil), ("a.xn--fiq.cn", "a.xn--fiq.cn"), ("github.io", nil),
      ("a.github.io", "a.github.io"),
      // Unknown: the last label.
      ("unknown", nil), ("a.unknown", "a.unknown"), ("b.a.unknown", "a.unknown"), ("", nil), (".com", nil),
      ("com.", nil), ("..", nil),
    ] as [(String, String?)])
  func domainsAreJudged(_ host: String, _ registered: String?) {
    #expect(Self.rules.registrableDomain(of: host) == registered)
  }

  @Test func onlyASuffixIsCovered() {
    for host in [
      "com", "co.uk", "a.ck", "ck", "unknown", "", "kobe.jp", "a.kobe.jp", "a.b.test", "github.io",
    ] {
      #expect(Self.rules.covers(host), "\(host)")
    }
    for host in ["a.com", "www.ck", "city.kobe.jp", "b.test", "a.github.io"] {
      #expect(!Self.rules.covers(host), "\(host)")
    }
  }

  @Test(arguments: [
    ("com", true), ("co.uk", true), ("example.com", false), ("a.co.uk", false), ("com.au", true), ("", true),
    ("co.com", false), ("github.io", true), ("a.github.io", false), ("a.b.github.io", false), ("a.ck", true),
    ("www.ck", false), ("b.a.ck", false), ("shop.example", false), ("city.kobe.jp", false),
    ("x.kobe.jp", true),
    ("s3.amazonaws.com", true), ("eu.compute.amazonaws.com", true), ("amazonaws.com", false),
    ("org.uk", true),
  ])
  func withoutAListThereAreAFewRules(_ domain: String, _ covered: Bool) {
    #expect(PublicSuffixRules.builtIn.covers(domain) == covered)
  }

  /// Many names fall into few slots at first.
  @Test func thousandsOfRulesAreFoundAgain() {
    let names = (0..<20_000).map { "n\($0 &* 7919).t\($0 % 97)" }
    let rules = PublicSuffixRules(Array(names.joined(separator: "\n").utf8)) { $0 }
    #expect(rules.ruleCount == 20_000)
    #expect(names.allSatisfy { rules.covers($0) && rules.registrableDomain(of: "a.b." + $0) == "b." + $0 })
    #expect(!rules.covers("n1.t1") || names.contains("n1.t1"))
  }
}
