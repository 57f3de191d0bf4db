/// A `multipart/form-data` body (RFC 7578).
struct MultipartForm {
  let boundary: String
  /// All parts, each behind a delimiter.
  private var parts = BodyPlan()

  init(boundary: String = "----bonnet" + String(UInt64.random(in: .min ... .max), radix: 16)) {
    self.boundary = boundary
  }

  var contentType: String { "multipart/form-data; boundary=\(boundary)" }

  var encoded: BodyPlan {
    var body = parts
    body.append(Array("--\(boundary)--\r\n".utf8))
    return body
  }

  mutating func append(_ part: FormPart) {
    var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(part.name))\""
    if let name = part.fileName { head += "; filename=\"\(Self.quoted(name))\"" }
    if let type = part.type { head += "\r\nContent-Type: \(type)" }
    parts.append(Array((head + "\r\n\r\n").utf8))
    parts.append(part.content)
    parts.append(Array("\r\n".utf8))
  }

  /// As browsers do it (WHATWG, multipart/form-data encoding): quotes and line ends by percent.
  private static func quoted(_ text: String) -> String {
    text.map { character in
      switch character {
      case "\"": "%22"
      case "\r": "%0D"
      case "\n": "%0A"
      case "\r\n": "%0D%0A"
      default: String(character)
      }
    }.joined()
  }
}
