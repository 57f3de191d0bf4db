// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import BluebonnetTestSupport
import Testing

@Suite struct ResumeRecordTests {
  private static let name = "0123456789abcdefABCDEF0123456789.part"
  private static let directory = "bluebonnet.partial.aB3xyz"

  private func record(_ validator: RangeValidator = .entityTag("\"a\""), total: Int64? = 1000) throws
    -> ResumeRecord
  {
    let point = try #require(ResumePoint(offset: 100, total: total, validator: validator))
    let location = try #require(PartLocation(directory: Self.directory, name: Self.name))
    var record = ResumeRecord(url: "https://example.org/a?b#c", point: point, location: location)
    record.fields["Authorization"] = "Bearer t"
    record.fields["X"] = ""
    record.timeout = 1500
    record.handlesCookies = false
    record.representation = [.init(name: "Content-Type", value: "text/plain; charset=utf-8")]
    return record
  }

  @Test func whatIsWrittenIsRead() throws {
    for record in [
      try record(), try record(.lastModified("Thu, 01 Jan 2026 00:00:00 GMT"), total: nil),
      ResumeRecord(url: "http://a", point: try record().point, location: try record().location),
    ] {
      #expect(try ResumeRecord(bytes: try #require(record.bytes)) == record)
    }
  }

