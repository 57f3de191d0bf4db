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
    /// In the old form, whose texts and comments are not told from the rest.
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

  /// Tags end at the first `>` after their name, as for Foundation's readers, whatever their attributes hold. What has no end is
  /// refused.
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

  /// - Throws: `unreadable` for UTF-32, whose mark readers do not agree about, and for a NUL in other text.
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
    guard isUTF16 ? name.hasPrefix("utf-16") || isOfASCII : isOfASCII else { throw .unreadable }
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
  /// Of the objects that have been looked through: the levels, 0 before; what they come to.
  private var levels: [Int]
  private var sizes: [Size]

  /// The objects that one comes to with all that it refers to, and the bytes of their texts and data.
  private struct Size {
    var objects = 0
    var bytes = 0

    mutating func add(_ other: Size) {
      objects = Self.sum(objects, other.objects)
      bytes = Self.sum(bytes, other.bytes)
    }

    private static func sum(_ left: Int, _ right: Int) -> Int {
      let (sum, overflows) = left.addingReportingOverflow(right)
      return overflows ? .max : sum
    }
  }

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
    // As for Foundation: it would read anything else as a text.
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), top < objectCount, table < start,
      objectCount <= start - table, table + objectCount * offsetSize == start
    else { return nil }
    levels = Array(repeating: 0, count: objectCount)
    sizes = Array(repeating: Size(), count: objectCount)
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
    var size = Size(objects: 1)
  }

  mutating func check() throws(PropertyListBounds.Objection) {
    var path = [try step(into: top)]
    var looked = 0
    while let last = path.indices.last {
      guard path[last].next < path[last].end else {
        let done = path.removeLast()
        (levels[done.object], sizes[done.object]) = (done.levels + 1, done.size)
        guard let above = path.indices.last else { continue }
        path[above].levels = max(path[above].levels, done.levels + 1)
        path[above].size.add(done.size)
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
        path[last].size.add(sizes[object])
      } else {
        path.append(try step(into: object))
      }
      // One that contains itself comes here, too.
      guard path.count + (path.last?.levels ?? 0) <= PropertyListBounds.levelLimit else {
        throw .tooManyLevels
      }
    }
    // Writers share texts and numbers, but no containers: the objects are about as many as the references. Readers make a shared text
    // anew for each reference.
    let size = sizes[top]
    guard size.objects <= max(1 << 16, 4 * bytes.count), size.bytes <= max(1 << 24, 64 * bytes.count) else {
      throw .tooManyObjects
    }
  }

  private func step(into object: Int) throws(PropertyListBounds.Objection) -> Step {
    guard let place = Self.number(bytes[...], at: table + object * offsetSize, size: offsetSize),
      (8..<table).contains(place)
    else { throw .unreadable }
    let marker = bytes[place]
    // How many references, or bytes, each of its elements takes.
    var (references, width) = (0, 0)
    switch marker >> 4 {
    case 0x4, 0x5: width = 1
    case 0x6: width = 2
    case 0xA: references = 1
    case 0xD: references = 2
    // A set is no part of a property list, and Foundation on Linux can crash at one.
    case 0xB, 0xC: throw .unreadable
    default: return Step(object: object, end: place, next: place)
    }
    var (count, start) = (Int(marker & 0xF), place + 1)
    if count == 0xF {
      // The count is an object of its own.
      guard start < table, bytes[start] >> 4 == 1, bytes[start] & 0xF < 4,
        let stated = Self.number(bytes[...], at: start + 1, size: 1 << Int(bytes[start] & 0xF))
      else { throw .unreadable }
      (count, start) = (stated, start + 1 + (1 << Int(bytes[start] & 0xF)))
    }
    let length = references * referenceSize + width
    guard count <= (table - start) / length else { throw .unreadable }
    let end = start + count * length
    if width > 0 {
      return Step(object: object, end: end, next: end, size: Size(objects: 1, bytes: count * width))
    }
    return Step(object: object, end: end, next: start)
  }
}
