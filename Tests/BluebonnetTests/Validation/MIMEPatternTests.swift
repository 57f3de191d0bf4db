// SPDX-License-Identifier: MIT
import Testing

@testable import Bluebonnet

@Suite struct MIMEPatternTests {
  @Test(arguments: [
    ("application/json", "application/json", true),
    ("application/json", "application/json; charset=utf-8", true),
    (" application/json ", "application/json", true),
    ("application/ json", "application/json", true),
    ("*/*", "text/html", true),
    ("text/*", "text/html", true),
    ("*/html", "text/html", true),
    ("text/*", "application/json", false),
    ("text/html", "text/plain", false),
    ("text/html;level=1", "text/html", true),
    ("Application/JSON", "application/json", true),
  ])
  func covers(acceptable: String, actual: String, expected: Bool) throws {
    let pattern = try #require(MIMEPattern(acceptable))
    #expect(pattern.matches(try #require(MIMEPattern(actual))) == expected)
  }

  @Test(arguments: ["", "text", "text/", "/html", "a/b/c", ";charset=utf-8", " / "])
  func isNoType(text: String) {
    #expect(MIMEPattern(text) == nil)
  }

  @Test(arguments: [("*/*", true), ("text/*", false), ("*/html", false), ("text/html", false)])
  func wildcard(text: String, expected: Bool) {
    #expect(MIMEPattern(text)?.isWildcard == expected)
  }
}
