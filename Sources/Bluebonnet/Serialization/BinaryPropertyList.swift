// SPDX-License-Identifier: MIT

/// The objects of a property list in Apple's binary form, as far as they refer to each other.
///
///     "bplist00"  objects…  offsets of the objects  trailer: sizes, number of objects, the top one, place of the offsets
struct BinaryPropertyList {
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
