import Testing

@testable import bonnet

@Suite struct FormPartTests {
  private func part(_ text: String) throws -> FormPart {
    try FormPart(text, files: BodyFiles { path throws(CommandError) in Array("<\(path)>".utf8) })
  }

  @Test(arguments: [
    ("a=b", nil, nil, "b"), ("a=\"b;c\"", nil, nil, "b;c"), (#"a="b\"\\" ;type=t/x"#, nil, "t/x", #"b"\"#),
    ("a=\"b\"c", nil, nil, "\"b\"c"), ("a= b ; type=t/x ", nil, "t/x", "b"), ("a=", nil, nil, ""),
    ("a=\"@f\"", nil, nil, "@f"),
    ("a=b=c;type=text/x", nil, "text/x", "b=c"),
    ("a=@dir/f.png", "f.png", "image/png", "<dir/f.png>"),
    ("a=@f;type=text/x;filename=g", "g", "text/x", "<f>"), ("a=@f", "f", "application/octet-stream", "<f>"),
    (
      "a=@f.txt; type=text/plain; charset=utf-8;filename=\"g;h\"", "g;h", "text/plain; charset=utf-8",
      "<f.txt>"
    ),
    ("a=@\"f.txt\";filename=g", "g", "text/plain", "<f.txt>"), ("a=@-", "-", nil, "<->"),
    ("a=@f.json", "f.json", "application/octet-stream", "<f.json>"),
    ("a=b;filename=c.txt", "c.txt", "text/plain", "b"), ("a=<f;filename=g", nil, nil, "<f>"),
    ("a=<f", nil, nil, "<f>"),
  ])
  func parts(text: String, fileName: String?, type: String?, content: String) throws {
    let part = try part(text)
    #expect(part.name == "a")
    #expect(part.fileName == fileName)
    #expect(part.type == type)
    #expect(part.content == BodyPlan(Array(content.utf8)))
  }

  @Test(arguments: [
    "a=b;c", "a=b;headers=X: y", "a=b;encoder=base64", "a=b;filename=c;d", "a=b;type=", "a=@f;type=text",
  ])
  func unknownParameters(text: String) {
    #expect(throws: CommandError.self) { try part(text) }
  }

  @Test func encoding() throws {
    var form = MultipartForm(boundary: "x")
    #expect(form.encoded == BodyPlan(Array("--x--\r\n".utf8)))
    form.append(try part("a\"b=1"))
    form.append(try part("c=@f"))
    #expect(
      form.encoded.bytes.map { String(decoding: $0, as: UTF8.self) }
        == "--x\r\nContent-Disposition: form-data; name=\"a%22b\"\r\n\r\n1\r\n"
        + "--x\r\nContent-Disposition: form-data; name=\"c\"; filename=\"f\"\r\n"
        + "Content-Type: application/octet-stream\r\n\r\n<f>\r\n--x--\r\n")
  }
}
