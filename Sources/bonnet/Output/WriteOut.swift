/// The text of `-w`: a format with variables.
struct WriteOut {
  let format: String

  /// Replaces `%{name}`, `%%`, `\n`, `\r` and `\t`; a variable that nobody knows is nothing.
  func text(_ variables: [String: String]) -> String {
    var text = ""
    var rest = format[...]
    while let character = rest.popFirst() {
      switch (character, rest.first) {
      case ("\\", "n"): text += "\n"
      case ("\\", "r"): text += "\r"
      case ("\\", "t"): text += "\t"
      case ("%", "%"): text += "%"
      case ("%", "{"):
        guard let end = rest.firstIndex(of: "}") else {
          text.append(character)
          continue
        }
        text += variables[String(rest[rest.index(after: rest.startIndex)..<end])] ?? ""
        rest = rest[end...]
      default:
        text.append(character)
        continue
      }
      rest.removeFirst()
    }
    return text
  }
}
