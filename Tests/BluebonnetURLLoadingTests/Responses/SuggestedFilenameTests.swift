// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetURLLoading
import Testing

@Suite struct SuggestedFilenameTests {
  private func name(_ disposition: String?, url: String = "http://example.org/dir/last", type: String? = nil)
    throws -> String?
  {
    var fields: [(String, String)] = []
    if let disposition { fields.append(("Content-Disposition", disposition)) }
    if let type { fields.append(("Content-Type", type)) }
    return HTTPURLResponse(
      url: try #require(URL(string: url)), statusCode: 200, minorVersion: 1, fields: FieldBlock(fields)
    ).suggestedFilename
  }

  @Test(arguments: [
    ("attachment; filename=\"a b.txt\"", "a b.txt"), ("attachment; filename=plain.txt", "plain.txt"),
    ("attachment; FileName = spaced.txt ; x=y", "spaced.txt"), ("inline; filename=\"q\\\"uote\"", "q\"uote"),
    ("attachment; filename=\"semi;colon.txt\"", "semi;colon.txt"),
    ("attachment; filename=old.txt; filename*=UTF-8''%e2%82%ac%20rates.txt", "€ rates.txt"),
    ("attachment; filename*=iso-8859-1'en'%A3.txt; filename=old.txt", "£.txt"),
    ("attachment; filename*=utf-7''x; filename=old.txt", "old.txt"),
    ("attachment; filename*=UTF-8''%ff; filename=old.txt", "old.txt"),
    ("attachment; filename*=UTF-8''%zz; filename=old.txt", "%zz"),
    ("attachment; filename=\"../../etc/passwd\"", "passwd"),
    ("attachment; filename=\"C:\\\\dir\\\\x.exe\"", "x.exe"),
    ("attachment; filename*=UTF-8''..%2f..%2fevil", "evil"), ("attachment; filename=\"..\"", "last"),
    ("attachment; filename=\" .. .\"", "last"),
    ("attachment; filename=\"\"", "last"), ("attachment", "last"), ("attachment; filename", "last"),
    ("attachment; filename=\"open", "last"), ("attachment; filename=\"a\u{1}b\"", "ab"), (";;;=;", "last"),
    // A separator with an accent is another character, and the same path.
    ("attachment; filename=\"../a/\u{301}b\"", "\u{301}b"), ("attachment; filename=\"a\u{85}b\"", "ab"),
  ])
  func theDispositionProposesAName(_ disposition: String, _ expected: String) throws {
    #expect(try name(disposition) == expected)
  }

  @Test(arguments: [
    ("http://example.org/dir/last.bin", "text/plain", "last.bin"),
    ("http://example.org/dir/last", "image/png", "last.png"),
    ("http://example.org/dir/", "text/html; charset=utf-8", "dir.html"),
    ("http://example.org/", nil, "Unknown"),
    ("http://example.org", "application/json", "Unknown.json"), ("http://example.org/a%20b", nil, "a b"),
    ("http://example.org/a%2F..%2Fb", nil, "b"), ("http://example.org/x", "unknown/type", "x"),
  ])
  func otherwiseTheAddressDoes(_ url: String, _ type: String?, _ expected: String) throws {
    #expect(try name(nil, url: url, type: type) == expected)
  }
}
