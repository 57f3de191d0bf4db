// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1

// A head as bytes:
//
//     version (1)  id (8)  flags (1)  status (2)  minor version (1)  request time (8)  response time (8)
//     body length (8, if known)  { offset (8)  complete length (8, if known) } if a part
//     method  target  url  reason
//     count of the variant's fields (2)  { name  has a value (1)  value }*
//     count of fields (4)  { name  value }*
//     checksum (8)
//
// Times are the bits of a Double, in seconds since 1970.
extension StoredResponse {
  /// More is not kept, nor read: servers and this package's own parser stay far below.
  static var encodedLimit: Int { 1024 * 1024 }
  static var fieldLimit: Int { 65_535 }

  private static var formatVersion: UInt8 { 1 }
  private static var seed: UInt64 { 0x6865_6164 }

  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let isDecoded = Flags(rawValue: 1)
    static let hasBodyLength = Flags(rawValue: 2)
    static let isPart = Flags(rawValue: 4)
    static let hasCompleteLength = Flags(rawValue: 8)
    static let all: Flags = [.isDecoded, .hasBodyLength, .isPart, .hasCompleteLength]
  }

  /// The head as bytes, for a store that keeps bytes. They contain what the request said in the fields of ``variant``, and end in a
  /// checksum.
  ///
  /// - Throws: ``ResponseStoreError/tooLarge(limit:)`` beyond 1 MiB, ``ResponseStoreError/unsuitable(_:)`` for what no response of a
  ///   server says.
  public func encoded() throws(ResponseStoreError) -> Data { Data(try encodedBytes()) }

  /// Reads a head from bytes that may come from an attacker.
  ///
  /// - Throws: ``ResponseStoreError/damaged(_:)``.
  public init(encoded: Data) throws(ResponseStoreError) { try self.init(encodedBytes: Array(encoded)[...]) }

  func encodedBytes() throws(ResponseStoreError) -> [UInt8] {
    try checkSuitability()
    var writer = FormatWriter()
    writer.add(Self.formatVersion)
    writer.add(id)
    var flags: Flags = isDecoded ? .isDecoded : []
    if bodyLength != nil { flags.insert(.hasBodyLength) }
    if part != nil { flags.insert(.isPart) }
    if part?.completeLength != nil { flags.insert(.hasCompleteLength) }
    writer.add(flags.rawValue)
    writer.add(UInt16(clamping: status))
    writer.add(UInt8(clamping: minorVersion))
    writer.add(requestTime.timeIntervalSince1970.bitPattern)
    writer.add(responseTime.timeIntervalSince1970.bitPattern)
    if let bodyLength { writer.add(UInt64(clamping: bodyLength)) }
    if let part {
      writer.add(UInt64(clamping: part.offset))
      if let length = part.completeLength { writer.add(UInt64(clamping: length)) }
    }
    for text in [key.method, key.target, url.absoluteString, reason] { writer.add(text) }
    writer.add(UInt16(clamping: variant.count))
    for field in variant {
      writer.add(field.name)
      writer.add(UInt8(field.value == nil ? 0 : 1))
      if let value = field.value { writer.add(value) }
    }
    writer.add(UInt32(clamping: fieldBlock.count))
    for field in fieldBlock {
      writer.add(field.name)
      writer.add(field.value)
    }
    writer.addChecksum(seed: Self.seed)
    guard writer.bytes.count <= Self.encodedLimit, variant.count <= Self.fieldLimit,
      fieldBlock.count <= Self.fieldLimit
    else { throw .tooLarge(limit: Int64(Self.encodedLimit)) }
    return writer.bytes
  }

  init(encodedBytes bytes: ArraySlice<UInt8>) throws(ResponseStoreError) {
    guard bytes.count <= Self.encodedLimit, bytes.count > 8 else {
      throw .damaged("a head has no such length")
    }
    var sum = FormatReader(bytes.suffix(8))
    guard BlockChecksum.of(bytes.dropLast(8), seed: Self.seed) == (try sum.number()) else {
      throw .damaged("a head's checksum is another one")
    }
    var reader = FormatReader(bytes.dropLast(8))
    let version = try reader.number(UInt8.self)
    guard version == Self.formatVersion else {
      throw .damaged("a head is of version \(version) of its format")
    }
    let id = try reader.number(UInt64.self)
    let flags = Flags(rawValue: try reader.number())
    guard flags.isSubset(of: .all), flags.contains(.isPart) || !flags.contains(.hasCompleteLength) else {
      throw .damaged("a head contains an unknown value")
    }
    let (status, minorVersion) = (try reader.number(UInt16.self), try reader.number(UInt8.self))
    guard status <= 999, minorVersion <= 9 else { throw .damaged("a status is none") }
    let (requestTime, responseTime) = (try Self.date(&reader), try Self.date(&reader))
    let bodyLength = flags.contains(.hasBodyLength) ? try Self.length(&reader) : nil
    var part: Part?
    if flags.contains(.isPart) {
      part = Part(offset: try Self.length(&reader), completeLength: nil)
      if flags.contains(.hasCompleteLength) { part?.completeLength = try Self.length(&reader) }
    }
    let key = Key(method: try reader.text(), target: try reader.text())
    guard let url = URL(string: try reader.text()) else { throw .damaged("an address is none") }
    let reason = try reader.text()
    guard !reason.utf8.contains(where: Self.isForbidden) else { throw .damaged("a reason is none") }
    var variant: [RequestField] = []
    for _ in 0..<(try reader.number(UInt16.self)) {
      let name = try reader.text()
      let hasValue = try reader.number(UInt8.self)
      guard hasValue <= 1 else { throw .damaged("a request's field is none") }
      variant.append(RequestField(name: name, value: hasValue == 1 ? try reader.text() : nil))
    }
    self.init(
      id: id, key: key, url: url, status: Int(status), reason: reason, minorVersion: Int(minorVersion),
      fieldBlock: try Self.fields(&reader), variant: variant, requestTime: requestTime,
      responseTime: responseTime, bodyLength: bodyLength, isDecoded: flags.contains(.isDecoded), part: part)
    guard reader.isAtEnd else { throw .damaged("something follows a head") }
  }

  /// A head that would not be read again is not written.
  private func checkSuitability() throws(ResponseStoreError) {
    guard (0...999).contains(status), (0...9).contains(minorVersion) else { throw .unsuitable("its status") }
    guard [requestTime, responseTime].allSatisfy({ Self.isTime($0.timeIntervalSince1970) }) else {
      throw .unsuitable("its time")
    }
    let lengths = [bodyLength, part?.offset, part?.completeLength].compactMap { $0 }
    guard lengths.allSatisfy({ (0...Self.lengthLimit).contains($0) }) else { throw .unsuitable("its length") }
    guard URL(string: url.absoluteString) == url else { throw .unsuitable("its address") }
    guard !reason.utf8.contains(where: Self.isForbidden) else { throw .unsuitable("its reason") }
    guard fieldBlock.allSatisfy({ Self.isField($0.name, $0.value) }) else {
      throw .unsuitable("one of its fields")
    }
  }

  private static func isField(_ name: String, _ value: String) -> Bool {
    !name.isEmpty && name.utf8.count <= fieldLimit && name.utf8.allSatisfy { ByteClass.token.contains($0) }
      && !value.utf8.contains(where: isForbidden)
  }

  private static func fields(_ reader: inout FormatReader) throws(ResponseStoreError) -> FieldBlock {
    let count = try reader.number(UInt32.self)
    guard count <= fieldLimit else { throw .damaged("a head has too many fields") }
    var fields = FieldBlock()
    for _ in 0..<count {
      let (name, value) = (try reader.text(), try reader.text())
      guard isField(name, value) else { throw .damaged("a field is none") }
      fields.append(name: name, value: value)
    }
    return fields
  }

  private static func isForbidden(_ byte: UInt8) -> Bool { byte == 0 || byte == 10 || byte == 13 }

  private static func date(_ reader: inout FormatReader) throws(ResponseStoreError) -> Date {
    let seconds = Double(bitPattern: try reader.number())
    guard isTime(seconds) else { throw .damaged("a time is none") }
    return Date(timeIntervalSince1970: seconds)
  }

  /// HTTP's dates end with the year 9999.
  private static func isTime(_ seconds: Double) -> Bool { abs(seconds) < 253_402_300_800 }

  /// Leaves room for sums.
  private static var lengthLimit: Int64 { 1 << 60 }

  private static func length(_ reader: inout FormatReader) throws(ResponseStoreError) -> Int64 {
    let value = try reader.number(UInt64.self)
    guard value <= UInt64(lengthLimit) else { throw .damaged("a length is beyond all measure") }
    return Int64(value)
  }
}
