// SPDX-License-Identifier: MIT

/// The text of `-w`: a format with variables, and where its pieces go.
struct WriteOut: Equatable {
  /// The destination of the following text.
  enum Stream: Equatable {
    case output
    case error
  }

  struct Piece: Equatable {
    let stream: Stream
    var text: String
  }

  let format: String

  /// Replaces `%{name}`, `%header{name}`, `%%`, `\n`, `\r` and `\t`. An unknown variable is empty, and is said to
  /// be unknown.
  func pieces(_ variables: TransferVariables, warn: (String) -> Void = { _ in }) -> [Piece] {
    var pieces = [Piece(stream: .output, text: "")]
    func add(_ text: String) { pieces[pieces.count - 1].text += text }
    // By scalars: a mark that combines with a letter or a brace does not hide it.
    var rest = format.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch (scalar, rest.first) {
      case ("\\", "n"): add("\n")
      case ("\\", "r"): add("\r")
      case ("\\", "t"): add("\t")
      // Both are written as they are: the second of two backslashes begins nothing. The same holds for a percent sign.
      case ("\\", let next?): add("\\" + String(next))
      case ("%", "%"): add("%")
      case ("%", "{"):
        guard let end = rest.firstIndex(of: "}") else {
          add("%")
          continue
        }
        let name = String(rest[rest.index(after: rest.startIndex)..<end])
        rest = rest[end...]
        switch name {
        case "stdout": pieces.append(Piece(stream: .output, text: ""))
        case "stderr": pieces.append(Piece(stream: .error, text: ""))
        // What follows is for failures only.
        case "onerror": if variables.isSuccess { return pieces.filter { !$0.text.isEmpty } }
        default:
          if let text = variables.text(of: name) {
            add(text)
          } else {
            warn("unknown --write-out variable: '\(name)'")
          }
        }
      case ("%", "h") where rest.starts(with: "header{".unicodeScalars):
        guard let end = rest.firstIndex(of: "}") else {
          add("%")
          continue
        }
        add(variables.fieldValue(String(rest.dropFirst(7).prefix { $0 != "}" })) ?? "")
        rest = rest[end...]
      case ("%", let next?): add("%" + String(next))
      default:
        add(String(scalar))
        continue
      }
      rest.removeFirst()
    }
    return pieces.filter { !$0.text.isEmpty }
  }
}

extension WriteOut {
  /// Writes the text of `-w` at the end of a transfer, if there is one.
  ///
  /// - Returns: What went wrong; nil if nothing did.
  static func write(_ options: OutputOptions, _ variables: @autoclosure () -> TransferVariables)
    -> ExitStatus?
  {
    guard let format = options.report else { return nil }
    var output = OutputFile(.standardOutput)
    // As with curl, -s does not hide it.
    for piece in WriteOut(format: format).pieces(variables(), warn: { Terminal.say("bonnet: \($0)\n") }) {
      switch piece.stream {
      case .error: Terminal.say(piece.text)
      case .output:
        do throws(CommandError) { try output.write(piece.text) } catch { return error.status }
      }
    }
    return nil
  }
}
