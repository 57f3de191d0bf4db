// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import Glibc

/// What a client does again and again, with one parser that keeps its storage and with every check of strict mode.
enum Messages {
  /// A message at a time, from its first byte to its end, framing and persistence judged.
  static func heads(_ input: [UInt8], _ rounds: Int) throws {
    var parser = ResponseParser(toMethod: .ordinary)
    for _ in 0..<rounds {
      parser.reset(toMethod: .ordinary)
      var consumed = 0
      guard case .head = try parser.next(in: input.span, consumed: &consumed),
        case .end = try parser.next(in: input.span, consumed: &consumed), consumed == input.count
      else { exit(1) }
    }
  }

  /// The same without asking for the message's end, which picohttpparser doesn't look for either.
  static func headsOnly(_ input: [UInt8], _ rounds: Int) throws {
    var parser = ResponseParser(toMethod: .ordinary)
    for _ in 0..<rounds {
      parser.reset(toMethod: .ordinary)
      var consumed = 0
      guard case .head = try parser.next(in: input.span, consumed: &consumed), consumed == input.count
      else { exit(1) }
    }
  }

  /// A chunked body.
  static func chunked(_ input: [UInt8], _ rounds: Int) throws {
    var decoder = ChunkedDecoder()
    for _ in 0..<rounds {
      decoder.reset()
      var consumed = 0
      while true {
        if case .end = try decoder.next(in: input.span, consumed: &consumed) { break }
      }
    }
  }

  /// Four questions to one head: two by known field, two by name.
  static func lookUp(_ input: [UInt8], _ rounds: Int) throws {
    var parser = ResponseParser(toMethod: .ordinary)
    var consumed = 0
    guard case .head = try parser.next(in: input.span, consumed: &consumed) else { exit(1) }
    let fields = parser.head.fields
    var found = 0
    for _ in 0..<rounds {
      if fields.contains(.setCookie) { found += 1 }
      if let index = fields.index(of: .lastModified) { found += index }
      if let index = fields.index(of: "x-request-id") { found += index }
      if fields.index(of: "X-Absent") == nil { found += 1 }
    }
    if found == 0 { exit(1) }
  }
}
