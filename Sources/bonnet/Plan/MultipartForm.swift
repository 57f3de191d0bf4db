/// A `multipart/form-data` body (RFC 7578).
struct MultipartForm {
  let boundary: String
  private(set) var encoded: [UInt8]

  init(boundary: String = "----bonnet" + String(UInt64.random(in: .min ... .max), radix: 16)) {
    self.boundary = boundary
    encoded = Array("--\(boundary)--\r\n".utf8)
  }

  var contentType: String { "multipart/form-data; boundary=\(boundary)" }

  mutating func append(_ part: FormPart) {
    // The closing delimiter gives way to an ordinary one.
    encoded.removeLast("--\r\n".utf8.count)
    var head = "\r\nContent-Disposition: form-data; name=\"\(Self.quoted(part.name))\""
    if let name = part.fileName { head += "; filename=\"\(Self.quoted(name))\"" }
    if let type = part.type { head += "\r\nContent-Type: \(type)" }
    encoded += Array((head + "\r\n\r\n").utf8) + part.content + Array("\r\n--\(boundary)--\r\n".utf8)
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
