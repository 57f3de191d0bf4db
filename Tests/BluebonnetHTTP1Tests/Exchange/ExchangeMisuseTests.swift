// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import Testing

/// What a caller must not do is refused as the caller's fault, and changes nothing.
@Suite struct ExchangeMisuseTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var before: [Dialogue.Turn]
    var rule = HTTP1Error.Rule.outOfOrder
    var misuse: @Sendable (inout HTTP1Exchange) throws(HTTP1Error) -> Void

    var testDescription: String { name }
  }

  static let begins: @Sendable (inout HTTP1Exchange) throws(HTTP1Error) -> Void = {
    (exchange) throws(HTTP1Error) in try exchange.start(.ordinary, headBytes: 6)
  }

  static let rows: [Row] = [
    Row(name: "a second request", before: [.start()], misuse: begins),
    Row(name: "a second request behind the first", before: [.start(), .sends("<head>")], misuse: begins),
    Row(
      name: "a request within a response",
      before: [.start(), .sends("<head>"), .server("HTTP/1.1 200 OK\r\n\r\n", .head(200))], misuse: begins),
    Row(
      name: "a request behind the last",
      before: [
        .start(closes: true), .sends("<head>"),
        .server("HTTP/1.1 204 No\r\n\r\n", .head(204), .close(.askedByClient)),
      ], misuse: begins),
    Row(
      name: "a request behind a malformed response",
      before: [.start(), .sends("<head>"), .server("x", .refused(.invalidStatusLine))], misuse: begins),
    Row(
      name: "a request to a server that has gone",
      before: [
        .start(), .sends("<head>"), .server("HTTP/1.1 204 No\r\n\r\n", .head(204), .reuse), .peerHangsUp,
      ], misuse: begins),
    Row(name: "a request to nobody", before: [.peerHangsUp], misuse: begins),
    Row(
      name: "a request through a tunnel",
      before: [
        .start(.connect), .sends("<head>"),
        .server("HTTP/1.1 200 OK\r\n\r\n", .head(200), .upgrade(rest: "")),
      ], misuse: begins),
    Row(name: "a request that was cancelled", before: [.cancels], misuse: begins),
    Row(name: "no head", before: []) { (exchange) throws(HTTP1Error) in
      try exchange.start(.ordinary, headBytes: 0)
    },
    Row(name: "a body of less than nothing", before: []) { (exchange) throws(HTTP1Error) in
      try exchange.start(.ordinary, headBytes: 6, body: .length(-1))
    },
    Row(name: "more sent than there is", before: [.start()]) { (exchange) throws(HTTP1Error) in
      try exchange.sent(7)
    },
    Row(name: "more sent than there is, with a chunk", before: [.start(body: .chunked), .lends("abc")]) {
      (exchange) throws(HTTP1Error) in try exchange.sent(15)
    },
    Row(name: "less than nothing sent", before: [.start()]) { (exchange) throws(HTTP1Error) in
      try exchange.sent(-1)
    },
    Row(name: "a piece of no body", before: [.start()]) { (exchange) throws(HTTP1Error) in
      try exchange.lend(1)
    },
    Row(name: "an end of no body", before: [.start(body: .chunked, expects: true)]) {
      (exchange) throws(HTTP1Error) in try exchange.endBody()
    },
    Row(name: "a piece that nobody waits for", before: [.start(body: .length(1), expects: true)]) {
      (exchange) throws(HTTP1Error) in try exchange.lend(1)
    },
    Row(name: "a piece before the last is sent", before: [.start(body: .length(2)), .lends("a")]) {
      (exchange) throws(HTTP1Error) in try exchange.lend(1)
    },
    Row(name: "an end before the last piece is sent", before: [.start(body: .chunked), .lends("a")]) {
      (exchange) throws(HTTP1Error) in try exchange.endBody()
    },
    Row(
      name: "a piece behind the end", before: [.start(body: .chunked), .endsBody, .sends("<head>0\r\n\r\n")]
    ) {
      (exchange) throws(HTTP1Error) in try exchange.lend(1)
    },
    Row(name: "a piece of less than nothing", before: [.start(body: .chunked)]) {
      (exchange) throws(HTTP1Error) in try exchange.lend(-1)
    },
    Row(name: "too much", before: [.start(body: .length(2))], rule: .bodyTooLong) {
      (exchange) throws(HTTP1Error) in try exchange.lend(3)
    },
    Row(name: "too little", before: [.start(body: .length(2))], rule: .bodyTooShort) {
      (exchange) throws(HTTP1Error) in try exchange.lend(1, isLast: true)
    },
    Row(name: "the end too soon", before: [.start(body: .length(2))], rule: .bodyTooShort) {
      (exchange) throws(HTTP1Error) in try exchange.endBody()
    },
    Row(name: "input from behind its end", before: [.start(), .sends("<head>")]) {
      (exchange) throws(HTTP1Error) in
      var consumed = 1
      _ = try exchange.receive(in: Span(), consumed: &consumed)
    },
    Row(name: "input from before its beginning", before: [.start(), .sends("<head>")]) {
      (exchange) throws(HTTP1Error) in
      var consumed = -1
      _ = try exchange.receive(in: Span(), consumed: &consumed)
    },
  ]

  @Test(arguments: rows) func isRefused(row: Row) {
    var player = DialoguePlayer(mode: .strict, cut: .init(server: 0))
    for turn in row.before { #expect(player.play(turn) == nil) }
    let before = "\(player.exchange)"
    #expect(throws: HTTP1Error(row.rule, offset: 0, fault: .caller)) { try row.misuse(&player.exchange) }
    #expect("\(player.exchange)" == before)
  }

  @Test func everyReasonHasATextOfItsOwn() {
    #expect(Set(CloseReason.allCases.map(\.description)).count == CloseReason.allCases.count)
    #expect(CloseReason.allCases.allSatisfy { $0.description.count > 10 })
  }

  @Test func theReasonIsKnownAsSoonAsThereIsOne() throws {
    var exchange = HTTP1Exchange()
    #expect(exchange.closeReason == nil)
    try exchange.start(.ordinary, headBytes: 1, body: .length(1))
    try exchange.sent(1)
    exchange.sendingFailed()
    #expect(exchange.closeReason == .sendingFailed)
    #expect(exchange.cancel() == .cancelled)
    #expect(exchange.cancel() == .cancelled)
    #expect(exchange.bodyFailed() == .cancelled)
    exchange = HTTP1Exchange()
    exchange.peerHungUp()
    #expect(exchange.closeReason == .peerEnded)
  }

  /// What a retry goes by (RFC 9112 §9.3.1).
  @Test func whatHasMovedIsKnown() throws {
    var exchange = HTTP1Exchange()
    try exchange.start(.ordinary, headBytes: 2)
    try exchange.sent(0)
    #expect(!exchange.hasSentAny && !exchange.hasReceivedAny)
    try exchange.sent(1)
    #expect(exchange.hasSentAny && !exchange.isRequestComplete)
    try exchange.sent(1)
    #expect(exchange.isRequestComplete && !exchange.hasReceivedAny)
    var consumed = 0
    let bytes = Array("HTTP/1.1 204 \r\n\r\n".utf8)
    #expect(try exchange.receive(in: bytes.span.extracting(first: 1), consumed: &consumed) == .needsMore)
    #expect(exchange.hasReceivedAny)
    #expect(try exchange.receive(in: bytes.span, consumed: &consumed) == .head)
    #expect(try exchange.receive(in: bytes.span, consumed: &consumed) == .end(.reuse))
    try exchange.start(.ordinary, headBytes: 2)
    #expect(!exchange.hasSentAny && !exchange.hasReceivedAny && !exchange.isRequestComplete)
  }

  /// A size line of any length, and everything around a piece taken in any steps.
  @Test(arguments: [1, 15, 16, 255, 4096, 131_072]) func chunksAreFramedInPlace(size: Int) throws {
    let piece = [UInt8](repeating: 0x61, count: size)
    let expected =
      Array("<head>".utf8) + ChunkedEncoder.header(size: size) + piece + ChunkedEncoder.chunkEnd
      + ChunkedEncoder.terminator
    for step in [1, 2, 7, size, size + 5, .max] where expected.count / step < 5000 {
      var exchange = HTTP1Exchange()
      try exchange.start(.ordinary, headBytes: 6, body: .chunked)
      try exchange.lend(size, isLast: true)
      #expect(exchange.outgoing.count == expected.count)
      var (bytes, ofPiece): ([UInt8], Int) = ([], 0)
      while !exchange.outgoing.isEmpty {
        let head = Array("<head>".utf8)
        let some = exchange.outgoing.withSegments(head: head.span, piece: piece.span) {
          [UInt8](joining: $0, $1, $2, $3)
        }
        #expect(some.count == exchange.outgoing.count)
        let rest = piece[exchange.outgoing.piece]
        let same = exchange.outgoing.withSegments(head: head.span, rest: rest.span) {
          [UInt8](joining: $0, $1, $2, $3)
        }
        #expect(same == some)
        bytes += some.prefix(step)
        ofPiece += try exchange.sent(min(step, some.count))
      }
      #expect(bytes == expected)
      #expect(ofPiece == size)
      #expect(exchange.isRequestComplete)
    }
  }
}
