// SPDX-License-Identifier: MIT
import BluebonnetProxies
import Testing

@Suite("The list of hosts without a proxy")
struct NoProxyListTests {
  @Test(
    "An entry covers what curl has it cover",
    arguments: [
      ("example.com", "example.com", true),
      ("example.com", "www.example.com", true),
      (".example.com", "example.com", true),
      (".example.com", "www.example.com", true),
      ("example.com.", "www.example.com", true),
      ("example.com", "nonexample.com", false),
      ("example.com", "example.com.evil.test", false),
      ("EXAMPLE.com", "example.com", true),
      ("www.example.com", "example.com", false),
      ("localhost,.example.com,.example.de", "example.com", true),
      ("localhost .example.com\t.example.de", "www.example.de", true),
      (", ,localhost,", "localhost", true),
      ("local", "localhost", false),
      ("", "example.com", false),
      (",", "example.com", false),
      (".", "example.com", false),
      ("*", "example.com", true),
      (" * ", "192.0.2.1", true),
      ("*", "::1", true),
      ("*.example.com", "www.example.com", false),
      ("a,*", "example.com", false),
      // Addresses.
      ("192.168.1.1", "192.168.1.1", true),
      ("192.168.1.1", "192.168.1.10", false),
      ("192.168.1", "192.168.1.1", false),
      ("168.1.1", "192.168.1.1", false),
      ("foo, bar, 192.168.0.0/24", "192.168.0.77", true),
      ("192.168.0.0/24", "192.168.1.1", false),
      ("192.168.0.0/16", "192.168.1.1", true),
      ("192.168.0.0/23", "192.168.1.1", true),
      ("192.168.0.0/33", "192.168.0.0", false),
      ("192.168.0.0/-1", "192.168.0.0", false),
      ("192.168.0.0/", "192.168.0.0", false),
      ("192.168.1.1/32", "192.168.1.1", true),
      ("192.168.1.1/32", "192.168.1.2", false),
      ("0.0.0.0/0", "192.0.2.1", true),
      ("0.0.0.0/0", "::1", false),
      ("::1", "::1", true),
      ("[::1]", "::1", true),
      ("0:0::1", "::1", true),
      ("fd00::/8", "fdab::7", true),
      ("fd00::/8", "fe80::1", false),
      ("fe80::/10", "fe80::1%eth0", true),
      ("2001:db8::/129", "2001:db8::1", false),
      ("::ffff:192.0.2.0/120", "::ffff:c000:207", true),
      ("192.0.2.1", "::ffff:192.0.2.1", false),
      // No ports.
      ("example.com:80", "example.com", false),
      ("192.0.2.1:80", "192.0.2.1", false),
    ])
  func covers(_ list: String, _ host: String, _ isCovered: Bool) {
    #expect(NoProxyList(list).contains(host) == isCovered)
  }

  @Test(
    "The exceptions of a dictionary are names, patterns and networks",
    arguments: [
      ("example.com", "example.com", true),
      ("example.com", "www.example.com", false),
      ("*.example.com", "www.example.com", true),
      ("*.example.com", "example.com", false),
      ("*.EXAMPLE.com", "a.b.example.com", true),
      ("*example.com", "nonexample.com", true),
      ("w*.ex*.com", "www.example.com", true),
      ("w*.ex*.com", "www.axample.com", false),
      ("*", "anything.test", true),
      ("169.254/16", "169.254.7.9", true),
      ("169.254/16", "169.253.7.9", false),
      ("10/8", "10.1.2.3", true),
      ("192.168.0.0/24", "192.168.0.9", true),
      ("192.0.2.*", "192.0.2.9", true),
      ("192.0.2.1", "192.0.2.1", true),
      ("fe80::/10", "fe80::1%eth0", true),
      ("::1", "::1", true),
    ])
  func excepts(_ word: String, _ host: String, _ isCovered: Bool) {
    #expect(ProxyExceptions([word]).contains(host) == isCovered)
  }

  @Test("Names without a dot are excepted where that is asked for, and addresses are not")
  func simpleNames() {
    let exceptions = ProxyExceptions(includesSimpleNames: true)
    #expect(exceptions.contains("intranet"))
    #expect(!exceptions.contains("www.example.com"))
    #expect(!exceptions.contains("::1"))
    #expect(!ProxyExceptions().contains("intranet"))
  }

  @Test("A pattern of many asterisks takes no time to speak of")
  func manyAsterisks() {
    let pattern = String(repeating: "*a", count: 200) + "b"
    #expect(!ProxyExceptions([pattern]).contains(String(repeating: "a", count: 250)))
  }

  @Test(
    "Addresses are read as they are written",
    arguments: [
      ("0.0.0.0", [0, 0, 0, 0]),
      ("255.255.255.255", [255, 255, 255, 255]),
      ("256.0.0.0", nil), ("1.2.3", nil), ("1.2.3.4.5", nil), ("01.2.3.4", nil), ("1.2.3.", nil), ("", nil),
      ("::", [UInt8](repeating: 0, count: 16)),
      ("::1", [UInt8](repeating: 0, count: 15) + [1]),
      ("1::", [0, 1] + [UInt8](repeating: 0, count: 14)),
      ("1:2:3:4:5:6:7:8", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]),
      ("1:2:3:4:5:6:7.8.9.10", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 7, 8, 9, 10]),
      ("1:2:3:4:5:6:7::", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 0]),
      ("1:2:3:4:5:6:7:8::", nil), ("1:2:3:4:5:6:7", nil), ("1::2::3", nil), (":1::", nil), (":::", nil),
      ("1:", nil), (":", nil), ("12345::", nil), ("g::", nil), ("1:2:3:4:5:6:7:8:9", nil), ("::%1", nil),
    ] as [(String, [UInt8]?)])
  func addresses(_ text: String, _ bytes: [UInt8]?) {
    #expect(IPAddress(text)?.bytes == bytes)
  }
}
