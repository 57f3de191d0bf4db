// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import Testing

/// Conversations in tables, each with the server's bytes cut at every place and after every byte, and the client's sent
/// whole and byte by byte.
@Suite struct DialogueTests {
  private func check(_ dialogue: Dialogue) {
    let count = dialogue.serverCount
    var cuts: [Dialogue.Cut] = [.init(server: count), .init(server: count, client: 1), .init(server: nil)]
    for split in 0..<max(1, count) {
      for knows in [false, true] { cuts.append(.init(server: split, client: 3, knowsWhatFollows: knows)) }
    }
    for cut in cuts {
      if let difference = dialogue.difference(cut) {
        Issue.record("\(cut): \(difference)")
        return
      }
    }
  }

  static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
  static let asks = "HTTP/1.1 100 Continue\r\n\r\n"

  // MARK: - Who may go on

  static let persistence: [Dialogue] = [
    Dialogue(
      "one request after the other",
      [
        .wants(.nothing), .start(), .wants(.bytes), .sends("<head>"), .wants(.nothing),
        .server(ok, .head(200), .body("ok"), .reuse),
        .start(.head), .sends("<head>"),
        .server("HTTP/1.1 404 No\r\nContent-Length: 99\r\n\r\n", .head(404), .reuse),
        .start(body: .length(2)), .lends("hi"), .sends("<head>hi"),
        .server("HTTP/1.1 204 None\r\n\r\n", .head(204), .reuse), .asksAgain(.reuse),
      ]),
    Dialogue(
      "the server asks for the end",
      [
        .start(), .sends("<head>"),
        .server(
          "HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 0\r\n\r\n", .head(200),
          .close(.askedByServer)),
        .asksAgain(.close(.askedByServer)),
      ]),
    Dialogue(
      "the client asked for the end",
      [.start(closes: true), .sends("<head>"), .server(ok, .head(200), .body("ok"), .close(.askedByClient))]),
    Dialogue(
      "HTTP/1.0 ends",
      [
        .start(), .sends("<head>"),
        .server("HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na", .head(200), .body("a"), .close(.oldVersion)),
      ]),
    Dialogue(
      "HTTP/1.0 that keeps the connection",
      [
        .start(), .sends("<head>"),
        .server(
          "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\na", .head(200), .body("a"),
          .reuse),
      ]),
    Dialogue(
      "the body ends with the connection",
      [
        .start(), .sends("<head>"), .server("HTTP/1.1 200 OK\r\n\r\nabc", .head(200), .body("abc")),
        .serverEnds(.close(.endsWithConnection)), .serverEnds(.close(.endsWithConnection)),
      ]),
    Dialogue(
      "bytes behind the end",
      [
        .start(), .sends("<head>"),
        .server(ok + "HTTP/1.1 200 OK\r\n", .head(200), .body("ok"), .close(.unexpectedBytes)),
        .asksAgain(.close(.unexpectedBytes)),
      ]),
    Dialogue(
      "a body behind a response to HEAD",
      [.start(.head), .sends("<head>"), .server(ok, .head(200), .close(.unexpectedBytes))]),
    Dialogue(
      "bytes between two requests",
      [
        .start(), .sends("<head>"), .server(ok, .head(200), .body("ok"), .reuse),
        .server("\r\n", .close(.unexpectedBytes)),
      ]),
    Dialogue("bytes before the first request", [.server("HTTP/1.1", .close(.unexpectedBytes))]),
    Dialogue(
      "bytes before the request is sent", [.start(), .server("H", .refused(.unsolicitedResponse))]),
    Dialogue(
      "the server ends between two requests",
      [
        .start(), .sends("<head>"), .server(ok, .head(200), .body("ok"), .reuse),
        .serverEnds(.close(.peerEnded)),
      ]),
    Dialogue("the server ends before the first request", [.serverEnds(.close(.peerEnded))]),
    Dialogue(
      "the server has ended behind its response",
      [
        .start(), .sends("<head>"), .peerHangsUp,
        .server(ok, .head(200), .body("ok"), .close(.peerEnded)),
      ]),
    Dialogue(
      "Content-Length twice",
      [
        .start(), .sends("<head>"),
        .server(
          "HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\na", .head(200), .body("a"), .close(.doubtfulFraming)
        ),
      ]),
    Dialogue(
      "204 with a transfer coding",
      [
        .start(), .sends("<head>"),
        .server(
          "HTTP/1.1 204 No\r\nTransfer-Encoding: chunked\r\n\r\n", .head(204), .close(.doubtfulFraming)),
      ]),
    Dialogue(
      "a repaired head", mode: .tolerant,
      [
        .start(), .sends("<head>"),
        .server("HTTP/1.1 200 OK\nContent-Length: 1\n\na", .head(200), .body("a"), .close(.repaired)),
      ]),
    Dialogue(
      "304 and its length",
      [
        .start(), .sends("<head>"),
        .server("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", .head(304), .reuse),
      ]),
    Dialogue(
      "chunks and a trailer",
      [
        .start(), .sends("<head>"),
        .server(
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1\r\nd\r\n0\r\nA: b\r\n\r\n",
          .head(200), .body("abcd"), .reuse),
      ]),
  ]

