// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct PropertyListBoundsTests {
  private static func xml(_ content: String, encoding: String = "UTF-8") -> String {
    "<?xml version=\"1.0\" encoding=\"\(encoding)\"?>\n<plist version=\"1.0\">\(content)</plist>\n"
  }

  private static func arrays(_ count: Int, around content: String = "") -> String {
    String(repeating: "<array>", count: count) + content + String(repeating: "</array>", count: count)
  }

  /// A binary property list of these objects, the first of them on top.
  private static func binary(_ objects: [[UInt8]], top: UInt64 = 0) -> Data {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object
    }
    let table = bytes.count
    for offset in offsets { bytes += [UInt8(offset >> 16), UInt8(offset >> 8 & 0xFF), UInt8(offset & 0xFF)] }
    bytes += [0, 0, 0, 0, 0, 0, 3, 2]
    for number in [UInt64(objects.count), top, UInt64(table)] {
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
    return Data(bytes)
  }

  /// An array of references to objects.
  private static func array(_ references: Int...) -> [UInt8] {
    [0xA0 | UInt8(references.count)] + references.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  }

  private static let one: [UInt8] = [0x10, 1]

  private func objection(_ data: Data) -> PropertyListBounds.Objection? {
    do throws(PropertyListBounds.Objection) {
      try PropertyListBounds.check(data)
      return nil
    } catch {
      return error
    }
  }

  private func objection(_ text: String) -> PropertyListBounds.Objection? { objection(Data(text.utf8)) }

  private static let deep = String(repeating: "<array>", count: 600)

  @Test(
    arguments: [
      (xml(arrays(511)), nil), (xml(arrays(512)), .tooManyLevels), (arrays(2_000), .tooManyLevels),
      (String(repeating: "<plist>", count: 600), .tooManyLevels),
      (xml(String(repeating: "<dict><key>a</key>", count: 600)), .tooManyLevels),
      (xml(String(repeating: "<array\n a='/'>", count: 600)), .tooManyLevels),
      (xml(String(repeating: "<array/>", count: 2_000)), nil),
      (xml(String(repeating: "<array></array>", count: 2_000)), nil),
      (xml("<!-- \(deep) --><string><![CDATA[\(deep)]]></string>"), nil),
      (xml("<string>\u{4F3C}\u{2191} &lt;array&gt; \u{3C21}\u{2D2D}</string>"), nil),
      // What closes nothing hides nothing, nor does what opens no comment.
      (xml(String(repeating: "<array><!-- </array> -->", count: 600)), .tooManyLevels),
      (
        xml(String(repeating: "<array><string><![CDATA[</array>]]></string>", count: 600)), .tooManyLevels
      ),
      (xml(String(repeating: "<array><?x </array> ?>", count: 600)), .tooManyLevels),
      (xml(String(repeating: "<array><true </array/>", count: 600)), .tooManyLevels),
      (xml("<true <!--/>\(deep)"), .tooManyLevels), (xml("<string <?/>\(deep)"), .tooManyLevels),
      (xml("<true <![CDATA[/>\(deep)"), .tooManyLevels),
      (xml("<string>\u{3C21}\u{2D2D}</string>\(deep)"), .tooManyLevels),
      (xml("<!DOCTYPE plist [ </array> ]>"), .unreadable), (xml("<!-- "), .unreadable),
      ("<", .unreadable),
      (xml("", encoding: "UTF-7"), .unreadable), (xml("", encoding: "utf-8,x"), .unreadable),
      ("<?xml ENCODING='utf-8' encoding='UTF-7' ?>", .unreadable),
      ("<?xml encoding ='utf-8' encoding='UTF-7' ?>", .unreadable),
      ("<?xml \u{600}encoding='UTF-7' ?>", .unreadable), ("<?xml version='1.0' ?><true/>", nil),
      (String(repeating: "(", count: 4_096), nil), (String(repeating: "(", count: 4_097), .tooManyBrackets),
      (String(repeating: "{a=", count: 4_097), .tooManyBrackets), ("", nil),
    ] as [(String, PropertyListBounds.Objection?)])
  func texts(_ text: String, _ expected: PropertyListBounds.Objection?) {
    #expect(objection(text) == expected)
    #expect(objection("\u{FEFF}" + text) == expected)
    let little: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big: [UInt8] = [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    #expect(objection(Data(little)) == expected)
    #expect(objection(Data(big)) == expected)
  }

  @Test(
    arguments: [
      [0x3C, 0], [0, 0, 0xFE, 0xFF, 0, 0, 0, 0x3C], [0xFF, 0xFE, 0, 0, 0x3C, 0, 0, 0],
      Array("<array><!----\0></array>-->".utf8), [0xFE, 0xFF, 0, 0x3C, 0, 0],
    ] as [[UInt8]])
  func textsWithNULs(_ bytes: [UInt8]) {
    #expect(objection(Data(bytes)) == .unreadable)
  }

  @Test func encodings() {
    for name in ["UTF-8", "us-ascii", "ISO-8859-1", "windows-1252"] {
      #expect(objection(Self.xml("<true/>", encoding: name)) == nil)
    }
    #expect(objection(Self.xml("<true/>", encoding: "UTF-16")) == .unreadable, "without a mark")
    let wide: [UInt8] =
      [0xFF, 0xFE] + Self.xml("<true/>", encoding: "UTF-16").utf8.flatMap { [$0, 0] }
    #expect(objection(Data(wide)) == nil)
  }

  @Test func references() {
    #expect(objection(Self.binary([Self.array(1, 1, 1), Self.one])) == nil)
    // Two hundred bytes that come to a billion objects.
    let doubled = (0..<30).map { Self.array($0 + 1, $0 + 1) } + [Self.one]
    #expect(objection(Self.binary(doubled)) == .tooManyObjects)
    // Two to the power of 70: more than a number holds.
    #expect(
      objection(Self.binary((0..<70).map { Self.array($0 + 1, $0 + 1) } + [Self.one])) == .tooManyObjects)
    // As many as a small list may have.
    #expect(objection(Self.binary((0..<14).map { Self.array($0 + 1, $0 + 1) } + [Self.one])) == nil)
    for levels in [511, 512] {
      let nested = (0..<levels).map { Self.array($0 + 1) } + [Self.one]
      #expect(objection(Self.binary(nested)) == (levels == 511 ? nil : .tooManyLevels))
    }
    // A level that has been looked at before counts wherever it stands.
    let side = (1..<400).map { Self.array($0 + 1) } + [Self.one]
    let deep = (401..<601).map { Self.array($0 + 1) } + [Self.array(1)]
    #expect(objection(Self.binary([Self.array(1, 401)] + side + deep)) == .tooManyLevels)
    // Those that contain themselves.
    #expect(objection(Self.binary([Self.array(0)])) != nil)
    #expect(objection(Self.binary([Self.array(1), Self.array(0)])) != nil)
  }

  /// Ten thousand arrays at one place, each with ten thousand references to a number.
  @Test func sharedReferences() {
    var bytes = Array("bplist00".utf8) + Self.one
    let array = bytes.count
    bytes += [0xAF, 0x11, 0x27, 0x10] + [UInt8](repeating: 0, count: 20_000)
    // The top one refers to each of them.
    let top = bytes.count
    bytes += [0xAF, 0x11, 0x27, 0x10] + (1...10_000).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let table = bytes.count
    for offset in [8] + [Int](repeating: array, count: 10_000) + [top] {
      bytes += [UInt8(offset >> 16), UInt8(offset >> 8 & 0xFF), UInt8(offset & 0xFF)]
    }
    bytes += [0, 0, 0, 0, 0, 0, 3, 2]
    for number in [10_002, 10_001, table] {
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
    #expect(objection(Data(bytes)) == .tooManyObjects)
  }

  /// Readers make a text anew for each reference.
  @Test func sharedTexts() {
    let text: [UInt8] = [0x5F, 0x12, 0, 1, 0, 0] + [UInt8](repeating: 0x61, count: 1 << 16)
    func list(_ count: Int) -> Data {
      let references = (0..<(2 * count)).map { UInt8($0 % 2) }
      return Self.binary([[0xAF, 0x11, UInt8(count >> 8), UInt8(count & 0xFF)] + references, text])
    }
    #expect(objection(list(250)) == nil)
    #expect(objection(list(20_000)) == .tooManyObjects)
  }

  @Test func damage() {
    let good = Self.binary([Self.array(1), Self.one])
    #expect(objection(good) == nil)
    for end in [0, 1, 7, 20, good.count - 1] where end >= 6 {
      #expect(objection(good.prefix(end)) == .unreadable)
    }
    #expect(objection(Self.binary([Self.array(2), Self.one])) == .unreadable)
    #expect(objection(Self.binary([Self.one], top: 1)) == .unreadable)
    // Foundation takes what does not fit for a text.
    #expect(objection(good + [0]) == .unreadable)
    #expect(objection(Self.binary([[0xC1, 0, 1], Self.one])) == .unreadable, "a set")
    #expect(objection(Self.binary([[0xAF, 0x13] + [UInt8](repeating: 0xFF, count: 8)])) == .unreadable)
    // Nothing is read out of bounds, whatever stands there.
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      var data = good
      for _ in 0..<3 {
        data[Int.random(in: 6..<data.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      _ = objection(data)
    }
  }

  /// Bodies that would end the process are errors of the server.
  @Test func responsesAreRefused() async throws {
    let bodies = [
      Self.xml(Self.arrays(200_000)),
      Self.xml(String(repeating: "<dict><key>a</key>", count: 100_000)),
    ]
    for body in bodies {
      let scripted = ScriptedSession { _, _ in .reply(body: [body]) }
      let error = await scripted.session.request("http://host.test/")
        .serializingDecodable([String].self, decoder: PropertyListDecoder()).response.error
      guard case .responseSerializationFailed(.decodingFailed(let reason))? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      guard case DecodingError.dataCorrupted(let context) = reason else {
        Issue.record("\(reason)")
        continue
      }
      #expect(context.underlyingError as? PropertyListBounds.Objection == .tooManyLevels)
      #expect(error?.localizedDescription.contains("more than 512 levels") == true)
      #if Foundation
        let untyped = await scripted.session.request("http://host.test/")
          .serializingResponse(using: .propertyList).response.error
        #expect(untyped?.isResponseSerializationError == true)
      #endif
    }
  }
}
