// SPDX-License-Identifier: MIT
import BluebonnetFoundation

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
    /// Objects of a binary one are referred to by far more places than it has bytes.
    case tooManyObjects
    /// Something about its structure is not as it has to be, so that nothing can be said of its size.
    case unreadable

    var errorDescription: String? {
      switch self {
      case .tooManyLevels: "the property list has more than \(levelLimit) levels"
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
    // Of UTF-16 and UTF-32, what is looked for is left like this.
    let text = bytes.contains(0) ? bytes.filter { $0 != 0 } : bytes
    let start = text.first { $0 > 0x20 && $0 < 0x80 }
    try start == less ? checkXML(text) : checkOpenStep(text)
  }

  /// Strings and comments are not told from the rest: the old form is rare, and mostly small.
  private static func checkOpenStep(_ text: [UInt8]) throws(Objection) {
    let openings = text.count { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "{") }
    guard openings <= levelLimit else { throw .tooManyLevels }
  }

  // MARK: XML

  private static let less = UInt8(ascii: "<")
  private static let containers = ["array", "dict", "plist"]

  private static func checkXML(_ text: [UInt8]) throws(Objection) {
    var rest = text[...]
    var levels = 0
    while let start = rest.firstIndex(of: less) {
      rest = rest[(start + 1)...]
      switch rest.first {
      case UInt8(ascii: "?"):
        let instruction = take(&rest, through: "?>")
        if instruction.starts(with: "?xml".utf8) { try checkEncoding(instruction) }
      case UInt8(ascii: "!"):
        if rest.starts(with: "!--".utf8) {
          rest = rest.dropFirst(3)
          _ = take(&rest, through: "-->")
        } else if rest.starts(with: "![CDATA[".utf8) {
          _ = take(&rest, through: "]]>")
        } else if take(&rest, through: ">").contains(UInt8(ascii: "[")) {
          // Declarations of its own could hide what stands behind them.
          throw .unreadable
        }
      case UInt8(ascii: "/"):
        if isContainer(rest.dropFirst()) { levels = max(0, levels - 1) }
      default:
        guard isContainer(rest) else { continue }
        if take(&rest, through: ">").dropLast().last == UInt8(ascii: "/") { continue }
        levels += 1
        guard levels <= levelLimit else { throw .tooManyLevels }
      }
    }
  }

  private static func isContainer(_ tag: ArraySlice<UInt8>) -> Bool {
    containers.contains { tag.starts(with: $0.utf8) }
  }

  /// Takes what comes up to `end`, or all if that does not come.
  private static func take(_ rest: inout ArraySlice<UInt8>, through end: String) -> ArraySlice<UInt8> {
    let end = Array(end.utf8)
    var position = rest.startIndex
    while let last = rest[position...].firstIndex(of: end[end.count - 1]) {
      let taken = rest[...last]
      position = last + 1
      guard taken.count >= end.count, taken.suffix(end.count).elementsEqual(end) else { continue }
      rest = rest[position...]
      return taken
    }
    defer { rest = [] }
    return rest
  }

  /// Only of encodings that have ASCII's bytes can anything be said.
  private static func checkEncoding(_ declaration: ArraySlice<UInt8>) throws(Objection) {
    let words = String(decoding: declaration, as: UTF8.self).lowercased()
    guard let place = words.range(of: "encoding")?.upperBound else { return }
    let name = words[place...].drop { " \t\r\n=\"'".contains($0) }.prefix { !"\"' ?".contains($0) }
    let known = name.hasPrefix("utf-") && name != "utf-7" || name == "us-ascii" || name.hasPrefix("iso-8859-")
    guard known || name == "utf8" || name == "ascii" || name == "windows-1252" else { throw .unreadable }
  }
}

/// The objects of a property list in Apple's binary form, as far as they refer to each other.
///
///     "bplist00"  objects…  offsets of the objects  trailer: sizes, number of objects, the top one, place of the offsets
private struct BinaryPropertyList {
  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let objectCount: Int
  private let top: Int
  private let table: Int
  /// Of the objects that have been looked through: the levels below, and the objects that they come to; 0 before.
  private var levels: [Int]
  private var totals: [Int]

  private static let trailerSize = 32

