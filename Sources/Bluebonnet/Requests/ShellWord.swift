// SPDX-License-Identifier: MIT

/// Text as one word of a shell's command line, however it is pasted: nothing in it is run, expanded or taken for the end of
/// the line.
///
/// Words are in double quotes like those of the matched API, with `$`, backquotes, backslashes and quotes escaped, and
/// exclamation marks outside of the quotes, where a backslash keeps an interactive shell from recalling its history.
/// What holds control characters, which a terminal would take for keys, is written as `$'…'` (POSIX.1-2024). A shell that
/// doesn't know that gets a word of other content, but still one that runs nothing.
struct ShellWord: CustomStringConvertible {
  let description: String

  init(_ text: String) {
    self.init(bytes: Array(text.utf8))
  }

  /// Bytes that need not be text.
  init(bytes: [UInt8]) {
    let isText = String(validating: bytes, as: UTF8.self)
      .map { text in !text.unicodeScalars.contains { $0.properties.generalCategory == .control } }
    description = isText == true ? Self.quoted(bytes) : Self.escaped(bytes)
  }

  /// A word that needs no quotes stays without.
  static func plain(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-_.:/@%+=,".utf8.contains(byte)
      }
    }
    return isPlain && !text.isEmpty ? text : ShellWord(text).description
  }

  private static func quoted(_ bytes: [UInt8]) -> String {
    var word: [UInt8] = [UInt8(ascii: "\"")]
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "$"), UInt8(ascii: "`"):
        word += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "!"):
        word += "\"\\!\"".utf8
      default:
        word.append(byte)
      }
    }
    word.append(UInt8(ascii: "\""))
    return String(decoding: word, as: UTF8.self)
  }

  /// A single quote is written as a number, too: to a shell without `$'…'` an escaped one would end the word.
  private static func escaped(_ bytes: [UInt8]) -> String {
    var word = "$'"
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\\"): word += "\\\\"
      case UInt8(ascii: "\n"): word += "\\n"
      case UInt8(ascii: "\r"): word += "\\r"
      case UInt8(ascii: "\t"): word += "\\t"
      case 0x20...0x7E where byte != UInt8(ascii: "'") && byte != UInt8(ascii: "!"):
        word.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 8)
        word += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      }
    }
    return word + "'"
  }
}
