// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import Testing

/// What the API needs of `CharacterSet` and of strings, whether they are Foundation's or our own.
@Suite struct CharacterSetTests {
  @Test(arguments: [
    ("a b", "a%20b"), ("ä/?", "%C3%A4/?"), ("100%", "100%25"), ("a+b&c=d", "a+b&c=d"), ("", ""),
    ("\u{1F600}", "%F0%9F%98%80"), ("[#]\"<>\\^`{|}", "%5B%23%5D%22%3C%3E%5C%5E%60%7B%7C%7D"),
  ])
  func queriesAreEncodedAndDecoded(_ text: String, _ encoded: String) {
    #expect(text.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) == encoded)
    #expect(encoded.removingPercentEncoding == text)
  }

  @Test(arguments: ["%", "%4", "%zz", "%FF"]) func brokenEncodingIsNotDecoded(_ text: String) {
    #expect(text.removingPercentEncoding == nil)
  }

  @Test func setsAreAlgebra() {
    let set = CharacterSet(charactersIn: "abcé")
    let other = CharacterSet(charactersIn: "cdéf")
    for scalar in "abcdéfgß€".unicodeScalars {
      let (left, right) = (set.contains(scalar), other.contains(scalar))
      #expect(set.union(other).contains(scalar) == (left || right))
      #expect(set.intersection(other).contains(scalar) == (left && right))
      #expect(set.subtracting(other).contains(scalar) == (left && !right))
      #expect(set.inverted.contains(scalar) == !left)
      #expect(set.inverted.union(other).contains(scalar) == (!left || right))
      #expect(set.inverted.intersection(other.inverted).contains(scalar) == (!left && !right))
      #expect(set.inverted.subtracting(other).contains(scalar) == (!left && !right))
      #expect(set.subtracting(other.inverted).contains(scalar) == (left && right))
    }
    var changed = set
    changed.remove(charactersIn: "aé")
    changed.insert(charactersIn: "z")
    #expect("abcéz".unicodeScalars.map { changed.contains($0) } == [false, true, true, false, true])
  }

  @Test func endsAreTrimmed() {
    #expect(" \t\na b\r\n ".trimmingCharacters(in: .whitespacesAndNewlines) == "a b")
    #expect("\n x ".trimmingCharacters(in: .whitespaces) == "\n x")
  }
}
