// SPDX-License-Identifier: MIT

/// A URL with alternatives, as `http://{a,b}.example/[001-100:2]`: what it stands for, one URL after the other.
///
/// The last part varies first. A backslash takes the meaning from what follows it.
struct URLPattern: Equatable {
  enum Part: Equatable {
    case text(String)
    case choice([String])
    /// Numbers as wide as the first was written.
    case numbers(from: Int, through: Int, step: Int, width: Int)
    case letters(from: UInt8, through: UInt8, step: Int)

    var count: Int {
      switch self {
      case .text: 1
      case .choice(let choices): choices.count
      case .numbers(let from, let through, let step, _): (through - from) / step + 1
      case .letters(let from, let through, let step): Int(through - from) / step + 1
      }
    }

    func text(at index: Int) -> String {
      switch self {
      case .text(let text): return text
      case .choice(let choices): return choices[index]
      case .numbers(let from, _, let step, let width):
        return Decimals.padded(from + index * step, to: width)
      case .letters(let from, _, let step):
        return String(decoding: [UInt8(truncatingIfNeeded: Int(from) + index * step)], as: UTF8.self)
      }
    }
  }

  /// One of the URLs, and what the variable parts were.
  struct Match: Equatable {
    let text: String
    let choices: [String]

    /// A name with `#1` for the first variable part, and so on; numbers without a part stay as they are.
    func name(_ template: String) -> String {
      var name = ""
      var rest = template[...]
      while let character = rest.popFirst() {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard character == "#", let number = Int(digits), (1...max(1, choices.count)).contains(number),
          !choices.isEmpty
        else {
          name.append(character)
          continue
        }
        name += choices[number - 1]
        rest = rest[digits.endIndex...]
      }
      return name
    }
  }

  let parts: [Part]

  /// Nothing in it varies.
  init(literal text: String) { parts = [.text(text)] }

  init(_ text: String) throws(CommandError) {
    var scanner = PatternScanner(text)
    parts = try scanner.parts()
  }

  /// The number of URLs.
  var count: Int { parts.reduce(1) { $0 * $1.count } }

  subscript(index: Int) -> Match {
    var index = index
    var texts: [String] = []
    var choices: [String] = []
    for part in parts.reversed() {
      let text = part.text(at: index % part.count)
      index /= part.count
      texts.append(text)
      if case .text = part {} else { choices.append(text) }
    }
    return Match(text: texts.reversed().joined(), choices: choices.reversed())
  }
}

/// Takes a pattern apart.
private struct PatternScanner {
  private let characters: [Character]
  private var index = 0
  private var total = 1

  /// More than that are of no use, and could not be counted.
  private static let mostURLs = 1 << 40

  init(_ text: String) { characters = Array(text) }

  mutating func parts() throws(CommandError) -> [URLPattern.Part] {
    var parts: [URLPattern.Part] = []
    var text = ""
    func flush(_ text: inout String, into parts: inout [URLPattern.Part]) {
      if !text.isEmpty { parts.append(.text(text)) }
      text = ""
    }
    while index < characters.count {
      switch characters[index] {
      case "\\" where index + 1 < characters.count && "{}[]".contains(characters[index + 1]):
        text.append(characters[index + 1])
        index += 2
      case "{":
        if index + 1 < characters.count, characters[index + 1] == "}" {
          text += "{}"
          index += 2
          continue
        }
        flush(&text, into: &parts)
        parts.append(try count(choice()))
      case "[":
        if index + 1 < characters.count, characters[index + 1] == "]" {
          text += "[]"
          index += 2
          continue
        }
        if let address = addressLiteral() {
          text += address
          index += address.count
          continue
        }
        flush(&text, into: &parts)
        parts.append(try count(range()))
      case "}", "]": throw fault("there is no '\(characters[index] == "}" ? "{" : "[")' before it")
      default:
        text.append(characters[index])
        index += 1
      }
    }
    flush(&text, into: &parts)
    return parts.isEmpty ? [.text("")] : parts
  }

  private mutating func count(_ part: URLPattern.Part) throws(CommandError) -> URLPattern.Part {
    let (product, overflows) = total.multipliedReportingOverflow(by: part.count)
    guard !overflows, product <= Self.mostURLs else { throw fault("these are too many URLs") }
    total = product
    return part
  }

  /// `[::1]` is no range but an IPv6 address.
  private func addressLiteral() -> String? {
    guard let end = characters[index...].firstIndex(of: "]") else { return nil }
    let inside = characters[(index + 1)..<end]
    guard inside.contains(":"), inside.allSatisfy({ $0.isHexDigit || ":.%".contains($0) || $0.isLetter })
    else {
      // A zone may hold a hyphen, but so may a range with a step.
      return nil
    }
    return inside.filter { $0 == ":" }.count >= 2 ? String(characters[index...end]) : nil
  }

  private mutating func choice() throws(CommandError) -> URLPattern.Part {
    let start = index
    index += 1
    var choices: [String] = []
    var text = ""
    while index < characters.count {
      switch characters[index] {
      case "\\" where index + 1 < characters.count:
        text.append(characters[index + 1])
        index += 2
      case ",":
        choices.append(text)
        text = ""
        index += 1
      case "}":
        index += 1
        return .choice(choices + [text])
      case "{", "[": throw fault("a choice holds no other")
      case "]": throw fault("there is no '[' before it")
      default:
        text.append(characters[index])
        index += 1
      }
    }
    index = start
    throw fault("the brace is not closed")
  }

  private mutating func range() throws(CommandError) -> URLPattern.Part {
    guard let end = characters[index...].firstIndex(of: "]") else { throw fault("the bracket is not closed") }
    let inside = String(characters[(index + 1)..<end])
    let halves = inside.split(separator: ":", omittingEmptySubsequences: false)
    let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    let step = halves.count == 1 ? 1 : halves.count == 2 ? Int(halves[1]) : nil
    guard ends.count == 2, let step, step > 0 else {
      throw fault("a range is written as [1-10], [a-z] or [1-10:2]")
    }
    defer { index = end + 1 }
    if let from = Self.letter(ends[0]), let through = Self.letter(ends[1]) {
      guard from <= through, step <= Int(through - from) || from == through else {
        throw fault("this range has no members")
      }
      return .letters(from: from, through: through, step: step)
    }
    guard let from = Int(ends[0]), let through = Int(ends[1]), from >= 0, from <= through,
      through < 1 << 62, step <= through - from || from == through
    else { throw fault("a range is written as [1-10], [a-z] or [1-10:2]") }
    let width = ends[0].first == "0" ? ends[0].count : 0
    return .numbers(from: from, through: through, step: step, width: width)
  }

  private static func letter(_ text: Substring) -> UInt8? {
    guard text.utf8.count == 1, let byte = text.utf8.first, text.first?.isLetter == true else { return nil }
    return byte
  }

  private func fault(_ what: String) -> CommandError {
    CommandError(.badURL, "the URL's pattern is wrong at position \(index + 1): \(what)")
  }
}
