// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

@Suite struct MediaTypeTests {
  @Test(arguments: [
    ("text/html; charset=UTF-8", "text/html", "utf-8"),
    ("Text/HTML;Charset=\"Latin1\"", "text/html", "latin1"),
    ("application/json", "application/json", nil),
    ("text/plain; format=flowed; charset=a", "text/plain", "a"),
    ("text/plain;charset=", "text/plain", nil), (" text/plain ", "text/plain", nil),
    ("text/plain;charset=a;charset=b", "text/plain", "a"), ("text/plain;charset=\"", "text/plain", "\""),
    ("text/plain;;;charset=\"\"; charset=b", "text/plain", "b"),
  ])
  func typesAreRead(_ text: String, _ essence: String, _ charset: String?) throws {
    let type = try #require(MediaType(text))
    #expect(type.essence == essence)
    #expect(type.charset == charset)
  }

  @Test(arguments: ["", "/", "a/", "/b", "a/b/c", "nonsense", ";", "; charset=a"]) func otherTextIsNone(
    _ text: String
  ) {
    #expect(MediaType(text) == nil)
  }

  @Test(
    arguments: [
      ("attachment; filename=a.txt", "b", nil, "a.txt"), ("attachment", "b", "image/png", "b.png"),
      (nil, "b.c", "image/png", "b.c"), (nil, nil, "application/json", "Unknown.json"),
      (nil, "", nil, "Unknown"),
      (nil, "..", nil, "Unknown"), ("attachment; filename=\"..\"", "/", nil, "Unknown"),
    ] as [(String?, String?, String?, String)])
  func aNameIsSuggested(_ disposition: String?, _ last: String?, _ type: String?, _ name: String) {
    #expect(
      SuggestedFilename.make(disposition: disposition, lastPathComponent: last, mediaType: type) == name)
  }

  @Test func endingsTellTheType() {
    #expect(SuggestedFilename.mediaType(ofExtension: "jpg") == "image/jpeg")
    #expect(SuggestedFilename.mediaType(ofExtension: "jpeg") == "image/jpeg")
    #expect(SuggestedFilename.mediaType(ofExtension: "js") == "text/javascript")
    #expect(SuggestedFilename.mediaType(ofExtension: "") == nil)
  }
}
