// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

@Suite struct EventStreamParserTests {
  typealias Event = EventStreamParser.Event

  private static func event(_ data: String, type: String = "message", id: String = "") -> (
    String, String, String
  ) {
    (data, type, id)
  }

  /// All events of a stream, cut into pieces at these places.
  private func events(_ bytes: [UInt8], cutAt cuts: [Int]) throws -> ([Event], EventStreamParser) {
    var parser = EventStreamParser()
    var events: [Event] = []
    var start = 0
    for cut in cuts + [bytes.count] {
      try parser.append(bytes[start..<cut]) { events.append($0) }
      start = cut
    }
    return (events, parser)
  }

  private static let table: [(stream: String, events: [(String, String, String)])] = [
    // The examples of WHATWG HTML §9.2.6.
    (
      "data: This is the first message.\n\ndata: This is the second message, it\ndata: has two lines.\n\n"
        + "data: This is the third message.\n\n",
      [
        event("This is the first message."), event("This is the second message, it\nhas two lines."),
        event("This is the third message."),
      ]
    ),
    (
      "event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\nevent: add\ndata: 113411\n\n",
      [event("73857293", type: "add"), event("2153", type: "remove"), event("113411", type: "add")]
    ),
    ("data: YHOO\ndata: +2\ndata: 10\n\n", [event("YHOO\n+2\n10")]),
    (
      ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
      [event("first event", id: "1"), event("second event"), event(" third event")]
    ),
    ("data\n\ndata\ndata\n\ndata:", [event(""), event("\n")]),
    ("data:test\n\ndata: test\n\n", [event("test"), event("test")]),
    // Line ends, mixed; a CR at the end of everything ends its line.
    ("data: a\r\rdata: b\r\n\r\ndata: c\n\n", [event("a"), event("b"), event("c")]),
    ("data: a\r\n\rdata: b\n\r", [event("a"), event("b")]), ("data: a\r\n\n", [event("a")]),
    ("data: a\n\r\ndata: b\r\r", [event("a"), event("b")]), ("\r\n\r\n\n\r", []),
    // A mark at the beginning is none of the text, a second one is, and so is one elsewhere.
    ("\u{FEFF}data: a\n\n", [event("a")]), ("\u{FEFF}\u{FEFF}data: a\n\n", []),
    ("\n\u{FEFF}data: a\n\n", []), ("\u{FEFF}\n\n", []), ("data: \u{FEFF}a\n\n", [event("\u{FEFF}a")]),
    // Without data there is no event, and its type is forgotten.
    ("event: x\n\ndata: a\n\n", [event("a")]), ("id: 7\n\ndata: a\n\n", [event("a", id: "7")]),
    // Ids last until they are set anew; one with a NUL is ignored.
    ("id: 1\ndata: a\n\ndata: b\n\n", [event("a", id: "1"), event("b", id: "1")]),
    ("id: 1\ndata: a\n\nid: 2\u{0}\ndata: b\n\n", [event("a", id: "1"), event("b", id: "1")]),
    ("id: 1\ndata: a\n\nid:\ndata: b\n\n", [event("a", id: "1"), event("b")]),
    // Names are exact.
    ("Data: a\n data: b\ndata : c\ndatum: d\n\n", []), ("data: a: b\n\n", [event("a: b")]),
    ("data:\ta\n\n", [event("\ta")]), ("event:\ndata: a\n\n", [event("a")]),
    // Comments, and what the stream ends in the middle of.
    (":\n:x\n: y\ndata: a\n:\n\n", [event("a")]), ("data: a\n\ndata: b\n", [event("a")]), ("data: a", []),
    ("data: grüße\n\ndata: 🌼\n\n", [event("grüße"), event("🌼")]), ("data: a\u{0}b\n\n", [event("a\u{0}b")]),
  ]

  private func matches(_ found: [Event], _ expected: [(String, String, String)]) -> Bool {
    found.count == expected.count
      && zip(found, expected).allSatisfy { ($0.data, $0.type, $0.id) == $1 }
  }

