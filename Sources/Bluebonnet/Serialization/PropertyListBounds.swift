// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetSemantics

/// Looks through a property list before Foundation reads it.
///
/// Foundation's readers call themselves for each level, and make an object anew for each reference to it. So a body with very many
/// levels ends the process, and one of two hundred bytes can refer to a billion objects.
struct PropertyListBounds {
  /// Levels within one another: as many as Foundation takes of JSON.
  static let levelLimit = 512

  /// Why a property list is not read.
  enum Objection: Error, Hashable, LocalizedError {
    case tooManyLevels
    /// In OpenStep's form: brackets in texts and comments count, too.
    case tooManyBrackets
    /// Objects of a binary one are referred to by far more places than it has bytes.
    case tooManyObjects
    /// Something about its structure is not as it has to be, so that nothing can be said of its size.
    case unreadable

    var errorDescription: String? {
      switch self {
      case .tooManyLevels: "the property list has more than \(levelLimit) levels"
      case .tooManyBrackets: "the property list, in the old form, has more than \(bracketLimit) brackets"
      case .tooManyObjects: "the property list repeats its objects too often"
      case .unreadable: "the property list is damaged, or in an unusual form"
      }
    }
  }

  /// - Throws: the reason not to read the property list. One that is damaged in other ways is left to its reader.
  static func check(_ data: Data) throws(Objection) {
    let bytes = [UInt8](data)
    if bytes.starts(with: "bplist".utf8) {
      guard var list = BinaryPropertyList(bytes) else { throw .unreadable }
      return try list.check()
    }
    let text = try ASCIIText(bytes)
    let start = text.bytes.first { $0 > 0x20 && $0 < 0x80 }
    try start == less ? checkXML(text) : checkOpenStep(text.bytes)
  }

  /// As many brackets as OpenStep's old form may have, those in texts and comments included: it is rare, and mostly small.
  static let bracketLimit = 4_096

  private static func checkOpenStep(_ text: [UInt8]) throws(Objection) {
    let brackets = text.count { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "{") }
    guard brackets <= bracketLimit else { throw .tooManyBrackets }
  }

  // MARK: XML

  private static let less = UInt8(ascii: "<")
  private static let slash = UInt8(ascii: "/")
  private static let containers = ["array", "dict", "plist"]

  /// Tags end at the first `>` after their name, as for Foundation's readers, whatever their attributes hold. Tags and
  /// comments without an end are refused.
  private static func checkXML(_ text: ASCIIText) throws(Objection) {
    var rest = text.bytes[...]
    var levels = 0
    while let start = rest.firstIndex(of: less) {
      rest = rest[(start + 1)...]
      if rest.starts(with: "!--".utf8) {
        rest = rest.dropFirst(3)
        _ = try take(&rest, through: "-->")
      } else if rest.starts(with: "![CDATA[".utf8) {
        _ = try take(&rest, through: "]]>")
      } else if rest.first == UInt8(ascii: "?") {
        let instruction = try take(&rest, through: "?>")
        if instruction.starts(with: "?xml".utf8) { try text.checkEncoding(instruction) }
      } else {
        let tag = try take(&rest, through: ">").dropLast()
        // A document type with declarations of its own could hide what stands behind them.
        if tag.first == UInt8(ascii: "!"), tag.contains(UInt8(ascii: "[")) { throw .unreadable }
        let closes = tag.first == slash
        let name = closes ? tag.dropFirst() : tag
        guard containers.contains(where: { name.starts(with: $0.utf8) }) else { continue }
        if closes { levels = max(0, levels - 1) } else if tag.last != slash { levels += 1 }
        guard levels <= levelLimit else { throw .tooManyLevels }
      }
    }
  }

  /// Takes what comes up to `end`.
  private static func take(
    _ rest: inout ArraySlice<UInt8>, through end: String
  ) throws(Objection) -> ArraySlice<UInt8> {
    let end = Array(end.utf8)
    var position = rest.startIndex
    while let last = rest[position...].firstIndex(of: end[end.count - 1]) {
      let taken = rest[...last]
      position = last + 1
      guard taken.count >= end.count, taken.suffix(end.count).elementsEqual(end) else { continue }
      rest = rest[position...]
      return taken
    }
    throw .unreadable
  }
}

/// A text's characters, one byte each: those of ASCII, and any of 0x80 and above for others.
private struct ASCIIText {
  let bytes: [UInt8]
  private let isUTF16: Bool

  /// - Throws: `unreadable` for UTF-32, since readers disagree about its mark, and for a NUL in other text.
  init(_ bytes: [UInt8]) throws(PropertyListBounds.Objection) {
    isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    guard isUTF16 else {
      guard !bytes.contains(0) else { throw .unreadable }
      self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
      return
    }
    let low = bytes[0] == 0xFF ? 0 : 1
    let units = stride(from: 2, to: bytes.count - 1, by: 2)
    self.bytes = units.map { bytes[$0 + 1 - low] == 0 && bytes[$0 + low] < 0x80 ? bytes[$0 + low] : 0x80 }
    guard !self.bytes.contains(0) else { throw .unreadable }
  }

  /// Nothing can be said of encodings in which the bytes of ASCII mean something else.
  func checkEncoding(_ declaration: ArraySlice<UInt8>) throws(PropertyListBounds.Objection) {
    let words = declaration.map(\.asciiLowercased)
    let word = Array("encoding=".utf8)
    let places = words.indices.filter { words[$0...].starts(with: word.dropLast()) }
    guard let place = places.first else { return }
    let value = words[place...].dropFirst(word.count)
    guard places.count == 1, words[place...].starts(with: word), let quote = value.first,
      quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    else { throw .unreadable }
    let name = String(decoding: value.dropFirst().prefix { $0 != quote }, as: UTF8.self)
    let isOfASCII =
      ["utf-8", "utf8", "us-ascii", "ascii"].contains(name)
      || name.count <= 12 && (name.hasPrefix("iso-8859-") || name.hasPrefix("windows-125"))
    guard isOfASCII || isUTF16 && name.hasPrefix("utf-16") else { throw .unreadable }
  }
}
