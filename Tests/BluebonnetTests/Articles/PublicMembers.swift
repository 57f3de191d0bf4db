// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// The public members of the types of some modules, as their sources declare them.
///
/// It reads Swift as the formatter lays it out: declarations at the margin (or one step in, within `#if`), members two
/// spaces further in.
struct PublicMembers {
  private(set) var types: [String: Set<String>] = [:]

  private static let kinds: Set<String> = ["class", "struct", "protocol", "extension", "enum"]
  private static let modifiers: Set<String> = [
    "public", "open", "package", "override", "static", "class", "convenience", "required", "mutating",
    "nonisolated", "final", "internal", "private", "fileprivate", "indirect", "internal(set)", "private(set)",
    "package(set)",
  ]

  init(sourcesIn folders: URL...) throws {
    for folder in folders {
      for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      where file.hasSuffix(".swift") {
        let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        read(text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
      }
    }
  }

  private mutating func read(_ lines: [String]) {
    var (type, margin, isProtocol, isConditional) = (nil as String?, 0, false, false)
    var nested: String?
    for (number, line) in lines.enumerated() {
      let indent = line.prefix { $0 == " " }.count
      let text = line.dropFirst(indent)
      if text.hasPrefix("#if"), indent == 0 { isConditional = true }
      if text.hasPrefix("//") { continue }
      let words = text.split(separator: " ").map(String.init)
      let count = Self.modifierCount(words)
      guard count < words.count else {
        if nested != nil, indent == margin + 2, text.hasPrefix("}") { nested = nil }
        continue
      }
      let (keyword, isPublic) = (words[count], words[..<count].contains { $0 == "public" || $0 == "open" })
      let next = count + 1 < words.count ? words[count + 1] : ""
      if Self.kinds.contains(keyword), indent == 0 || indent == 2 && isConditional,
        next.first?.isLetter == true
      {
        (type, margin, isProtocol, nested) = (Self.name(next), indent, keyword == "protocol", nil)
      } else if let type, let inner = nested, indent == margin + 4 {
        if keyword == "case" {
          let cases = words[(count + 1)...].joined(separator: " ").split(separator: ",")
          for name in cases { insert("\(inner).\(Self.name(name.drop { $0 == " " }))", in: type) }
        } else if isPublic, keyword == "var" || keyword == "let" {
          // A configuration has the settings as members of its own.
          insert(inner == "Settings" ? Self.name(next) : "\(inner).\(Self.name(next))", in: type)
        }
      } else if let type, indent == margin + 2 {
        if nested != nil {
          if text.hasPrefix("}") { nested = nil }
        } else if Self.kinds.contains(keyword) {
          if isPublic { nested = Self.name(next) }
        } else if isPublic || isProtocol {
          insert(Self.member(keyword, next, lines[number...]), in: type)
        }
      }
    }
  }

  private static func modifierCount(_ words: [String]) -> Int {
    var count = 0
    while count < words.count, modifiers.contains(words[count]) || words[count].hasPrefix("@") {
      // `class Name` declares, `class func` and `class var` modify.
      let next = count + 1 < words.count ? words[count + 1] : ""
      if words[count] == "class", !["func", "var", "let"].contains(next) { break }
      count += 1
    }
    return count
  }

  private mutating func insert(_ member: String?, in type: String) {
    // What conformances ask for is no setting.
    guard let member, member != "hash(into:)", let first = member.first, first.isLetter else { return }
    types[type, default: []].insert(member)
  }

  private static func member(_ keyword: String, _ next: String, _ lines: ArraySlice<String>) -> String? {
    if keyword == "var" || keyword == "let" { return name(next) }
    guard keyword == "func" || keyword.hasPrefix("init") else { return nil }
    var text = ""
    for line in lines {
      text += line + " "
      if text.contains("("), text.count(where: { $0 == "(" }) <= text.count(where: { $0 == ")" }) { break }
    }
    guard let start = text.firstRange(of: keyword)?.lowerBound else { return nil }
    return (keyword == "func" ? name(next) : "init") + labels(String(text[start...]))
  }

  /// `(for:from:)` of a declaration's parameters.
  private static func labels(_ text: String) -> String {
    var (depth, parameters, current, last) = (0, [String](), "", Character(" "))
    for character in text.drop(while: { $0 != "(" }) {
      if "([{<".contains(character) { depth += 1 }
      if ")]}".contains(character) || character == ">" && last != "-" { depth -= 1 }
      last = character
      if depth == 0 { break }
      if depth == 1, character == "," {
        parameters.append(current)
        current = ""
      } else if depth > 1 || character != "(" {
        current.append(character)
      }
    }
    if current.contains(":") { parameters.append(current) }
    return "(" + parameters.map { name($0.drop { $0 == " " }) + ":" }.joined() + ")"
  }

  /// The name at the beginning, without what follows it or quotes it.
  private static func name(_ text: some StringProtocol) -> String {
    String(text.drop { $0 == "`" }.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
  }
}