  @Test(arguments: persistence) func whoMayGoOn(dialogue: Dialogue) { check(dialogue) }

  // MARK: - The request's body

  static let bodies: [Dialogue] = [
    Dialogue(
      "a counted body in pieces",
      [
        .start(body: .length(5)), .wants(.piece(atMost: 5)), .lends("abc"), .wants(.bytes),
        .sends("<head>abc"),
        .wants(.piece(atMost: 2)), .lends(""), .wants(.piece(atMost: 2)), .lends("de", isLast: true),
        .sends("de"), .wants(.nothing), .endsBody, .server(ok, .head(200), .body("ok"), .reuse),
      ]),
    Dialogue(
      "a body of no bytes",
      [.start(body: .length(0), expects: true), .sends("<head>"), .wants(.nothing), .endsBody]),
    Dialogue(
      "the head goes first, where no piece is at hand",
      [
        .start(body: .chunked), .wants(.piece(atMost: .max)), .sends("<head>"), .lends("abc"),
        .sends("3\r\nabc\r\n"), .lends(""), .lends("0123456789abcdef", isLast: true),
        .sends("10\r\n0123456789abcdef\r\n0\r\n\r\n"), .wants(.nothing),
        .server(ok, .head(200), .body("ok"), .reuse),
      ]),
    Dialogue(
      "chunks that end later",
      [
        .start(body: .chunked), .lends("a"), .sends("<head>1\r\na\r\n"), .wants(.piece(atMost: .max)),
        .endsBody, .wants(.bytes), .sends("0\r\n\r\n"), .wants(.nothing),
        .server(ok, .head(200), .body("ok"), .reuse),
      ]),
    Dialogue(
      "chunks of nothing", [.start(body: .chunked), .endsBody, .sends("<head>0\r\n\r\n"), .wants(.nothing)]),
    Dialogue(
      "an answer before the body is sent",
      [
        .start(body: .length(5)), .lends("abc"), .sends("<head>abc"),
        .server("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab", .head(200), .body("ab")),
        .wants(.piece(atMost: 2)), .lends("de"), .sends("de"),
        .server("cd", .body("cd"), .reuse),
      ]),
    Dialogue(
      "an answer that is over before the body is sent",
      [
        .start(body: .length(5)), .lends("abc"), .sends("<head>abc"),
        .server(ok, .head(200), .body("ok"), .close(.requestIncomplete)), .wants(.nothing),
      ]),
    Dialogue(
      "an answer that is over before the last chunk is sent",
      [
        .start(body: .chunked), .lends("abc"), .sends("<head>3\r\nabc\r\n"), .endsBody, .sendsOnly(4),
        .server(ok, .head(200), .body("ok"), .close(.requestIncomplete)), .wants(.nothing),
      ]),
    Dialogue(
      "an early error that keeps the connection",
      [
        .start(body: .length(3)), .sends("<head>"),
        .server("HTTP/1.1 413 Large\r\nContent-Length: 2\r\n\r\nn", .head(413), .body("n")),
        .wants(.piece(atMost: 3)), .lends("abc"), .sends("abc"), .server("o", .body("o"), .reuse),
      ]),
    Dialogue(
      "an early error that closes the connection",
      [
        .start(body: .length(3)), .lends("ab"), .sendsOnly(7),
        .server(
          "HTTP/1.1 413 Large\r\nConnection: close\r\nContent-Length: 2\r\n\r\nn", .head(413), .body("n")),
        .wants(.nothing), .sends(""), .server("o", .body("o"), .close(.bodyNotWanted)),
      ]),
    Dialogue(
      "an early success that closes the connection",
      [
        .start(body: .length(3)), .sends("<head>"),
        .server("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\na", .head(200), .body("a")),
        .lends("abc"), .sends("abc"), .server("b", .body("b")), .serverEnds(.close(.endsWithConnection)),
      ]),
    Dialogue(
      "sending breaks, and the server says why",
      [
        .start(body: .chunked), .lends("abc"), .sends("<head>3\r\nabc\r\n"), .lends("def"), .sendsOnly(2),
        .sendingFails, .wants(.nothing), .sends(""),
        .server(ok, .head(200), .body("ok"), .close(.sendingFailed)),
      ]),
    Dialogue(
      "sending breaks, and the server says nothing",
      [
        .start(body: .chunked), .sends("<head>"), .sendingFails, .serverEnds(.refused(.truncatedHead)),
        .serverEnds(.refused(.truncatedHead)),
      ]),
    Dialogue(
      "sending is over when it breaks",
      [.start(), .sends("<head>"), .sendingFails, .server(ok, .head(200), .body("ok"), .reuse)]),
    Dialogue(
      "the body cannot be had",
      [
        .start(body: .length(9)), .lends("a"), .sends("<head>a"), .bodyFails, .wants(.nothing),
        .server(ok, .close(.bodyFailed)), .serverEnds(.close(.bodyFailed)),
      ]),
    Dialogue(
      "a cancelled exchange",
      [
        .start(), .sends("<head>"), .server("HTTP/1.1 200 OK\r\n\r\nab", .head(200), .body("ab")), .cancels,
        .asksAgain(.close(.cancelled)), .server("c", .close(.cancelled)),
      ]),
    Dialogue(
      "cancelled when it is over",
      [
        .start(closes: true), .sends("<head>"),
        .server(ok, .head(200), .body("ok"), .close(.askedByClient)), .cancels,
        .asksAgain(.close(.askedByClient)),
      ]),
    Dialogue("cancelled before it began", [.cancels, .asksAgain(.close(.cancelled))]),
  ]

