import BluebonnetSemantics

/// The values of `-d` and its kin.
enum DataOption {
  case form
  case raw
  case binary
  case encoded
  case json

  /// The bytes that are meant. A file is named behind `@`.
  func body(_ text: String, files: BodyFiles) throws(CommandError) -> BodyPlan {
    switch self {
    case .raw: return BodyPlan(ByteText.bytes(text))
    case .encoded: return BodyPlan(try Self.encoded(text, files: files))
    case .form, .binary, .json:
      guard text.unicodeScalars.first == "@" else { return BodyPlan(ByteText.bytes(text)) }
      let path = String(text.unicodeScalars.dropFirst())
      guard case .form = self else { return try files.body(path) }
      // A file given to -d is taken for text, without its line ends.
      return BodyPlan(try files.read(path).filter { $0 != 0x0A && $0 != 0x0D && $0 != 0 })
    }
  }

  /// `content`, `=content`, `name=content`, `@file` or `name@file`; only the content is escaped.
  static func encoded(_ text: String, files: BodyFiles) throws(CommandError) -> [UInt8] {
    let scalars = text.unicodeScalars
    guard let mark = scalars.firstIndex(where: { $0 == "=" || $0 == "@" }) else {
      return PercentCoding.encodedForm(ByteText.bytes(text))
    }
    let name = String(scalars[..<mark])
    let rest = String(scalars[scalars.index(after: mark)...])
    let content = scalars[mark] == "@" ? try files.read(rest) : ByteText.bytes(rest)
    return ByteText.bytes(name) + (name.isEmpty ? [] : [UInt8(ascii: "=")])
      + PercentCoding.encodedForm(content)
  }
}

extension ContentOptions {
  /// Adds data behind those that are there, with `&` between them unless they are JSON.
  mutating func add(_ body: BodyPlan, as kind: DataOption) {
    if case .json = kind { isJSON = true }
    guard var all = data else { return data = body }
    // Taken out, so that the present data are not copied.
    data = nil
    if case .json = kind {} else { all.append([UInt8(ascii: "&")]) }
    all.append(body)
    data = all
  }

  mutating func addQuery(_ text: String) {
    query = query.map { $0 + "&" + text } ?? text
  }
}
