// SPDX-License-Identifier: MIT
import Testing

@testable import bonnet

@Suite struct FormGrammarTests {
  private func part(_ text: String) throws -> FormPart {
    try #require(parts(text).first)
  }

  private func parts(_ texts: String..., isLiteral: Bool = false) throws -> [FormPart] {
    try FormGrammar.parts(
      texts.map { FormWord(text: $0, isLiteral: isLiteral) },
      files: BodyFiles { path throws(CommandError) in
        path == "fields" ? Array("X-One: 1\n# none\nX-Two: 2\n".utf8) : Array("<\(path)>".utf8)
      })
  }

  @Test(arguments: [
    (false, #"form-data; name="na%22m\e"; filename="a%22b\c""#),
    (true, #"form-data; name="na\"m\\e"; filename="a\"b\\c""#),
  ])
  func namesAreEscaped(byBackslash: Bool, disposition: String) throws {
    var body = FormBody(try parts(#"na"m\e=v;filename="a\"b\\c""#), type: "multipart/form-data; boundary=x")
    body.escapesByBackslash = byBackslash
    let text = String(decoding: try body.made().encode(), as: UTF8.self)
    #expect(text.contains("Content-Disposition: \(disposition)\r\n"))
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
    ("a=@f.json", "f.json", "application/json", "<f.json>"), ("a=b;c", nil, nil, "b"),
    ("a= \"b\" ;type=t/x; charset=u ; filename=n", "n", "t/x; charset=u", "b"),
    ("a=b;filename=c.txt", "c.txt", "text/plain", "b"), ("a=<f;filename=g", nil, nil, "<f>"),
    ("a=<f", nil, nil, "<f>"), ("a=\u{301}b;type=t/x", nil, "t/x", "\u{301}b"),
    ("a=\u{301}b;filename=\"\u{301}\"", "\u{301}", nil, "\u{301}b"),
    ("a=@\u{301}f", "\u{301}f", "application/octet-stream", "<\u{301}f>"),
  ])
  func parts(text: String, fileName: String?, type: String?, content: String) throws {
    let part = try part(text)
    #expect(part.name == "a")
    #expect(part.fileName == fileName)
    #expect(part.type == type)
    #expect(part.content == .body(BodyPlan(Array(content.utf8))))
  }

  @Test(arguments: [
    "a", "a=b;type=", "a=@f;type=text", "a=b;encoder=rot13", "=)", "a=(;type=text/plain", "a=(",
    "a=b;headers=X",
  ])
  func whatCannotBe(text: String) {
    #expect(throws: CommandError.self) { try parts(text) }
  }

  @Test func literals() throws {
    let part = try #require(parts("a=@b;type=c/d", isLiteral: true).first)
    #expect(part == FormPart(name: "a", content: .body(BodyPlan(Array("@b;type=c/d".utf8)))))
  }

  @Test func ownFields() throws {
    let part = try part("a=b;headers=\"X-Own: a;b\";headers=@fields;encoder=base64")
    #expect(part.fields == ["X-Own: a;b", "X-One: 1", "X-Two: 2"])
    #expect(part.encoder == .base64)
  }

  @Test func severalFiles() throws {
    let part = try part("a=@f.txt;type=m/f,\"g,h.png\"")
    guard case .parts(let inner, "mixed") = part.content else {
      Issue.record("one part is not enough")
      return
    }
    #expect(part.name == "a")
    #expect(inner.map(\.fileName) == ["f.txt", "g,h.png"])
    #expect(inner.map(\.type) == ["m/f", "image/png"])
    #expect(inner.allSatisfy { $0.name == nil })
  }

  @Test func nestedParts() throws {
    let parts = try parts("=(;type=multipart/alternative", "=plain", "= <b>;type=text/html", "=)", "x=y")
    #expect(parts.count == 2)
    guard case .parts(let inner, "alternative") = parts[0].content else {
      Issue.record("no parts in the first part")
      return
    }
    #expect(inner.map(\.type) == [nil, "text/html"])
    #expect(parts[1].name == "x")
  }

  @Test func encoding() throws {
    let form = FormBody(
      try parts("a\"b=1", "c=@f;headers=X-Own: 1", "d=text;encoder=base64"),
      type: "multipart/form-data; boundary=x")
    #expect(
      String(decoding: try form.made().encode(), as: UTF8.self)
        == "--x\r\nContent-Disposition: form-data; name=\"a%22b\"\r\n\r\n1"
        + "\r\n--x\r\nContent-Disposition: form-data; name=\"c\"; filename=\"f\"\r\n"
        + "Content-Type: application/octet-stream\r\nX-Own: 1\r\n\r\n<f>"
        + "\r\n--x\r\nContent-Disposition: form-data; name=\"d\"\r\n"
        + "Content-Transfer-Encoding: base64\r\n\r\ndGV4dA==\r\n--x--\r\n")
  }

  @Test func encodingOfSeveralFiles() throws {
    let text = String(
      decoding: try FormBody(try parts("a=@f.txt,g.txt"), type: "multipart/form-data; boundary=x").made()
        .encode(), as: UTF8.self)
    #expect(
      text.hasPrefix(
        "--x\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Type: multipart/mixed; boundary="))
    #expect(
      text.contains(
        "\r\nContent-Disposition: attachment; filename=\"g.txt\"\r\nContent-Type: text/plain\r\n\r\n<g.txt>"))
  }
}
