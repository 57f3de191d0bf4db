// SPDX-License-Identifier: MIT
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
    // One character, of which as much is left as there is room for.
    (
      "e" + String(repeating: "\u{301}", count: 200) + ".txt",
      "e" + String(repeating: "\u{301}", count: 125) + ".txt"
    ), ("e" + String(repeating: "\u{301}", count: 200), "e" + String(repeating: "\u{301}", count: 127)),
    // What takes half of the name is no extension.
    ("a." + String(repeating: "b", count: 300), "a." + String(repeating: "b", count: 253)),
    ("." + String(repeating: "b", count: 300), "." + String(repeating: "b", count: 254)),
  ])
  func isShortened(name: String, shortened: String) {
    #expect(name.shortenedFileName == shortened)
    #expect(name.shortenedFileName.utf8.count <= 255)
  }

  @Test func theSuggestedDestinationHasAName() throws {
    let place = DownloadRequest.suggestedDownloadDestination(for: .documentDirectory)
    let name = "e" + String(repeating: "\u{301}", count: 200)
    let url = try #require(URL(string: "http://origin.test/file"))
    let response = try #require(
      HTTPURLResponse(
        url: url, statusCode: 200, httpVersion: "HTTP/1.1",
        headerFields: ["Content-Disposition": "attachment; filename=\"\(name)\""]))
    let (file, _) = place(URL(fileURLWithPath: "/tmp/temporary"), response)
    #expect(
      file.deletingLastPathComponent().path
        == FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first?.path)
  }
}
