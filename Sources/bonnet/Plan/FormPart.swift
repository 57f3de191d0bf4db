/// The value of `-F`.
struct FormPart: Equatable {
  let name: String
  var fileName: String?
  var type: String?
  let content: BodyPlan

  init(_ text: String, files: BodyFiles) throws(CommandError) {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
      throw CommandError(.usage, "a part of a form is written as name=value, not as '\(text)'")
    }
    name = String(text[..<equals])
    let value = text[text.index(after: equals)...]
    let source = value.first.flatMap { "@<".contains($0) ? $0 : nil }
    let words = try FormPartWords(source == nil ? value : value.dropFirst())
    fileName = words.fileName
    type = words.type
    content = source == nil ? BodyPlan(Array(words.text.utf8)) : try files.body(words.text)
    guard source == "@" else {
      // What is read for its text is no file to the receiver; a text may pose as one.
      if source == "<" { fileName = nil }
      if type == nil, let fileName { type = MediaType.guessed(fromPath: fileName) }
      return
    }
    let path = words.text
    if fileName == nil { fileName = path.split(separator: "/").last.map(String.init) ?? path }
    if type == nil, path != "-" {
      type =
        MediaType.guessed(fromPath: fileName ?? path) ?? MediaType.guessed(fromPath: path)
        ?? "application/octet-stream"
    }
  }
}