  @Test(arguments: bodies) func theRequestsBody(dialogue: Dialogue) { check(dialogue) }

  // MARK: - 100 (Continue)

  static let expectations: [Dialogue] = [
    Dialogue(
      "asked for",
      [
        .start(body: .length(3), expects: true), .wants(.bytes), .sends("<head>"), .wants(.awaitsContinue),
        .server(asks, .interim(100)), .wants(.piece(atMost: 3)), .lends("abc"), .sends("abc"),
        .server(ok, .head(200), .body("ok"), .reuse),
      ]),
    Dialogue(
      "another interim response asks for nothing",
      [
        .start(body: .chunked, expects: true), .sends("<head>"),
        .server("HTTP/1.1 103 Early\r\nLink: a\r\n\r\n", .interim(103)), .wants(.awaitsContinue),
        .server("HTTP/1.1 102 P\r\n\r\n" + asks, .interim(102), .interim(100)), .wants(.piece(atMost: .max)),
        .endsBody, .sends("0\r\n\r\n"), .server(ok, .head(200), .body("ok"), .reuse),
      ]),
    Dialogue(
      "never answered, and late",
      [
        .start(body: .length(3), expects: true), .sends("<head>"), .continueTimesOut,
        .wants(.piece(atMost: 3)), .lends("abc"), .sends("abc"), .continueTimesOut, .wants(.nothing),
        .server(asks, .interim(100)), .server(ok, .head(200), .body("ok"), .reuse),
      ]),
    Dialogue(
      "time passes before the head is sent",
      [
        .start(body: .length(3), expects: true), .sendsOnly(2), .continueTimesOut, .lends("abc"),
        .sends("ead>abc"),
      ]),
    Dialogue(
      "refused with 417",
      [
        .start(body: .length(3), expects: true), .sends("<head>"),
        .server("HTTP/1.1 417 No\r\nContent-Length: 1\r\n\r\n", .head(417)), .wants(.nothing),
        .continueTimesOut,
        .wants(.nothing), .server("x", .body("x"), .close(.bodyNotWanted)),
      ]),
    Dialogue(
      "answered with a redirection",
      [
        .start(body: .chunked, expects: true), .sends("<head>"),
        .server(
          "HTTP/1.1 307 Elsewhere\r\nContent-Length: 0\r\n\r\n", .head(307), .close(.bodyNotWanted)),
      ]),
    Dialogue(
      "answered with success",
      [
        .start(body: .length(3), expects: true), .sends("<head>"),
        .server(ok, .head(200), .body("ok"), .close(.bodyNotWanted)), .wants(.nothing),
      ]),
    Dialogue(
      "answered though there was no body",
      [.start(expects: true), .sends("<head>"), .server(ok, .head(200), .body("ok"), .reuse)]),
    Dialogue(
      "100 and the final response at once",
      [
        .start(body: .length(3), expects: true), .sends("<head>"),
        .server(
          asks + "HTTP/1.1 413 Large\r\nContent-Length: 0\r\n\r\n", .interim(100), .head(413),
          .close(.requestIncomplete)),
      ]),
    Dialogue(
      "100 that nobody asked for",
      [
        .start(), .sends("<head>"),
        .server(asks + asks + ok, .interim(100), .interim(100), .head(200), .body("ok"), .reuse),
      ]),
  ]