  @Test(arguments: table.indices) func atEverySplit(_ index: Int) throws {
    let (stream, expected) = Self.table[index]
    let bytes = Array(stream.utf8)
    for cut in 0...bytes.count {
      let (found, _) = try events(bytes, cutAt: [cut])
      #expect(matches(found, expected), "\(stream.debugDescription) cut at \(cut): \(found)")
    }
    let (found, _) = try events(bytes, cutAt: Array(0..<bytes.count))
    #expect(matches(found, expected), "\(stream.debugDescription) byte by byte: \(found)")
  }

  @Test func whatIsNoUTF8IsReplaced() throws {
    let (found, _) = try events(Array("data: a".utf8) + [0xFF, 0xC3] + Array("\n\n".utf8), cutAt: [8])
    #expect(found.map(\.data) == ["a\u{FFFD}\u{FFFD}"])
  }

  @Test(
    arguments: [
      ("retry: 1500\n", 1500), ("retry:0\n", 0), ("retry: 007\n", 7), ("retry: -1\n", nil),
      ("retry: 1.5\n", nil),
      ("retry:\n", nil), ("retry\n", nil), ("retry: 1 \n", nil), ("retry:  1\n", nil), ("retry: ١\n", nil),
      ("retry: 99999999999999999999999\n", Int.max), ("retry: 1\nretry: x\n", 1), ("retry: 1", nil),
    ] as [(String, Int?)])
  func reconnectionTimes(_ stream: String, _ time: Int?) throws {
    #expect(try events(Array(stream.utf8), cutAt: []).1.reconnectionTime == time)
  }

  /// The id of an event that is not complete is not told the server.
  @Test func theLastIDIsThatOfAnEventThatWasDispatched() throws {
    let (_, parser) = try events(Array("id: 1\ndata: a\n\nid: 2\ndata: b\n".utf8), cutAt: [])
    #expect(parser.lastEventID == "1")
    var next = EventStreamParser(lastEventID: parser.lastEventID)
    var ids: [String] = []
    try next.append("data: c\n\n".utf8) { ids.append($0.id) }
    #expect(ids == ["1"])
    #expect(next.lastEventID == "1")
  }

  @Test func aLineHasALimit() throws {
    var limits = EventStreamParser.Limits()
    limits.lineBytes = 10
    var parser = EventStreamParser(limits: limits)
    var events: [String] = []
    // What comes before it in the same piece is not lost.
    #expect(throws: FramingError.lineTooLong(limit: 10)) {
      try parser.append("data: abcd\n\ndata: abcde".utf8) { events.append($0.data) }
    }
    #expect(events == ["abcd"])
    // Nothing comes of what follows.
    #expect(throws: FramingError.lineTooLong(limit: 10)) {
      try parser.append("\n\ndata: a\n\n".utf8) { events.append($0.data) }
    }
    #expect(events == ["abcd"])
  }

  @Test(arguments: ["data: 12345\n", "id: 123456\nevent: 123456\n"]) func anEventHasALimit(_ lines: String)
    throws
  {
    var limits = EventStreamParser.Limits()
    limits.eventBytes = 11
    var parser = EventStreamParser(limits: limits)
    var count = 0
    try parser.append("data: 12345\ndata: 12345\n\n".utf8) { _ in count += 1 }
    #expect(count == 1)
    #expect(throws: FramingError.frameTooLong(limit: 11)) {
      for _ in 0..<3 { try parser.append(lines.utf8) { _ in count += 1 } }
    }
    #expect(count == 1)
  }

  @Test func endlessLinesTakeNoMemory() throws {
    var parser = EventStreamParser()
    let piece = [UInt8](repeating: 0x61, count: 1 << 16)
    #expect(throws: FramingError.self) {
      for _ in 0..<1000 { try parser.append(piece) { _ in Issue.record("an event") } }
    }
  }
}
