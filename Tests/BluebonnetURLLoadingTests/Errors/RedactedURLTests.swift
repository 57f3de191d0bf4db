// SPDX-License-Identifier: MIT
import BluebonnetURLLoading
import Testing

@Suite struct RedactedURLTests {
  @Test(arguments: [
    ("http://example.org/a/b", "http://example.org/a/b"),
    ("http://me:secret@example.org:81/a", "http://example.org:81/a"),
    ("http://me@example.org", "http://example.org"),
    ("http://m@e:sec@ret@example.org/", "http://example.org/"),
    ("http://example.org/@me/x", "http://example.org/@me/x"),
    ("http://example.org/?q=a@b", "http://example.org/?…"),
    ("http://example.org/#secret@b", "http://example.org/"),
    ("http://example.org?secret", "http://example.org?…"),
    ("http://me:secret@[::1]:80/", "http://[::1]:80/"),
    ("//me:secret@example.org/", "//example.org/"),
    ("me:secret@example.org/a", "me:example.org/a"),
    ("me@example.org", "example.org"), ("data:,a@b", "data:,a@b"),
    ("/a/b:c@d", "/a/b:c@d"),
    ("localhost:8099/get", "localhost:8099/get"),
    ("http://a\r\nInjected: b", "http://a%0D%0AInjected: b"),
    ("http:///me:secret@example.org/a", "http:///example.org/a"),
    ("HTTP:/me:secret@example.org/a", "HTTP:/example.org/a"),
    ("https//me:secret@example.org/a@b?q", "https//b?…"),
    ("http:////me:sec/ret@example.org", "http:////example.org"),
    ("http:///a?b@c", "http:///a?…"), ("file:///home/@me/a", "file:///home/@me/a"),
    ("", ""), (":", ":"), ("@", ""), ("?", "?…"), ("http://", "http://"), ("http:/", "http:/"),
  ])
  func showsNoSecrets(text: String, shown: String) {
    #expect(RedactedURL(text).short == shown)
  }

  @Test(arguments: [
    ("http://me:sec/r?e#t@example.org/a", "http://example.org/a"),
    ("http://me:secret@exa mple.org/?q", "http://exa mple.org/?…"),
    ("http://exa mple.org/", "http://exa mple.org/"),
    ("me:secret", "me:secret"), ("a@b", "b"), ("/x@b:c", "b:c"), ("", ""),
  ])
  func takesNoChancesWithWhatIsNoURL(text: String, shown: String) {
    #expect(RedactedURL(unparsed: text).short == shown)
  }

  @Test func longOnesAreCutWhereACharacterEnds() {
    let long = RedactedURL("http://h/" + String(repeating: "ä", count: 1_000) + "?q").short
    #expect(long.hasPrefix("http://h/ä"))
    #expect(long.hasSuffix("ä…?…"))
    #expect(long.utf8.count < 320)
    #expect(!long.contains("\u{FFFD}"))
  }
}
