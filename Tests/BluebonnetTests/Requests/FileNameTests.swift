import Testing

@testable import Bluebonnet

/// Names of files that a server suggests, as file systems take them.
@Suite struct FileNameTests {
  @Test(arguments: [
    ("a.txt", "a.txt"), (String(repeating: "a", count: 255), String(repeating: "a", count: 255)),
    (String(repeating: "a", count: 300), String(repeating: "a", count: 255)),
    (String(repeating: "a", count: 300) + ".tar", String(repeating: "a", count: 251) + ".tar"),
    // No half characters.
    (String(repeating: "\u{20AC}", count: 100) + ".txt", String(repeating: "\u{20AC}", count: 83) + ".txt"),
    // What takes half of the name is no extension.
    ("a." + String(repeating: "b", count: 300), "a." + String(repeating: "b", count: 253)),
    ("." + String(repeating: "b", count: 300), "." + String(repeating: "b", count: 254)),
  ])
  func isShortened(name: String, shortened: String) {
    #expect(name.shortenedFileName == shortened)
    #expect(name.shortenedFileName.utf8.count <= 255)
  }
}
