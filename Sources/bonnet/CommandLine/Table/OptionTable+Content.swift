extension OptionTable {
  /// The content of requests.
  static let content: [OptionEntry] = [
    .value("data", "d", "data", [.post, .http, .important], "Data of a form, sent by POST; @file reads some")
    {
      parser, text throws(CommandError) in try parser.addData(text, as: .form)
    },
    .value("data-ascii", nil, "data", [.post, .http], "The same as --data") {
      parser, text throws(CommandError) in try parser.addData(text, as: .form)
    },
    .value("data-raw", nil, "data", [.post, .http], "The same, where @ has no meaning") {
      parser, text throws(CommandError) in try parser.addData(text, as: .raw)
    },
    .value("data-binary", nil, "data", [.post, .http], "The same; a file is sent as it is") {
      parser, text throws(CommandError) in try parser.addData(text, as: .binary)
    },
    .value(
      "data-urlencode", nil, "data", [.post, .http], "The same, escaped: content, name=content, name@file"
    ) {
      parser, text throws(CommandError) in try parser.addData(text, as: .encoded)
    },
    .value("json", nil, "data", [.post, .http], "JSON, sent by POST as such and wanted in return") {
      parser, text throws(CommandError) in try parser.addData(text, as: .json)
    },
    .flag("get", "G", [.http, .upload], "Puts the data into the query instead of a body") {
      $0.operation.content.putsDataIntoQuery = $1
    },
    .value(
      "url-query", nil, "data", [.http, .post, .upload], "Adds to the query, escaped as by --data-urlencode"
    ) {
      parser, text throws(CommandError) in
      let added =
        text.hasPrefix("+")
        ? Array(ByteText.bytes(text).dropFirst()) : try DataOption.encoded(text, files: parser.files)
      parser.operation.content.addQuery(ByteText.text(added))
    },
    .value(
      "form", "F", "part", [.http, .upload],
      "A part of a multipart form: name=value, name=@file, name=<file, with ;type= ;filename= ;headers="
    ) { $0.operation.content.parts.append(FormWord(text: $1, isLiteral: false)) },
    .value("form-string", nil, "part", [.http, .upload], "The same, where nothing but = has a meaning") {
      $0.operation.content.parts.append(FormWord(text: $1, isLiteral: true))
    },
    .flag("form-escape", nil, [.http, .upload], "Writes quotes in names with a backslash, not as %22") {
      $0.operation.content.escapesByBackslash = $1
    },
    .value("upload-file", "T", "file", [.upload, .important], "Sends a file by PUT; - is standard input") {
      $0.operation.uploads.append($1)
    },
    .flag("crlf", nil, [.upload], "Makes the line ends of an upload CRLF") {
      $0.operation.content.convertsLineEnds = $1
    },
  ]
}

extension CommandLineParser {
  fileprivate mutating func addData(_ text: String, as kind: DataOption) throws(CommandError) {
    let body = try kind.body(text, files: files)
    operation.content.add(body, as: kind)
  }
}
