// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// Names and passwords by machine, as a `.netrc` holds them.
///
/// A file is words between white space:
///
///     machine example.org login me password "a \"quoted\" word"
///     machine example.com
///       login other
///       password secret
///     macdef init
///     anything up to an empty line
///
///     default login anonymous password me@example.org
///
/// It is read as curl does: a word in double quotes may hold spaces, and `\n`, `\r`, `\t` and a backslash before anything
/// else mean what they do in C; a word that begins with `#` makes the rest of its line a remark, but for a password behind
/// its keyword (curl takes the next line's word for it); what the words are for is compared without regard to case. An entry is all
/// that stands up to the next `machine` or `default`, so a password never goes to the machine of another entry.
package struct NetrcEntries: Sendable, Equatable {
  /// The contents of one `machine` or `default`.
  package struct Entry: Sendable, Equatable {
    /// The canonical form of the host; nil for `default`.
    package let machine: String?
    package fileprivate(set) var login: [UInt8]?
    package fileprivate(set) var password: [UInt8]?
    package fileprivate(set) var account: [UInt8]?
  }

  /// Why a file cannot be read.
  package enum Fault: Error, Sendable, Hashable {
    /// The quotation marks of a word are not closed on its line.
    case unterminatedQuote(line: Int)
    /// The file ends behind a word that wants another, such as `machine`.
    case missingWord(after: String, line: Int)
  }

  /// In the order of the file.
  package private(set) var entries: [Entry] = []

  /// Reads a file.
  ///
  /// - Parameter canonicalHost: The form in which hosts are compared. A machine that has none stands for no host.
  package init(_ file: [UInt8], canonicalHost: (String) throws -> String) throws(Fault) {
    var words = NetrcWords(file)
    var hasEntry = false
    while let word = try words.next() {
      switch word.keyword {
      case "machine":
        let name = String(decoding: try words.argument(of: word) ?? [], as: UTF8.self)
        hasEntry = true
        // An empty machine is none: it must not become the default.
        entries.append(Entry(machine: (try? canonicalHost(name)) ?? ""))
      case "default":
        hasEntry = true
        entries.append(Entry(machine: nil))
      case "macdef": words.skipMacro()
      case "login", "user":
        let value = try words.argument(of: word)
        if hasEntry { entries[entries.count - 1].login = value }
      case "password", "passwd":
        let value = try words.argument(of: word)
        if hasEntry { entries[entries.count - 1].password = value }
      case "account":
        let value = try words.argument(of: word)
        if hasEntry { entries[entries.count - 1].account = value }
      // Words of other programs.
      default: continue
      }
    }
  }

  /// The first entry of a host; `default` is one of every host, where it stands.
  ///
  /// - Parameters:
  ///   - host: In its canonical form.
  ///   - user: A name that is known already, of a URL for instance: then the entry has to be of this name, or of none. In any charset,
  ///     as the file.
  package func entry(for host: String, user: [UInt8]? = nil) -> Entry? {
    entries.first { entry in
      guard entry.machine == nil || entry.machine == host else { return false }
      guard let user else { return entry.login != nil || entry.password != nil }
      return entry.password != nil && entry.login.map { $0.elementsEqual(user) } ?? true
    }
  }
}

/// The words of a `.netrc`, one after the other.
private struct NetrcWords {
  struct Word {
    let bytes: [UInt8]
    let line: Int
    /// In lower case; empty for a word in quotation marks, which never is a keyword.
    let keyword: String
  }

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func next() throws(NetrcEntries.Fault) -> Word? {
    while let byte = current {
      if byte == Byte.hash {
        while let byte = current, byte != Byte.lf { position += 1 }
      } else if byte <= Byte.space {
        if byte == Byte.lf { line += 1 }
        position += 1
      } else if byte == Byte.quote {
        return Word(bytes: try quoted(), line: line, keyword: "")
      } else {
        let word = plain()
        return Word(
          bytes: word, line: line,
          keyword: word.count > 16 ? "" : String(decoding: word, as: UTF8.self).asciiLowercased)
      }
    }
    return nil
  }

  /// Returns the argument of a keyword: the next word, of any kind. A password on the keyword's line may begin with `#`.
  ///
  /// - Returns: Nil where an entry begins on a later line instead.
  mutating func argument(of word: Word) throws(NetrcEntries.Fault) -> [UInt8]? {
    while let byte = current, byte <= Byte.space, byte != Byte.lf { position += 1 }
    if current == Byte.hash, word.keyword.hasPrefix("passw") { return plain() }
    let place = (position, line)
    guard let argument = try next() else { throw .missingWord(after: word.keyword, line: word.line) }
    if argument.line > word.line, ["machine", "default", "macdef"].contains(argument.keyword) {
      (position, line) = place
      return nil
    }
    return argument.bytes
  }

  private mutating func plain() -> [UInt8] {
    let start = position
    while let byte = current, byte > Byte.space { position += 1 }
    return Array(bytes[start..<position])
  }

  private mutating func quoted() throws(NetrcEntries.Fault) -> [UInt8] {
    var word: [UInt8] = []
    position += 1
    while let byte = current, byte != Byte.lf {
      position += 1
      if byte == Byte.quote { return word }
      guard byte == Byte.backslash, let escaped = current, escaped != Byte.lf else {
        word.append(byte)
        continue
      }
      position += 1
      switch escaped {
      case UInt8(ascii: "n"): word.append(Byte.lf)
      case UInt8(ascii: "r"): word.append(Byte.cr)
      case UInt8(ascii: "t"): word.append(Byte.tab)
      default: word.append(escaped)
      }
    }
    throw .unterminatedQuote(line: line)
  }

  /// A macro goes up to an empty line, or to the end.
  mutating func skipMacro() {
    var isFirst = true
    while position < bytes.count {
      let end = bytes[position...].firstIndex(of: Byte.lf) ?? bytes.count
      let isEmpty = bytes[position..<end].allSatisfy { $0 == Byte.cr }
      position = min(end + 1, bytes.count)
      line += 1
      // What stands behind `macdef` itself is its name.
      if isEmpty && !isFirst { return }
      isFirst = false
    }
  }
}
