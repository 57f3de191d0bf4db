// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetTransport

@Suite struct InternationalHostTests {
  @Test(arguments: [
    ("example.com", "example.com"),
    ("EXAMPLE.com.", "example.com."),
    ("under_score.example", "under_score.example"),
    ("127.0.0.1", "127.0.0.1"),
    ("::1", "::1"),
    ("[::1]", "::1"),
    ("[fe80::1%25lo]", "fe80::1%lo"),
    ("fe80::1%lo", "fe80::1%lo"),
    ("münchen.de", "xn--mnchen-3ya.de"),
    ("MÜNCHEN.DE", "xn--mnchen-3ya.de"),
    ("mu\u{308}nchen.de", "xn--mnchen-3ya.de"),
    ("m%C3%BCnchen.de", "xn--mnchen-3ya.de"),
    ("m%c3%bcnchen.de", "xn--mnchen-3ya.de"),
    ("ex%61mple.com", "example.com"),
    ("faß.de", "xn--fa-hia.de"),
    ("例え。テスト", "xn--r8jz45g.xn--zckzah"),
    ("ｅｘａｍｐｌｅ．ｃｏｍ", "example.com"),
    ("bü\u{AD}cher.example", "xn--bcher-kva.example"),
    ("☃.net", "xn--n3h.net"),
    ("xn--mnchen-3ya.de", "xn--mnchen-3ya.de"),
  ])
  func converts(host: String, ascii: String) throws {
    #expect(try InternationalHost.ascii(host) == ascii)
  }

  @Test(arguments: [
    ("", InvalidHost.empty),
    ("a b", .forbiddenCodePoint(0x20)),
    ("a\r\nb", .forbiddenCodePoint(0x0D)),
    ("a\0", .forbiddenCodePoint(0)),
    ("a%00", .forbiddenCodePoint(0)),
    ("a%0d%0aHost:b", .badAddressLiteral),
    ("a%0d%0ab", .forbiddenCodePoint(0x0D)),
    ("a%2Fb", .forbiddenCodePoint(0x2F)),
    ("a%25b", .forbiddenCodePoint(0x25)),
    ("user@host", .forbiddenCodePoint(0x40)),
    ("ü／x", .forbiddenCodePoint(0x2F)),
    ("ü\u{2028}", .forbiddenCodePoint(0x2028)),
    ("ü\u{3000}", .forbiddenCodePoint(0x3000)),
    ("\u{E000}", .forbiddenCodePoint(0xE000)),
    ("\u{202E}abc", .forbiddenCodePoint(0x202E)),
    ("\u{300}a", .forbiddenCodePoint(0x300)),
    ("a%", .badPercentEncoding),
    ("a%4", .badPercentEncoding),
    ("a%zz", .badPercentEncoding),
    ("a%FF", .badPercentEncoding),
    ("a%C3", .badPercentEncoding),
    ("[::1", .badAddressLiteral),
    ("[1.2.3.4]", .badAddressLiteral),
    ("[]", .badAddressLiteral),
    ("host:80", .badAddressLiteral),
    ("a..b", .badLength),
    (".", .badLength),
    (".a", .badLength),
    ("\u{AD}.ü", .badLength),
    (String(repeating: "a", count: 64), .badLength),
    (String(repeating: "ü", count: 63), .badLength),
    (String(repeating: "abc.", count: 64) + "d", .badLength),
  ])
  func refuses(host: String, reason: InvalidHost) {
    #expect(throws: reason) { try InternationalHost.ascii(host) }
  }

  @Test func acceptsTheLongestNames() throws {
    let label = String(repeating: "a", count: 63)
    let name = [label, label, label, String(repeating: "b", count: 61)].joined(separator: ".")
    #expect(name.utf8.count == 253)
    #expect(try InternationalHost.ascii(name) == name)
    #expect(try InternationalHost.ascii(name + ".") == name + ".")
  }
}
