// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetURLLoading
import Testing

@Suite struct HTTPURLResponseTests {
  private func response(_ fields: [(String, String)], url: String = "http://example.org/dir/name") throws
    -> HTTPURLResponse
  {
    HTTPURLResponse(
      url: try #require(URL(string: url)), statusCode: 200, minorVersion: 1, fields: FieldBlock(fields))
  }

  @Test func fieldsAreJoinedAndFoundInAnyCase() throws {
    let response = try response([("Vary", "a"), ("X-Other", "1"), ("vary", "b")])
    #expect(response.value(forHTTPHeaderField: "VARY") == "a, b")
    #expect(response.value(forHTTPHeaderField: "x-other") == "1")
    #expect(response.value(forHTTPHeaderField: "missing") == nil)
    #expect(response.allHeaderFields as? [String: String] == ["Vary": "a, b", "X-Other": "1"])
    #expect(response.joinedFields.fields.map(\.name) == ["Vary", "X-Other"])
  }

  @Test func cookiesStayApart() throws {
    let response = try response([("Set-Cookie", "a=b"), ("set-cookie", "c=d")])
    #expect(response.fields.values(.setCookie) == ["a=b", "c=d"])
  }

  @Test(arguments: [
    ("text/html; charset=UTF-8", "text/html", "utf-8"),
    ("Text/HTML;Charset=\"Latin1\"", "text/html", "latin1"),
    ("application/json", "application/json", nil),
    ("text/plain; format=flowed; charset=a", "text/plain", "a"),
    ("text/plain;charset=", "text/plain", nil), (" text/plain ", "text/plain", nil), ("nonsense", nil, nil),
    ("a/b/c", nil, nil), ("/", nil, nil), ("", nil, nil),
  ])
  func theMediaTypeIsRead(_ value: String, _ type: String?, _ charset: String?) throws {
    let response = try response([("content-type", value)])
    #expect(response.mimeType == type)
    #expect(response.textEncodingName == charset)
  }

  @Test(
    arguments: [
      ([("Content-Length", "12")], 12), ([("Content-Length", "0")], 0), ([], -1),
      ([("Content-Length", "-1")], -1),
      ([("Content-Length", "+1")], -1), ([("Content-Length", "")], -1), ([("Content-Length", "1e3")], -1),
      ([("Content-Length", "999999999999999999")], 999_999_999_999_999_999),
      ([("Content-Length", "9999999999999999999")], -1), ([("Content-Length", "x")], -1),
      ([("Content-Length", "12"), ("Content-Encoding", "gzip")], -1),
    ] as [([(String, String)], Int64)])
  func theExpectedLengthIsThatOfTheData(_ fields: [(String, String)], _ length: Int64) throws {
    #expect(try response(fields).expectedContentLength == length)
  }

  @Test func aDictionaryMakesAResponse() throws {
    let url = try #require(URL(string: "http://example.org/"))
    let made = try #require(
      HTTPURLResponse(url: url, statusCode: 404, httpVersion: "HTTP/1.0", headerFields: ["A": "1"]))
    #expect(made.statusCode == 404)
    #expect(made.minorVersion == 0)
    #expect(made.value(forHTTPHeaderField: "a") == "1")
    #expect(made.description.contains("404"))
    let same = try #require(
      HTTPURLResponse(url: url, statusCode: 404, httpVersion: nil, headerFields: ["A": "1"]))
    let other = try #require(
      HTTPURLResponse(url: url, statusCode: 404, httpVersion: nil, headerFields: ["A": "2"]))
    #expect(made == same)
    #expect(made != other)
    #expect(made.hashValue == same.hashValue)
  }

  @Test(arguments: [(200, "no error"), (404, "not found"), (299, "success"), (499, "client error")])
  func aStatusHasWords(_ status: Int, _ words: String) {
    #expect(HTTPURLResponse.localizedString(forStatusCode: status) == words)
  }

  @Test func aPlainResponseKeepsItsParts() throws {
    let url = try #require(URL(string: "file:///tmp/a.txt"))
    let response = URLResponse(
      url: url, mimeType: "text/plain", expectedContentLength: 3, textEncodingName: "utf-8")
    #expect(response.url == url)
    #expect(response.expectedContentLength == 3)
    #expect(response.suggestedFilename == "a.txt")
    #expect(response.textEncodingName == "utf-8")
  }
}