  private func error(_ bytes: [UInt8]) -> ResumeRecordError? {
    do throws(ResumeRecordError) {
      _ = try ResumeRecord(bytes: bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test func otherDataAreForeign() {
    for text in ["", "resume", "bplist00", "<?xml version=\"1.0\"?>", "bbresum", "BBRESUME"] {
      #expect(error(Array(text.utf8)) == .foreign)
    }
  }

  @Test func aLaterVersionIsNamed() throws {
    var bytes = try #require(try record().bytes)
    bytes[8] = 2
    #expect(error(bytes) == .version(2))
    #expect(error(bytes)?.description.contains("version 2") == true)
  }

  @Test func everyCutAndEveryFlippedByteIsNoticed() throws {
    let bytes = try #require(try record().bytes)
    for count in bytes.indices { #expect(error(Array(bytes[..<count])) != nil, "cut after \(count)") }
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x20
      #expect(error(damaged) != nil, "byte \(index)")
    }
    #expect(error(bytes + [0]) != nil)
  }

  @Test func thereIsALimit() throws {
    var record = try record()
    record.fields["X"] = String(repeating: "x", count: ResumeRecord.byteLimit)
    #expect(record.bytes == nil)
    #expect(error(Array("bbresume".utf8) + [1] + Array(repeating: 0, count: ResumeRecord.byteLimit)) != nil)
  }

  // MARK: What a stranger may write

  /// Data with a right checksum and these parts.
  private func forged(_ parts: [(UInt8, [UInt8])]) -> [UInt8] {
    var bytes = Array("bbresume".utf8) + [1]
    for (tag, value) in parts {
      bytes.append(tag)
      bytes += withUnsafeBytes(of: UInt32(value.count).bigEndian) { Array($0) } + value
    }
    return signed(bytes)
  }

  private func signed(_ bytes: [UInt8]) -> [UInt8] {
    let sum = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    return bytes + withUnsafeBytes(of: sum.bigEndian) { Array($0) }
  }

  private static func number(_ value: UInt64) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  private static let good: [(UInt8, [UInt8])] = [
    (1, Array("https://example.org/".utf8)), (5, number(10)), (6, number(20)), (7, Array("\"a\"".utf8)),
    (9, Array(directory.utf8)), (10, Array(name.utf8)),
  ]

  @Test func theForgerCanForge() throws {
    #expect(error(forged(Self.good)) == nil)
  }

  @Test(
    arguments: [
      // Places outside, or none of ours.
      (9, "/etc"), (9, ".."), (9, "."), (9, ""), (9, "bluebonnet.partial.a/b/cd"),
      (9, "bluebonnet.partial.abcde"),
      (9, "bluebonnet.partial.abcdefg"), (9, "bluebonnet.partial.../.."), (9, "bluebonnet.files.abcdef"),
      (9, "../bluebonnet.partial.abcdef"), (9, "bluebonnet.partial.abcde\u{0}"),
      (9, "bluebonnet.partial.abcdé"),
      (10, "passwd"), (10, "../0123456789abcdef0123456789.part"), (10, ".part"),
      (10, "0123456789abcdef0123456789abcdef"), (10, "0123456789abcdef0123456789abcdeg.part"),
      (10, "0123456789abcdef0123456789abcde/.part"), (10, "0123456789abcdef0123456789abcdef.part\u{0}"),
      // Addresses that would not be loaded over the network.
      (1, "file:///etc/passwd"), (1, "data:,x"), (1, "/relative"), (1, ""), (1, "http//x"),
      (1, "https://a b/"),
      (1, "https://a/\r\nX: y"), (1, "javascript:x"),
      // Validators that must not be sent.
      (7, "W/\"a\""), (7, "a"), (7, ""), (7, "\"a\"\r\nX: y"), (7, "\"a\", \"b\""),
    ] as [(UInt8, String)])
  func whatLeadsElsewhereIsRefused(_ tag: UInt8, _ value: String) {
    let parts = Self.good.map { $0.0 == tag ? (tag, Array(value.utf8)) : $0 }
    #expect(error(forged(parts)) != nil, "\(tag) \(value)")
  }

  @Test func numbersHaveBounds() {
    for (offset, total) in [
      (0, 20), (21, 20), (UInt64.max, 20), (1 << 62, 1 << 62), (1 << 63, UInt64.max),
    ] as [(UInt64, UInt64)] {
      let parts = Self.good.map { part -> (UInt8, [UInt8]) in
        part.0 == 5 ? (5, Self.number(offset)) : part.0 == 6 ? (6, Self.number(total)) : part
      }
      #expect(error(forged(parts)) != nil, "\(offset) \(total)")
    }
    #expect(error(forged(Self.good + [(3, [1])])) != nil)
  }

  @Test(arguments: [
    "", ":", ": x", "no colon", "A b: x", "A:x\r\nB:y", "A:\u{0}", "A\u{E9}:x", "Range:bytes=0-",
    "if-range:\"a\"",
  ])
  func fieldsThatMustNotBeSent(_ line: String) {
    #expect(error(forged(Self.good + [(2, Array(line.utf8))])) != nil)
  }

  @Test func partsThatAreMissingDoubledOrUnknown() {
    for index in Self.good.indices where Self.good[index].0 != 6 {
      var parts = Self.good
      parts.remove(at: index)
      #expect(error(forged(parts)) != nil)
    }
    for part in Self.good { #expect(error(forged(Self.good + [part])) != nil) }
    #expect(error(forged(Self.good + [(99, [])])) != nil)
    #expect(error(forged(Self.good + [(8, Array("Thu, 01 Jan 2026 00:00:00 GMT".utf8))])) != nil)
    #expect(error(forged(Self.good + [(2, Array("A:1".utf8)), (2, Array("a:2".utf8))])) != nil)
    #expect(error(forged(Self.good + [(11, Array("Set-Cookie:a=b".utf8))])) != nil)
    #expect(error(forged(Self.good + [(1, [0xFF])])) != nil)
  }

  /// A length is believed only as far as there are bytes.
  @Test func lengthsThatReachBeyondTheEnd() {
    for length in [1, 0x7FFF_FFFF, 0xFFFF_FFFF] as [UInt32] {
      let bytes = Array("bbresume".utf8) + [1, 1] + withUnsafeBytes(of: length.bigEndian) { Array($0) }
      #expect(error(signed(bytes)) != nil)
    }
    #expect(error(signed(Array("bbresume".utf8) + [1, 1, 0])) != nil)
  }

  @Test func randomBytesAreNone() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      let count = Int.random(in: 0..<200, using: &generator)
      let noise = generator.bytes(count)
      #expect(error(signed(Array("bbresume".utf8) + [1] + noise)) != nil)
    }
  }

  @Test func namesOfPartsAreParts() {
    let name = PartLocation.name(of: (0..<16).map { UInt8($0 * 16 + $0) })
    #expect(name == "00112233445566778899AABBCCDDEEFF.part" && PartLocation.isName(name))
  }
}
