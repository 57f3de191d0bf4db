/// What stands behind `name=` in `-F`: a text and its parameters, quoted and trimmed by curl's rules.
struct FormPartWords: Equatable {
  let text: String
  private(set) var type: String?
  private(set) var fileName: String?

  init(_ value: Substring) throws(CommandError) {
    var rest = value
    text = Self.word(&rest)
    var isInType = false
    while rest.popFirst() != nil {
      let parameter = rest.drop(while: Self.isBlank)
      if parameter.hasPrefix("type=") {
        rest = parameter.dropFirst("type=".count)
        type = String(Self.piece(&rest).drop(while: Self.isBlank))
        guard type?.contains("/") == true else {
          throw CommandError(.usage, "a type is written as ;type=text/plain, not as ';\(parameter)'")
        }
        isInType = true
      } else if parameter.hasPrefix("filename=") {
        rest = parameter.dropFirst("filename=".count)
        fileName = Self.word(&rest)
        isInType = false
      } else if isInType {
        // A parameter of the type itself, as in type=text/plain; charset=utf-8.
        type?.append(";" + Self.piece(&rest))
      } else {
        throw CommandError(
          .usage,
          "-F knows ;type= and ;filename=, not ';\(rest)'; quote a value with semicolons, as a=\"b;c\"")
      }
    }
  }

  private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }

  /// Up to the next semicolon, which stays, without blanks at the end.
  private static func piece(_ rest: inout Substring) -> Substring {
    var piece = rest.prefix { $0 != ";" }
    rest = rest[piece.endIndex...]
    while let last = piece.last, isBlank(last) { piece.removeLast() }
    return piece
  }

  /// A piece, or what stands in quotes.
  private static func word(_ rest: inout Substring) -> String {
    rest = rest.drop(while: isBlank)
    return quoted(&rest) ?? String(piece(&rest))
  }

  /// Nil if there are no quotes around the whole piece; then they are part of it.
  private static func quoted(_ rest: inout Substring) -> String? {
    var text = rest
    guard text.popFirst() == "\"" else { return nil }
    var word = ""
    while let character = text.popFirst() {
      if character == "\\", let next = text.first, next == "\\" || next == "\"" {
        word.append(text.removeFirst())
      } else if character == "\"" {
        text = text.drop(while: isBlank)
        guard text.first == ";" || text.isEmpty else { return nil }
        rest = text
        return word
      } else {
        word.append(character)
      }
    }
    return nil
  }
}
