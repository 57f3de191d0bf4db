// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

// The form in which records are handed to callers, kept anywhere and perhaps changed by anyone:
//
//     "bbresume"  version (1 byte)  { tag (1 byte)  length (4 bytes)  value }*  checksum (8 bytes)
//
// Numbers are big-endian. Every tag but those of fields stands once at most, unknown tags are an error, and nothing is
// made of a length before it is known to lie within the data.
extension ResumeRecord {
  /// More is not read, nor written: the request's head alone would go beyond what servers take.
  package static var byteLimit: Int { 256 * 1024 }

  private static let magic = Array("bbresume".utf8)
  private static var version: UInt8 { 1 }

  private enum Tag: UInt8, CaseIterable {
    case url = 1
    case field, timeout, refusesCookies, offset, total, entityTag, lastModified, directory, name,
      representation

    var repeats: Bool { self == .field || self == .representation }
  }

  /// The record as bytes; nil if it is too large to be one.
  package var bytes: [UInt8]? {
    var writer = RecordWriter(Self.magic + [Self.version])
    writer.add(Tag.url.rawValue, url.utf8)
    for field in fields.fields { writer.add(Tag.field.rawValue, Self.line(field)) }
    if let timeout { writer.add(Tag.timeout.rawValue, timeout.bigEndianBytes) }
    if !handlesCookies { writer.add(Tag.refusesCookies.rawValue, []) }
    writer.add(Tag.offset.rawValue, point.offset.bigEndianBytes)
    if let total = point.total { writer.add(Tag.total.rawValue, total.bigEndianBytes) }
    switch point.validator {
    case .entityTag(let tag): writer.add(Tag.entityTag.rawValue, tag.utf8)
    case .lastModified(let date): writer.add(Tag.lastModified.rawValue, date.utf8)
    }
    writer.add(Tag.directory.rawValue, location.directory.utf8)
    writer.add(Tag.name.rawValue, location.name.utf8)
    for field in representation { writer.add(Tag.representation.rawValue, Self.line(field)) }
    let bytes = writer.finished()
    return bytes.count <= Self.byteLimit ? bytes : nil
  }

  /// Reads a record from bytes that may come from an attacker.
  package init(bytes: some Collection<UInt8>) throws(ResumeRecordError) {
    guard bytes.starts(with: Self.magic) else { throw .foreign }
    guard bytes.count <= Self.byteLimit else { throw .damaged("there is too much of them") }
    var reader = RecordReader(Array(bytes.dropFirst(Self.magic.count)), after: Self.magic)
    let version = try reader.version()
    guard version == Self.version else { throw .version(version) }
    try reader.check()
    var values: [Tag: [UInt8]] = [:]
    var lines: [(Tag, [UInt8])] = []
    while let (number, value) = try reader.next() {
      guard let tag = Tag(rawValue: number) else { throw .damaged("there is an unknown part") }
      if tag.repeats {
        lines.append((tag, value))
      } else if values.updateValue(value, forKey: tag) != nil {
        throw .damaged("a part is there twice")
      }
    }
    try self.init(values, lines)
  }

  private init(_ values: [Tag: [UInt8]], _ lines: [(Tag, [UInt8])]) throws(ResumeRecordError) {
    let url = try Self.text(values[.url], "the address")
    guard ["http://", "https://"].contains(where: { url.prefix($0.utf8.count).equalsIgnoringASCIICase($0) }),
      url.utf8.allSatisfy(Byte.isVisible)
    else { throw .damaged("the address is none that can be loaded") }
    let offset = try Self.number(values[.offset], "what is there")
    let total = values[.total] == nil ? nil : try Self.number(values[.total], "the length")
    guard let point = ResumePoint(offset: offset, total: total, validator: try Self.validator(values)) else {
      throw .damaged("more is there than there can be")
    }
    guard
      let location = PartLocation(
        directory: try Self.text(values[.directory], "the place"),
        name: try Self.text(values[.name], "the name"))
    else { throw .damaged("the place is none of this library") }
    self.init(url: url, point: point, location: location)
    if values[.timeout] != nil { timeout = try Self.number(values[.timeout], "the time-out") }
    handlesCookies = values[.refusesCookies] == nil
    for (tag, value) in lines {
      let field = try Self.field(value)
      switch tag {
      case .field:
        guard fields.index(of: field.name) == nil else { throw .damaged("a field is there twice") }
        fields[field.name] = field.value
      default:
        guard
          ResumablePart.representationFields.contains(where: { $0.name.equalsIgnoringASCIICase(field.name) })
        else { throw .damaged("there is a field that is none of a representation's") }
        representation.append(field)
      }
    }
    if ResumablePart.isConditional(fields) { throw .damaged("the request has a condition of its own") }
  }

