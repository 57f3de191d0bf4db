// SPDX-License-Identifier: MIT

/// A text of `-F` and the parameters behind it, quoted and trimmed by curl's rules.
struct FormPartWords: Equatable {
  let text: String
  private(set) var type: String?
  private(set) var fileName: String?
  /// Fields, and behind `@` or `<` the names of files that hold some.
  private(set) var fields: [String] = []
  private(set) var encoder: String?
  /// Words that mean nothing.
  private(set) var unknown: [String] = []

  /// - Parameters:
  ///   - value: The text behind the name; the part that was read is taken away.
  ///   - end: The character that ends it, beside the end; it is taken away, too.
  init(
    _ value: inout Substring.UnicodeScalarView, endingAt end: Unicode.Scalar? = nil
  ) throws(CommandError) {
    var scanner = Scanner(rest: value, end: end)
    text = scanner.word()
    var isInType = false
    while scanner.rest.first == ";" {
      scanner.rest.removeFirst()
      let parameter = scanner.rest.drop(while: Scanner.isBlank)
      let name = String(parameter.prefix { $0 != "=" && $0 != ";" })
      switch parameter.contains("=") ? name : "" {
      case "type":
        scanner.rest = parameter.dropFirst(5).drop(while: Scanner.isBlank)
        let type = String(scanner.piece())
        guard type.contains("/") else {
          throw CommandError(.usage, "a type is written as ;type=text/plain, not as ';\(String(parameter))'")
        }
        self.type = type
        isInType = true
        continue
      case "filename":
        scanner.rest = parameter.dropFirst(9)
        fileName = scanner.word()
      case "headers":
        scanner.rest = parameter.dropFirst(8)
        let source = scanner.rest.first.flatMap { $0 == "@" || $0 == "<" ? $0 : nil }
        if source != nil { scanner.rest.removeFirst() }
        fields.append((source.map { _ in "@" } ?? "") + scanner.word())
      case "encoder":
        scanner.rest = parameter.dropFirst(8)
        encoder = scanner.word()
      default:
        // A parameter of the type itself, as in type=text/plain; charset=utf-8.
        if isInType {
          type?.append(";" + String(scanner.piece()))
          continue
        }
        scanner.rest = parameter
        let word = scanner.word()
        if !word.isEmpty { unknown.append(word) }
      }
      isInType = false
    }
    if let end, scanner.rest.first == end { scanner.rest.removeFirst() }
    value = scanner.rest
  }

  private struct Scanner {
    var rest: Substring.UnicodeScalarView
    let end: Unicode.Scalar?

    static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

    private func ends(_ scalar: Unicode.Scalar) -> Bool { scalar == ";" || scalar == end }

    /// Up to the end, which stays, without blanks before it.
    mutating func piece() -> Substring.UnicodeScalarView {
      var piece = rest.prefix { !ends($0) }
      rest = rest[piece.endIndex...]
      while let last = piece.last, Self.isBlank(last) { piece.removeLast() }
      return piece
    }

    /// A piece, or what stands in quotes.
    mutating func word() -> String {
      rest = rest.drop(while: Self.isBlank)
      return quoted() ?? String(piece())
    }

    /// Nil if there are no quotes around the whole piece; then they are part of it.
    private mutating func quoted() -> String? {
      var text = rest
      guard text.popFirst() == "\"" else { return nil }
      var word = String.UnicodeScalarView()
      while let scalar = text.popFirst() {
        if scalar == "\\", let next = text.first, next == "\\" || next == "\"" {
          word.append(text.removeFirst())
        } else if scalar == "\"" {
          text = text.drop(while: Self.isBlank)
          guard text.isEmpty || ends(text[text.startIndex]) else { return nil }
          rest = text
          return String(word)
        } else {
          word.append(scalar)
        }
      }
      return nil
    }
  }
}
