/// The body that the options describe, and its type.
struct RequestContent: Equatable {
  let body: BodyPlan
  let type: String

  /// Nil if the options describe none.
  init?(_ options: RequestOptions, files: BodyFiles) throws(CommandError) {
    let data = options.data + options.rawData + options.binaryData
    let kinds = [!data.isEmpty, !options.json.isEmpty, !options.parts.isEmpty].count { $0 }
    guard kinds <= 1 else { throw CommandError(.usage, "-d, --json and -F exclude each other") }
    if !data.isEmpty {
      body = try Self.form(options, files: files)
      type = "application/x-www-form-urlencoded"
    } else if !options.json.isEmpty {
      var json = BodyPlan()
      for text in options.json { json.append(try Self.content(of: text, files: files)) }
      body = json
      type = "application/json"
    } else if !options.parts.isEmpty {
      var form = MultipartForm()
      for text in options.parts { form.append(try FormPart(text, files: files)) }
      body = form.encoded
      type = form.contentType
    } else {
      return nil
    }
  }

  private static func form(_ options: RequestOptions, files: BodyFiles) throws(CommandError) -> BodyPlan {
    var form: [BodyPlan] = []
    for text in options.data { form.append(BodyPlan(try line(of: text, files: files))) }
    for text in options.rawData { form.append(BodyPlan(Array(text.utf8))) }
    for text in options.binaryData { form.append(try content(of: text, files: files)) }
    var body = form.first ?? BodyPlan()
    for piece in form.dropFirst() {
      body.append([UInt8(ascii: "&")])
      body.append(piece)
    }
    return body
  }

  /// As curl has it: a file given to -d is taken for text, whose line ends are no part of the data.
  private static func line(of text: String, files: BodyFiles) throws(CommandError) -> [UInt8] {
    guard text.hasPrefix("@") else { return Array(text.utf8) }
    return try files.read(String(text.dropFirst())).filter { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
  }

  private static func content(of text: String, files: BodyFiles) throws(CommandError) -> BodyPlan {
    text.hasPrefix("@") ? try files.body(String(text.dropFirst())) : BodyPlan(Array(text.utf8))
  }
}