  private static func validator(_ values: [Tag: [UInt8]]) throws(ResumeRecordError) -> RangeValidator {
    switch (values[.entityTag], values[.lastModified]) {
    case (let tag?, nil):
      guard let tag = EntityTag(try text(tag, "the entity tag")), !tag.isWeak else {
        throw .damaged("the entity tag is none, or a weak one")
      }
      return .entityTag(tag.opaque)
    case (nil, let date?):
      let date = try text(date, "the date")
      guard RangeValidator.isPlain(date), HTTPDate.parse(date, now: 0) != nil else {
        throw .damaged("the date is none")
      }
      return .lastModified(date)
    default: throw .damaged("there is not one validator")
    }
  }

  // MARK: Values

  private static func line(_ field: HeaderFields.Field) -> [UInt8] {
    Array(field.name.utf8) + [Byte.colon] + Array(field.value.utf8)
  }

  private static func field(_ bytes: [UInt8]) throws(ResumeRecordError) -> HeaderFields.Field {
    guard let colon = bytes.firstIndex(of: Byte.colon), colon > 0,
      bytes[..<colon].allSatisfy({ ByteClass.token.contains($0) }),
      !bytes[colon...].contains(where: Byte.isForbiddenInValue)
    else { throw .damaged("a field is none") }
    return .init(
      name: try text(Array(bytes[..<colon]), "a field"),
      value: try text(Array(bytes[(colon + 1)...]), "a field"))
  }

  private static func text(_ bytes: [UInt8]?, _ what: String) throws(ResumeRecordError) -> String {
    guard let bytes else { throw .damaged("\(what) is missing") }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .damaged("\(what) is no text") }
    return text
  }

  private static func number(_ bytes: [UInt8]?, _ what: String) throws(ResumeRecordError) -> Int64 {
    guard let bytes, bytes.count == 8 else { throw .damaged("\(what) is no number") }
    let value = UInt64(bigEndianBytes: bytes)
    // Room for sums.
    guard value <= 1 << 60 else { throw .damaged("\(what) is beyond all measure") }
    return Int64(value)
  }
}

/// Puts parts with tags and lengths one behind the other.
private struct RecordWriter {
  private var bytes: [UInt8]

  init(_ head: [UInt8]) { bytes = head }

  mutating func add(_ tag: UInt8, _ value: some Collection<UInt8>) {
    bytes.append(tag)
    bytes += UInt32(clamping: value.count).bigEndianBytes
    bytes.append(contentsOf: value)
  }

  func finished() -> [UInt8] { bytes + Checksum.of(bytes).bigEndianBytes }
}

/// Takes them apart again.
private struct RecordReader {
  private let magic: [UInt8]
  private let bytes: [UInt8]
  private var position = 0
  private var end = 0

  init(_ bytes: [UInt8], after magic: [UInt8]) {
    (self.bytes, self.magic) = (bytes, magic)
  }

  mutating func version() throws(ResumeRecordError) -> UInt8 {
    guard let version = bytes.first else { throw .damaged("they end too soon") }
    position = 1
    return version
  }

  mutating func check() throws(ResumeRecordError) {
    end = bytes.count - 8
    guard end >= position else { throw .damaged("they end too soon") }
    let sum = UInt64(bigEndianBytes: bytes[end...])
    guard Checksum.of(magic + bytes[..<end]) == sum else { throw .damaged("their checksum is another one") }
  }

  mutating func next() throws(ResumeRecordError) -> (UInt8, [UInt8])? {
    if position == end { return nil }
    guard end - position >= 5 else { throw .damaged("they end too soon") }
    let tag = bytes[position]
    let length = Int(bigEndianBytes: bytes[(position + 1)..<(position + 5)])
    position += 5
    guard length <= end - position else { throw .damaged("they end too soon") }
    defer { position += length }
    return (tag, Array(bytes[position..<(position + length)]))
  }
}
