// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetOrigin

@Suite struct FormBodyTests {
  @Test(arguments: [
    ("application/x-www-form-urlencoded; charset=utf-8", "a=1&b=%C3%BC", ["a": "1", "b": "ü"]),
    ("application/json", #" {"a" : "1\u00fc\ud83c\udf38", "b":"\"\\\/\n"} "#, ["a": "1ü🌸", "b": "\"\\/\n"]),
    ("application/json", "{}", [:]),
    (
      "multipart/form-data; boundary=\"x y\"",
      "--x y\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n"
        + "--x y\r\ncontent-disposition: form-data; name=b; filename=f\r\nContent-Type: text/plain\r\n\r\n"
        + "two\r\nlines\r\n--x y--\r\n",
      ["a": "one", "b": "two\r\nlines"]
    ),
  ])
  func form(type: String, body: String, form: [String: String]) throws {
    let pairs = try #require(FormBody.pairs(Array(body.utf8), contentType: type))
    #expect(Dictionary(pairs.map { ($0.name, $0.value) }) { $1 } == form)
  }

  @Test(arguments: [
    ("text/plain", "a=1"), ("application/json", "[1]"), ("application/json", #"{"a":1}"#),
    ("application/json", #"{"a":"1"} x"#), ("application/json", #"{"a":"\ud83c"}"#),
    ("application/json", #"{"a":"1""#), ("multipart/form-data", "--x--"),
    ("multipart/form-data; boundary=x", "--x\r\nno end"),
  ])
  func noForm(type: String, body: String) {
    #expect(FormBody.pairs(Array(body.utf8), contentType: type) == nil)
  }
}
