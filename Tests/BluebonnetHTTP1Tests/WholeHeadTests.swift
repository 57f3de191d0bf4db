// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import BluebonnetWireVectors
import Testing

@testable import BluebonnetHTTP1

/// The one-pass reader against the resumable one, and the vector lanes against the plain ones.
@Suite struct WholeHeadTests {
  @Test func vectorLanesAreThePlainOnes() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<2_000 {
      let bytes = (0..<64).map { _ in
        Bool.random(using: &generator)
          ? UInt8.random(in: 0...255, using: &generator)
          : UInt8.random(in: 0x20...0x7A, using: &generator)
      }
      let row = (0..<16).map { bytes[$0] | (Bool.random(using: &generator) ? 0x20 : 0) }
      bytes.withUnsafeBufferPointer { buffer in
        row.withUnsafeBufferPointer { row in
          guard let base = buffer.baseAddress, let row = row.baseAddress else { return }
          #expect(NativeLanes.unusual(base) == PlainLanes.unusual(base))
          #expect(NativeLanes.colons(base) == PlainLanes.colons(base))
          #expect(NativeLanes.wordBytes(base) == PlainLanes.wordBytes(base))
          #expect(NativeLanes.equalFolded(base, row) == PlainLanes.equalFolded(base, row))
        }
      }
    }
  }

  /// Lines of every length, so that their ends fall on every place of a block, and across two.
  @Test func lineEndsMayLieAnywhere() {
    for padding in 0..<140 {
      let text =
        "HTTP/1.1 200 \(String(repeating: "r", count: padding % 13))\r\nX-Padding: \(String(repeating: "v", count: padding))\r\n"
        + "Content-Length: 2\r\n\(String(repeating: "n", count: padding % 40 + 1)):\tw\u{e9}\t \r\nEmpty:\r\n\r\nab"
      let bytes = Array(text.utf8)
      expectSame(bytes, .response(.ordinary))
      #expect(atOnce(bytes, PlainLanes.self)?.map(\.value) == atOnce(bytes, NativeLanes.self)?.map(\.value))
      #expect(atOnce(bytes, NativeLanes.self)?.count == (bytes.count > 64 ? 4 : nil))
    }
  }

  @Test func everyDamagedByteIsNoticedAlike() {
    let text =
      "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Type: text/html; charset=utf-8\r\nConnection: keep-alive\r\n"
      + "X-Some-Rather-Long-Name: y\r\nContent-Length: 0\r\n\r\n"
    for index in text.utf8.indices.map({ text.utf8.distance(from: text.utf8.startIndex, to: $0) }) {
      for byte in [0, 0x09, 0x0A, 0x0D, 0x1A, 0x20, 0x2F, 0x3A, 0x7F, 0x80, 0xCD, 0xFF] as [UInt8] {
        var bytes = Array(text.utf8)
        bytes[index] = byte
        expectSame(bytes, .response(.ordinary))
      }
    }
  }

  /// Heads put together from ordinary and odd lines, with their line ends on every place of a block.
  @Test func oddHeadsAreReadAlikeHoweverTheyCome() {
    let lines: [String] = [
      "Server: x", "Connection: keep-alive", "connection: close", "Proxy-Connection: close",
      "Keep-Alive: timeout=5",
      "Content-Length: 5", "Content-Length: 6", "content-length:  5 ", "Content-Length: 5, 5",
      "Content-Length: 5x",
      "Content-Length:", "Content-Length: 1234567890123456789", "Transfer-Encoding: chunked", "Te: a",
      "VIA: b",
      "Age: 0", "A:b", "A:", "A: ", "A:\t\t", ":", ": a", "no colon", "X_Odd!Name: v", "Caf\u{e9}: v",
      "X-A-Name-That-Is-Longer-Than-Two-Blocks-Of-Sixteen: v", "X-Exactly-16-By: v", "X-Exactly-17-Byt: v",
      "Value: caf\u{e9}", "Value: \u{e9}\u{e9}\t\u{e9}", "Value: a\tb\t", "Value: \u{7f}", "Value: \u{1}",
      " folded",
      "\tfolded", "Bare: a\rb", "Bare: a\nb", "\rBare: a", "\nBare: a", "Value: a\r", "Content\rLength: 5",
      "X-Custom-Field-12: value number 12 of a large head", "Strict-Transport-Security: max-age=31536000",
    ]
    var generator = SeededGenerator(seed: 23)
    for _ in 0..<4_000 {
      let isOdd = Bool.random(using: &generator)
      let picked = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
        isOdd
          ? lines.randomElement(using: &generator) ?? ""
          : lines[[0, 13, 14, 15, 16, 41, 42].randomElement(using: &generator) ?? 0]
      }
      let reason =
        ["OK", "", "Not Found", "OK\t", "Caf\u{e9}", "\u{0}"].randomElement(using: &generator) ?? ""
      let status = [200, 200, 204, 304, 404, 101].randomElement(using: &generator) ?? 200
      let padding = String(repeating: "p", count: Int.random(in: 0...70, using: &generator))
      let bytes = Array(
        ("HTTP/1.\(Int.random(in: 0...1, using: &generator)) \(status) \(reason)\r\nPad: \(padding)\r\n"
          + picked.map { $0 + "\r\n" }.joined() + "\r\nhello").utf8)
      expectSame(bytes, .response(.ordinary))
      let (plain, native) = (atOnce(bytes, PlainLanes.self), atOnce(bytes, NativeLanes.self))
      #expect(plain?.map(\.value) == native?.map(\.value))
      #expect(plain?.indices.map { plain?.known(at: $0) } == native?.indices.map { native?.known(at: $0) })
      if !isOdd, ["OK", "", "Not Found"].contains(reason), bytes.count > 80 {
        #expect(native?.count == picked.count + 1)
      }
    }
  }

  /// Rows and name lengths have sixteen bits in some places, and limits may be raised beyond that.
  @Test(arguments: [1, 65_534, 65_535, 70_000]) func largeHeadsAreReadAlikeHoweverTheyCome(size: Int) throws {
    let limits = ParserLimits(headBytes: 1 << 24, fieldCount: 1 << 20, lineBytes: 1 << 24)
    let start = "HTTP/1.1 200 OK\r\n"
    let end =
      "Connection: close\r\nContent-Length: 0\r\nPadding: \(String(repeating: "p", count: 64))\r\n\r\n"
    let manyFields = Array((start + String(repeating: "a: b\r\n", count: size) + end).utf8)
    let longName = Array((start + String(repeating: "n", count: size) + ": v\r\n" + end).utf8)
    for firstPiece in [manyFields.count, manyFields.count - 1] {
      var parser = ResponseParser(toMethod: .ordinary, limits: limits)
      var consumed = 0
      _ = try parser.next(in: manyFields.span.extracting(first: firstPiece), consumed: &consumed)
      while try parser.next(in: manyFields.span, consumed: &consumed) != .end {}
      #expect(!parser.keepsConnection)
      #expect(parser.head.fields.count == size + 3)
    }
    for firstPiece in [longName.count, longName.count - 1] {
      var parser = ResponseParser(toMethod: .ordinary, limits: limits)
      var consumed = 0
      do throws(HTTP1Error) {
        _ = try parser.next(in: longName.span.extracting(first: firstPiece), consumed: &consumed)
        _ = try parser.next(in: longName.span, consumed: &consumed)
        #expect(parser.head.fields.name(at: 0).utf8.count == size)
        #expect(size <= 65_535)
      } catch {
        #expect(error.rule == .lineTooLong)
        #expect(size > 65_535)
      }
    }
  }

  @Test func requestsAreReadAtOnceToo() {
    let text =
      "GET /a HTTP/1.1\r\nHost: example.org\r\nAccept: */*\r\nUser-Agent: bonnet\r\nX: \(String(repeating: "y", count: 40))\r\n\r\n"
    expectSame(Array(text.utf8), .request)
  }

  @Test func storageIsReusedUnlessTheHeadIsKept() throws {
    let bytes = Array(
      "HTTP/1.1 200 OK\r\nServer: \(String(repeating: "s", count: 60))\r\nContent-Length: 0\r\n\r\n".utf8)
    var parser = ResponseParser(toMethod: .ordinary)
    func read() throws -> FieldStorage? {
      var consumed = 0
      parser.reset(toMethod: .ordinary)
      #expect(try parser.next(in: bytes.span, consumed: &consumed) == .head)
      return parser.head.fields.storage
    }
    var identities: [ObjectIdentifier] = []
    for _ in 0..<3 { identities.append(ObjectIdentifier(try #require(try read()))) }
    #expect(Set(identities).count == 1)
    let kept = parser.head
    #expect(ObjectIdentifier(try #require(try read())) != identities[0])
    #expect(kept.fields.first(.server)?.utf8.count == 60)
  }

  private func expectSame(_ bytes: [UInt8], _ subject: Subject) {
    let whole = subject.transcript(bytes)
    for feeding in [Feeding.bytewise, .every(63), .split(bytes.count - 1)] {
      let other = subject.transcript(bytes, feeding: feeding)
      #expect(other == whole, "\(feeding) \(String(decoding: bytes, as: UTF8.self).debugDescription)")
    }
  }

  /// The values found in one pass, or nil if the pass gave up.
  private func atOnce<L: Lanes>(_ bytes: [UInt8], _ lanes: L.Type) -> FieldBlock? {
    var reader = HeadReader(.response, mode: .strict, limits: .default)
    let isRead = bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return false }
      return reader.readResponseAtOnce(base, buffer.count, with: lanes)
    }
    return isRead ? reader.block : nil
  }
}
