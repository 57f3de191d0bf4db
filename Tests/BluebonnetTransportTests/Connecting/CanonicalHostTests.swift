// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetTransport

@Suite struct CanonicalHostTests {
  /// Each row is one host in several spellings; the first one is the canonical form.
  @Test(arguments: [
    ["www.example.com", "WWW.EXAMPLE.COM", "www.exampl%65.com", "www.example.com.", "%57ww.example.com%2E"],
    [
      "xn--mnchen-3ya.de", "münchen.de", "MÜNCHEN.DE.", "m%C3%BCnchen.de", "XN--MNCHEN-3YA.de",
      "mu\u{308}nchen。de",
    ],
    ["under_score.example", "UNDER_score.example."],
    [
      "127.0.0.1", "127.1", "0x7f.1", "0X7F.0.0.1", "2130706433", "017700000001", "127.0.1", "127.0.0.1.",
      "１２７.1", "%31%32%37.1",
    ],
    ["0.0.0.0", "0", "00", "0x0", "0.0"],
    ["10.20.30.40", "10.20.30.050", "10.20.7720", "10.20.30.40."],
    ["255.255.255.255", "4294967295", "0xffffffff", "255.16777215"],
    ["::1", "[::1]", "[0:0:0:0:0:0:0:1]", "0::0001", "[::0.0.0.1]"],
    ["2001:db8::a", "[2001:DB8:0::A]", "2001:0db8:0000:0:0:0:0:000a"],
    ["::ffff:127.0.0.1", "[::FFFF:7f00:1]"],
    ["fe80::1%lo", "[fe80::1%25lo]", "fe80::1%1", "[FE80::1%251]"],
    // What no resolver takes for an address is a name.
    ["1.2.3.4.5"], ["256.1.1.1"], ["127.0.0.08"], ["0x.1"], ["4294967296"], ["1.2.3.256"], ["foo.1"],
    ["1.2.3.a"],
    ["localhost", "LOCALHOST", "localhost.", "ｌocalhost"],
  ])
  func spellingsOfOneHost(spellings: [String]) throws {
    for spelling in spellings { #expect(try CanonicalHost(spelling).name == spellings[0], "\(spelling)") }
  }

  @Test(arguments: [
    "", ".", "a..b", "example.com..", "a b", "a%00", "a%2Fb", "[::1", "[1.2.3.4]", "a:80",
    "[fe80::1%25none0]",
  ])
  func whatIsNoHost(spelling: String) {
    #expect(throws: InvalidHost.self) { try CanonicalHost(spelling) }
  }

  @Test func itIsItsOwnCanonicalForm() throws {
    var generator = SystemRandomNumberGenerator()
    let alphabet: [Character] = Array("aZ0.9-_%412Eüß。Ａ[]:x")
    var hosts = 0
    for _ in 0..<20_000 {
      let length = Int.random(in: 1...12, using: &generator)
      let spelling = String((0..<length).map { _ in alphabet.randomElement(using: &generator) ?? "a" })
      guard let host = try? CanonicalHost(spelling) else { continue }
      hosts += 1
      #expect(try CanonicalHost(host.name) == host, "\(spelling)")
      // An interface is what it is called, in these letters.
      if !host.isIPv6 { #expect(try CanonicalHost(host.name.uppercased()) == host, "\(spelling)") }
    }
    #expect(hosts > 100)
  }

  @Test func theLongestNames() throws {
    let label = String(repeating: "a", count: 63)
    let name = [label, label, label, String(repeating: "b", count: 61)].joined(separator: ".")
    #expect(try CanonicalHost(name.uppercased() + ".").name == name)
    #expect(throws: InvalidHost.badLength) { try CanonicalHost(name + "b") }
    #expect(throws: InvalidHost.badLength) { try CanonicalHost(label + "a.b") }
  }
}