  /// Nil if the trailer does not fit the rest.
  init?(_ bytes: [UInt8]) {
    guard bytes.count > 8 + Self.trailerSize else { return nil }
    let trailer = bytes.suffix(Self.trailerSize)
    let start = trailer.startIndex
    guard let objectCount = Self.number(trailer, at: start + 8, size: 8),
      let top = Self.number(trailer, at: start + 16, size: 8),
      let table = Self.number(trailer, at: start + 24, size: 8)
    else { return nil }
    (self.bytes, self.objectCount, self.top, self.table) = (bytes, objectCount, top, table)
    (offsetSize, referenceSize) = (Int(trailer[start + 6]), Int(trailer[start + 7]))
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), top < objectCount, table < start,
      objectCount <= (start - table) / offsetSize
    else { return nil }
    levels = Array(repeating: 0, count: objectCount)
    totals = levels
  }

  /// A number in big-endian order; nil if it is none that counts something here.
  private static func number(_ bytes: ArraySlice<UInt8>, at place: Int, size: Int) -> Int? {
    guard place >= bytes.startIndex, place <= bytes.endIndex - size else { return nil }
    let number = bytes[place..<(place + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return number < 1 << 40 ? Int(number) : nil
  }

  /// An object on the way from the top one, and how far its references have been looked through.
  private struct Step {
    let object: Int
    /// The place of the references, and of the next one.
    let end: Int
    var next: Int
    var levels = 0
    var total = 1
  }

  mutating func check() throws(PropertyListBounds.Objection) {
    var path = [try step(into: top)]
    var looked = 0
    while let last = path.indices.last {
      guard path[last].next < path[last].end else {
        let done = path.removeLast()
        (levels[done.object], totals[done.object]) = (done.levels + 1, done.total)
        guard let above = path.indices.last else { continue }
        path[above].levels = max(path[above].levels, done.levels + 1)
        path[above].total = Self.sum(path[above].total, done.total)
        continue
      }
      guard let object = Self.number(bytes[...], at: path[last].next, size: referenceSize),
        object < objectCount
      else { throw .unreadable }
      path[last].next += referenceSize
      // Each reference takes a byte at least, unless containers share them.
      looked += 1
      guard looked <= bytes.count else { throw .tooManyObjects }
      if levels[object] > 0 {
        path[last].levels = max(path[last].levels, levels[object])
        path[last].total = Self.sum(path[last].total, totals[object])
      } else {
        path.append(try step(into: object))
      }
      // One that contains itself comes here, too.
      guard path.count + (path.last?.levels ?? 0) <= PropertyListBounds.levelLimit else {
        throw .tooManyLevels
      }
    }
    // Writers share texts and numbers, but no containers: the objects are about as many as the references.
    guard totals[top] <= max(1 << 16, 16 * bytes.count) else { throw .tooManyObjects }
  }

  private static func sum(_ left: Int, _ right: Int) -> Int {
    let (sum, overflows) = left.addingReportingOverflow(right)
    return overflows ? .max : sum
  }

  private func step(into object: Int) throws(PropertyListBounds.Objection) -> Step {
    guard let place = Self.number(bytes[...], at: table + object * offsetSize, size: offsetSize),
      place < table
    else { throw .unreadable }
    let marker = bytes[place]
    let perElement =
      switch marker >> 4 {
      case 0xA: 1
      case 0xD: 2
      // A set is no part of a property list, and Foundation on Linux can crash at one.
      case 0xB, 0xC: throw .unreadable
      default: 0
      }
    guard perElement > 0 else { return Step(object: object, end: place, next: place) }
    var (count, start) = (Int(marker & 0xF), place + 1)
    if count == 0xF {
      // The count is an object of its own.
      guard start < table, bytes[start] >> 4 == 1, bytes[start] & 0xF < 4,
        let stated = Self.number(bytes[...], at: start + 1, size: 1 << Int(bytes[start] & 0xF))
      else { throw .unreadable }
      (count, start) = (stated, start + 1 + (1 << Int(bytes[start] & 0xF)))
    }
    guard count <= (table - start) / (perElement * referenceSize) else { throw .unreadable }
    return Step(object: object, end: start + count * perElement * referenceSize, next: start)
  }
}
