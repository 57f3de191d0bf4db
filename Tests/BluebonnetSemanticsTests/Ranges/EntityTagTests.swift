// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

@Suite struct EntityTagTests {
  @Test(arguments: [
    ("\"a\"", "\"a\"", false), ("W/\"a\"", "\"a\"", true), ("\"\"", "\"\"", false), ("W/\"\"", "\"\"", true),
    ("\"a-b/c,d\\e\"", "\"a-b/c,d\\e\"", false), ("\"é\"", "\"é\"", false),
  ])
  func tags(_ text: String, _ opaque: String, _ isWeak: Bool) throws {
    let tag = try #require(EntityTag(text))
    #expect(tag.opaque == opaque && tag.isWeak == isWeak)
  }

  @Test(arguments: [
    "", "a", "\"", "\"a", "a\"", "w/\"a\"", "W/", "W/\"", "\"a\"b\"", "\"a b\"", "\"a\" ", " \"a\"",
    "\"a\", \"b\"",
    "\"\u{7F}\"", "\"\u{0}\"", "W/ \"a\"", "'a'",
  ])
  func whatIsNone(_ text: String) {
    #expect(EntityTag(text) == nil)
  }

  /// The table of RFC 9110 §8.8.3.2.
  @Test(arguments: [
    ("W/\"1\"", "W/\"1\"", false), ("W/\"1\"", "W/\"2\"", false), ("W/\"1\"", "\"1\"", false),
    ("\"1\"", "\"1\"", true),
  ])
  func theStrongComparison(_ left: String, _ right: String, _ matches: Bool) throws {
    let (left, right) = (try #require(EntityTag(left)), try #require(EntityTag(right)))
    #expect(left.stronglyMatches(right) == matches && right.stronglyMatches(left) == matches)
  }
}
