// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import Testing

/// What a response's transfer codings may be, by what its request has offered.
@Suite struct TransferCodingsTests {
  /// What comes of a whole response, whose connection is closed behind it.
  private struct Reading: Equatable {
    var body: [UInt8] = []
    var rule: HTTP1Error.Rule?
    var contentLength: Int?
    var keepsConnection = false
  }

  private static func read(
    _ text: String, _ codings: TransferCodings, mode: ParsingMode = .strict, pieceLength: Int = .max
  ) -> Reading {
    var parser = ResponseParser(toMethod: .ordinary, mode: mode)
    parser.reset(toMethod: .ordinary, transferCodings: codings)
    let bytes = Array(text.utf8)
    var (start, end) = (0, 0)
    var reading = Reading()
    do throws(HTTP1Error) {
      reading: while true {
        let window = Array(bytes[start..<end])
        var consumed = 0
        let event = try parser.next(in: window.span, consumed: &consumed)
        start += consumed
        switch event {
        case .body(let range): reading.body += window[range]
        case .end: break reading
        case .head: reading.contentLength = parser.contentLength
        case .interim: break
        case .needsMore:
          if end == bytes.count {
            _ = try parser.finish()
            break reading
          }
          end = min(bytes.count, end + min(pieceLength, bytes.count))
        }
      }
    } catch {
      reading.rule = error.rule
    }
    reading.keepsConnection = parser.keepsConnection
    return reading
  }

  private static func response(_ coding: String, _ rest: String) -> String {
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: \(coding)\r\n\r\n\(rest)"
  }

  private static let chunks = "2\r\nab\r\n1;x=y\r\nc\r\n0\r\nA: b\r\n\r\n"

  @Test(arguments: ["gzip", "x-gzip", "Deflate", "deflate, gzip"]) func whatWasOfferedIsRead(coding: String) {
    let chunked = Self.read(Self.response("\(coding), chunked", Self.chunks), .compressed)
    #expect(chunked == Reading(body: Array("abc".utf8), keepsConnection: true))
    let bare = Self.read(Self.response(coding, "abc"), .compressed)
    #expect(bare == Reading(body: Array("abc".utf8)))
    for text in [Self.response("\(coding), chunked", Self.chunks), Self.response(coding, "abc")] {
      #expect(Self.read(text, .chunked).rule == .unsupportedTransferEncoding)
      #expect(Self.read(text, .chunked, mode: .lenient).rule == .unsupportedTransferEncoding)
    }
  }

  @Test(arguments: [
    "br", "chunked, gzip", "gzip, chunked, chunked", "gzip, br, chunked", "", "gzip, chunked, br",
  ])
  func whatWasNotOfferedIsRefused(coding: String) {
    #expect(Self.read(Self.response(coding, Self.chunks), .compressed).rule == .unsupportedTransferEncoding)
  }

  /// A length beside it is as wrong as beside chunks; where that is let pass, it does not count (RFC 9112 §6.3).
  @Test func aLengthBesideACodingDoesNotCount() {
    let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nContent-Length: 1\r\n\r\nabc"
    #expect(Self.read(text, .compressed).rule == .contentLengthWithTransferEncoding)
    #expect(Self.read(text, .compressed, mode: .lenient) == Reading(body: Array("abc".utf8)))
  }

  @Test(arguments: [1, 2, 3, 7, Int.max]) func chunksAreDeliveredAsTheyCame(pieceLength: Int) {
    func read(_ coding: String, _ rest: String) -> Reading {
      Self.read(Self.response(coding, rest), .asReceived, pieceLength: pieceLength)
    }
    #expect(
      read("chunked", Self.chunks + "beyond") == Reading(body: Array(Self.chunks.utf8), keepsConnection: true)
    )
    #expect(read("br, chunked", Self.chunks).body == Array(Self.chunks.utf8))
    #expect(read("br", "abc") == Reading(body: Array("abc".utf8)))
    #expect(read("chunked", "2\r\nab\r\n") == Reading(body: Array("2\r\nab\r\n".utf8), rule: .truncatedBody))
    #expect(
      read("chunked", "2\r\nab\r\nx\r\n") == Reading(body: Array("2\r\nab\r\n".utf8), rule: .invalidChunkSize)
    )
    #expect(read("chunked, br", Self.chunks).rule == .unsupportedTransferEncoding)
  }

  @Test func whatWasOfferedHoldsForOneResponse() {
    var parser = ResponseParser(toMethod: .ordinary)
    parser.reset(toMethod: .ordinary, transferCodings: .compressed)
    parser.reset(toMethod: .ordinary)
    var consumed = 0
    let bytes = Array(Self.response("gzip", "abc").utf8)
    #expect(throws: HTTP1Error.self) { try parser.next(in: bytes.span, consumed: &consumed) }
  }
}
