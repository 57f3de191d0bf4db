// SPDX-License-Identifier: MIT
import Testing

@testable import bonnet

@Suite struct URLPatternTests {
  private func all(_ text: String) throws -> [String] {
    let pattern = try URLPattern(text)
    return (0..<pattern.count).map { pattern[$0].text }
  }

  @Test(arguments: [
    ("http://a/b", ["http://a/b"]), ("a{b,c}d", ["abd", "acd"]), ("[1-3]", ["1", "2", "3"]),
    ("[1-10:4]", ["1", "5", "9"]), ("[08-11]", ["08", "09", "10", "11"]), ("[a-e:2]", ["a", "c", "e"]),
    ("{a,b}[1-2]", ["a1", "a2", "b1", "b2"]), ("a{}b", ["a{}b"]), (#"a\{b\[c"#, ["a{b[c"]), ("{a}", ["a"]),
    ("{,a}", ["", "a"]), ("http://[::1]:80/[1-2]", ["http://[::1]:80/1", "http://[::1]:80/2"]),
    ("http://[fe80::1%25eth0]/", ["http://[fe80::1%25eth0]/"]), ("[5-5]", ["5"]),
    (#"{a\,b,c}"#, ["a,b", "c"]),
  ])
  func matches(pattern: String, urls: [String]) throws {
    #expect(try all(pattern) == urls)
  }

  @Test(arguments: [
    "{a,b", "a}", "a]", "[1-", "[3-1]", "[1-10:0]", "[1-3:9]", "[a-1]", "{a{b}}", "[1]",
    "[0-9999999999][0-9999999999]", "[z-a]", "[1-2:x]",
  ])
  func whatIsNoPattern(text: String) {
    let error = #expect(throws: CommandError.self) { try URLPattern(text) }
    #expect(error?.status == .badURL)
  }

  @Test func emptyBracketsAreText() throws {
    #expect(try URLPattern("a[]={}&b[]=").parts == [.text("a[]={}&b[]=")])
  }

  @Test func names() throws {
    let match = try URLPattern("http://{one,two}/[1-2]")[3]
    #expect(match.text == "http://two/2")
    #expect(match.name("dump#1-#2.#3#x") == "dumptwo-2.#3#x")
    #expect(try URLPattern("a")[0].name("#1") == "#1")
  }
}
