/// The body that the options describe, and its type.
struct RequestContent: Equatable {
  let bytes: [UInt8]
  let type: String

  /// Nil if the options describe none.
  init?(_ options: RequestOptions, read: (String) throws(Complaint) -> [UInt8]) throws(Complaint) {
    let data = options.data + options.rawData + options.binaryData
    let kinds = [!data.isEmpty, !options.json.isEmpty, !options.parts.isEmpty].count { $0 }
    guard kinds <= 1 else { throw Complaint(.usage, "-d, --json and -F exclude each other") }
    if !data.isEmpty {
      bytes = try Self.form(options, read: read)
      type = "application/x-www-form-urlencoded"
    } else if !options.json.isEmpty {
      var json: [UInt8] = []
      for text in options.json { json += try Self.content(of: text, read: read) }
      bytes = json
      type = "application/json"
    } else if !options.parts.isEmpty {
      var form = MultipartForm()
      for text in options.parts { form.append(try FormPart(text, read: read)) }
      bytes = form.encoded
      type = form.contentType
    } else {
      return nil
    }
  }

  private static func form(
    _ options: RequestOptions, read: (String) throws(Complaint) -> [UInt8]
  ) throws(Complaint) -> [UInt8] {
    var pieces: [[UInt8]] = []
    for text in options.data {
      // As curl has it: a file given to -d is taken for text, whose line ends are no part of the data.
      let piece = try content(of: text, read: read)
      pieces.append(text.hasPrefix("@") ? piece.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0 } : piece)
    }
    for text in options.rawData { pieces.append(Array(text.utf8)) }
    for text in options.binaryData { pieces.append(try content(of: text, read: read)) }
    return Array(pieces.joined(separator: [UInt8(ascii: "&")]))
  }

  private static func content(
    of text: String, read: (String) throws(Complaint) -> [UInt8]
  ) throws(Complaint) -> [UInt8] {
    text.hasPrefix("@") ? try read(String(text.dropFirst())) : Array(text.utf8)
  }
}