  @Test(arguments: expectations) func askingFirst(dialogue: Dialogue) { check(dialogue) }

  // MARK: - Other protocols

  static let switching = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"

  static let upgrades: [Dialogue] = [
    Dialogue(
      "an upgrade",
      [
        .start(upgrades: true), .sends("<head>"),
        .server(switching + "abc", .head(101), .upgrade(rest: "abc")),
        .asksAgain(.upgrade(rest: "")), .serverEnds(.upgrade(rest: "")),
      ]),
    Dialogue(
      "an upgrade that is declined",
      [.start(upgrades: true), .sends("<head>"), .server(ok, .head(200), .body("ok"), .reuse)]),
    Dialogue(
      "an upgrade that nobody offered",
      [.start(), .sends("<head>"), .server(switching + "abc", .head(101), .close(.upgraded))]),
    Dialogue(
      "an upgrade before the request is sent",
      [
        .start(body: .length(3), upgrades: true), .lends("ab"), .sends("<head>ab"),
        .server(switching, .head(101), .close(.requestIncomplete)),
      ]),
    Dialogue(
      "an upgrade instead of 100",
      [
        .start(body: .length(3), expects: true, upgrades: true), .sends("<head>"),
        .server(switching, .head(101), .close(.bodyNotWanted)),
      ]),
    Dialogue(
      "an upgrade whose head is in doubt", mode: .tolerant,
      [
        .start(upgrades: true), .sends("<head>"),
        .server("HTTP/1.1 101 S\nUpgrade: x\n\n", .refused(.bareLF)),
      ]),
    Dialogue(
      "a tunnel",
      [
        .start(.connect), .sends("<head>"),
        .server("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", .head(200), .upgrade(rest: "abc")),
      ]),
    Dialogue(
      "a tunnel that is refused",
      [
        .start(.connect), .sends("<head>"),
        .server("HTTP/1.1 407 No\r\nContent-Length: 1\r\n\r\na", .head(407), .body("a"), .reuse),
        .start(.connect), .sends("<head>"),
      ]),
  ]

  @Test(arguments: upgrades) func otherProtocols(dialogue: Dialogue) { check(dialogue) }

  // MARK: - What goes wrong

  static let failures: [Dialogue] = [
    Dialogue("nothing comes", [.start(), .sends("<head>"), .serverEnds(.refused(.truncatedHead))]),
    Dialogue(
      "half a head",
      [.start(), .sends("<head>"), .server("HTTP/1.1 2"), .serverEnds(.refused(.truncatedHead))]),
    Dialogue(
      "nothing behind an interim response",
      [
        .start(), .sends("<head>"), .server(asks, .interim(100)), .serverEnds(.refused(.truncatedHead)),
      ]),
    Dialogue(
      "half a body",
      [
        .start(), .sends("<head>"),
        .server("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na", .head(200), .body("a")),
        .serverEnds(.refused(.truncatedBody)), .asksAgain(.refused(.truncatedBody)),
      ]),
    Dialogue(
      "half a chunk",
      [
        .start(), .sends("<head>"),
        .server("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na", .head(200), .body("a")),
        .peerHangsUp, .server("bc", .body("bc")), .serverEnds(.refused(.truncatedBody)),
      ]),
    Dialogue(
      "no HTTP",
      [
        .start(body: .length(3)), .lends("ab"), .sendsOnly(1),
        .server("SSH-2.0\r\n", .refused(.invalidStatusLine)),
        .wants(.nothing), .asksAgain(.refused(.invalidStatusLine)), .serverEnds(.refused(.invalidStatusLine)),
      ]),
    Dialogue(
      "no chunk",
      [
        .start(), .sends("<head>"),
        .server(
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nax", .head(200), .body("a"),
          .refused(.missingChunkEnd)),
      ]),
  ]

  @Test(arguments: failures) func whatGoesWrong(dialogue: Dialogue) { check(dialogue) }
}
