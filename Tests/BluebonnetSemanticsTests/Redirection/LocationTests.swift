// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics
import Testing

@Suite struct LocationTests {
  /// RFC 3986 §5.4.1 and §5.4.2; a reference without a query or a fragment is told by what it becomes.
  @Test(arguments: [
    ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
    ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
    (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
    ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
    ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
    ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
    ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
    ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
    ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
  ])
  func referencesAreResolved(_ reference: String, _ expected: String) {
    #expect(Location.resolve(reference, against: "http://a/b/c/d;p?q") == expected)
  }

  @Test(arguments: [
    ("http://b.test/x/../y", "http://a.test/", "http://b.test/y"),
    ("y", "http://a.test", "http://a.test/y"), ("?y", "http://a.test", "http://a.test?y"),
    ("", "http://a.test", "http://a.test"), ("/a//b/../c", "http://a.test/", "http://a.test/a//c"),
    ("//b.test/x/../y", "https://a.test/", "https://b.test/y"), ("a:b", "http://a.test/", "a:b"),
    ("./a:b", "http://a.test/c", "http://a.test/a:b"), ("1:2", "http://a.test/c", "http://a.test/1:2"),
    (" /trim\t", "http://a.test/", "http://a.test/trim"), ("/a b", "http://a.test/", "http://a.test/a%20b"),
    ("/%E9[x] y%zz%", "http://a.test/", "http://a.test/%E9%5Bx%5D%20y%25zz%25"),
    ("//[::1]:80/[", "http://a.test/", "http://[::1]:80/%5B"),
    ("a\\b|c", "http://a.test/", "http://a.test/a%5Cb%7Cc"),
  ])
  func whatNoURLMayContainIsEncoded(_ reference: String, _ base: String, _ expected: String) {
    #expect(Location.resolve(reference, against: base) == expected)
  }

  @Test(arguments: [("/y", "#frag"), ("/y#own", "#own"), ("/y#", "#"), ("", "#frag"), ("?q", "#frag")])
  func theFragmentIsInherited(_ reference: String, _ fragment: String) throws {
    let resolved = try #require(Location.resolve(reference, against: "http://a.test/x#frag"))
    #expect(resolved.hasSuffix(fragment))
  }

  @Test func controlCharactersAreInNoReference() {
    for byte in [UInt8](0...31) + [127] where byte != 9 {
      #expect(Location.resolve("/a\(Unicode.Scalar(byte))b", against: "http://a.test/") == nil)
    }
  }

  @Test func fieldsThatAgreeAreOneLocation() {
    #expect(Location(of: FieldBlock([("A", "b")])) == .none)
    #expect(Location(of: FieldBlock([("Location", "/a"), ("location", "/a")])) == .reference("/a"))
    #expect(Location(of: FieldBlock([("Location", "/a"), ("Location", "/b")])) == .contradictory)
    #expect(Location(of: FieldBlock([("Location", "/ü")])) == .reference("/%C3%BC"))
  }

  @Test func emptyFieldsAreNoLocation() {
    #expect(Location(of: FieldBlock([("Location", "")])) == .none)
    #expect(Location(of: FieldBlock([("Location", ""), ("Location", "")])) == .none)
    #expect(Location(of: FieldBlock([("Location", ""), ("Location", "/a")])) == .reference("/a"))
    #expect(Location(of: FieldBlock([("Location", "/a"), ("Location", "")])) == .reference("/a"))
    #expect(
      Location(of: FieldBlock([("Location", "/a"), ("Location", ""), ("Location", "/b")])) == .contradictory)
  }
}
