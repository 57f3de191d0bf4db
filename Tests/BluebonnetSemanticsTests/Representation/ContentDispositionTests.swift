// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

@Suite struct ContentDispositionTests {
  @Test(arguments: [
    ("attachment; filename=\"../../etc/passwd\"", "passwd"),
    ("attachment; filename=\"C:\\\\dir\\\\a.txt\"", "a.txt"),
    ("attachment; filename=\"..\"", nil),
    ("attachment; filename=\"a/\"", nil),
    ("attachment; filename=\"a\u{7}b\"", "ab"),
    ("attachment; filename*=UTF-8''%2e%2e%2fx", "x"),
    ("attachment; filename=plain.txt;", "plain.txt"),
    ("attachment; filename=plain.txt \t; size=1", "plain.txt"),
    ("attachment; filename=two words.txt; size=1", nil),
    ("attachment; filename=\". .\"", nil),
    ("inline", nil),
  ])
  func onlyTheLastComponentNamesAFile(header: String, expected: String?) {
    #expect(ContentDisposition(header)?.safeFilename == expected)
  }

  @Test func thousandsOfPiecesAreJoined() {
    let pieces = (0..<4000).map { "; filename*\($0)=x" }.joined()
    #expect(ContentDisposition("attachment" + pieces)?.filename == String(repeating: "x", count: 4000))
    #expect(ContentDisposition("attachment" + pieces + "; filename*7=y") == nil)
  }

  @Test func damagedPercentSignsStandForThemselves() {
    #expect(ContentDisposition("attachment; filename*=UTF-8''f%oo%4")?.filename == "f%oo%4")
  }
}
