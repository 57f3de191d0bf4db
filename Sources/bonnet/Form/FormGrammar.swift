// SPDX-License-Identifier: MIT
import Bluebonnet

/// Makes parts of what `-F` and `--form-string` say.
///
/// `name=value`, `name=@file,file`, `name=<file`, each with `;type=`, `;filename=`, `;headers=` and `;encoder=`;
/// `name=(` begins a part that holds others, and `=)` ends it.
struct FormGrammar {
  /// A part that is open: the parts in it go to the last.
  private struct Group {
    var part: FormPart
    var parts: [FormPart] = []
    var subtype: String
  }

  private let files: BodyFiles
  private var groups: [Group] = []
  private(set) var warnings: [String] = []

  init(files: BodyFiles) {
    self.files = files
    groups = [Group(part: FormPart(content: .body(BodyPlan())), subtype: "form-data")]
  }

  /// All parts of a form.
  static func parts(
    _ words: [FormWord], files: BodyFiles, warn: (String) -> Void = { _ in }
  ) throws(CommandError) -> [FormPart] {
    var grammar = FormGrammar(files: files)
    for word in words { try grammar.add(word) }
    grammar.warnings.forEach(warn)
    guard grammar.groups.count == 1 else {
      throw CommandError(.usage, "a part that was opened by '=(' is not closed")
    }
    return grammar.groups[0].parts
  }

  mutating func add(_ word: FormWord) throws(CommandError) {
    guard let (before, after) = ByteText.halves(word.text, at: "=") else {
      throw CommandError(.usage, "a part of a form is written as name=value, not as '\(word.text)'")
    }
    let name = before.isEmpty ? nil : before
    if word.isLiteral {
      return append(FormPart(name: name, content: .body(BodyPlan(ByteText.bytes(after)))))
    }
    // What the grammar is made of is looked for among the scalars: combining marks behind it are not its own.
    var value = after.unicodeScalars[...]
    switch value.first {
    case "(":
      value.removeFirst()
      try open(name, &value)
    case ")" where name == nil && after == ")": try close()
    case "@":
      value.removeFirst()
      try addFiles(name, &value)
    default: try addText(name, &value)
    }
  }

  private mutating func append(_ part: FormPart) { groups[groups.count - 1].parts.append(part) }

  private mutating func open(_ name: String?, _ value: inout Substring.UnicodeScalarView) throws(CommandError)
  {
    let words = try FormPartWords(&value)
    var part = FormPart(name: name, content: .body(BodyPlan()))
    try fill(&part, words)
    part.type = nil
    let type = words.type ?? "multipart/mixed"
    guard type.hasPrefix("multipart/") else {
      throw CommandError(.usage, "a part that holds others is of a type 'multipart/…', not '\(type)'")
    }
    groups.append(Group(part: part, subtype: String(type.dropFirst("multipart/".count))))
  }

  private mutating func close() throws(CommandError) {
    guard groups.count > 1, var group = groups.popLast() else {
      throw CommandError(.usage, "'=)' closes a part that was never opened")
    }
    group.part.content = .parts(group.parts, subtype: group.subtype)
    append(group.part)
  }

  private mutating func addFiles(_ name: String?, _ value: inout Substring.UnicodeScalarView)
    throws(CommandError)
  {
    var parts: [FormPart] = []
    repeat {
      let before = value
      let words = try FormPartWords(&value, endingAt: ",")
      var part = FormPart(
        fileName: Self.lastComponent(of: words.text), content: .body(try files.body(words.text)))
      if words.text == "-" { part.fileName = "-" }
      try fill(&part, words)
      if part.type == nil, words.text != "-" {
        part.type = MultipartFormData.contentType(
          ofFileNamed: Self.isKnown(part.fileName) ? part.fileName ?? "" : words.text)
      }
      parts.append(part)
      // Behind a comma there is another, if only an empty one.
      if value.isEmpty, before.last != "," { break }
    } while !value.isEmpty
    guard parts.count > 1 else {
      parts[0].name = name
      return append(parts[0])
    }
    append(FormPart(name: name, content: .parts(parts, subtype: "mixed")))
  }

  private mutating func addText(_ name: String?, _ value: inout Substring.UnicodeScalarView)
    throws(CommandError)
  {
    let isFile = value.first == "<"
    if isFile { value.removeFirst() }
    let words = try FormPartWords(&value)
    let body = isFile ? try files.body(words.text) : BodyPlan(ByteText.bytes(words.text))
    var part = FormPart(name: name, content: .body(body))
    try fill(&part, words)
    // A file that is read for its text is no file to the receiver; a text may pose as one.
    if isFile { part.fileName = nil }
    if part.type == nil, let fileName = part.fileName, Self.isKnown(fileName) {
      part.type = MultipartFormData.contentType(ofFileNamed: fileName)
    }
    append(part)
  }

  private mutating func fill(_ part: inout FormPart, _ words: FormPartWords) throws(CommandError) {
    part.type = words.type
    if let fileName = words.fileName { part.fileName = fileName }
    for field in words.fields {
      let lines = try FieldLine.texts(of: field, read: files.read)
      for line in lines where !line.unicodeScalars.contains(":") {
        throw CommandError(.usage, "a field of a part is written as 'Name: value', not as '\(line)'")
      }
      part.fields += lines
    }
    if let encoder = words.encoder {
      guard let known = FormPart.Encoder(rawValue: encoder.lowercased()) else {
        throw CommandError(.usage, "the encoder '\(encoder)' is none of binary, 8bit, 7bit and base64")
      }
      part.encoder = known
    }
    warnings += words.unknown.map { "-F: '\($0)' means nothing and is left out" }
  }

  private static func lastComponent(of path: String) -> String {
    ByteText.split(path, at: "/").last { !$0.isEmpty } ?? path
  }

  private static func isKnown(_ fileName: String?) -> Bool {
    fileName.map { MultipartFormData.contentType(ofFileNamed: $0) != "application/octet-stream" } ?? false
  }
}
