// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestSupport
import Glibc
import Testing

@Suite struct ScriptTests {
  let origin: Origin
  let socket: RawSocket

  init() throws {
    origin = try Origin.start()
    socket = try RawSocket(port: origin.port)
  }

  @Test func rawBytesAndThenTheNextRequest() throws {
    origin.script("/odd", .text("HTTP/1.1 299 Odd\r\nContent-Length: 1\r\n\r\n!"))
    #expect(try socket.exchange("GET", "/odd?x=1").text == "!")
    #expect(try socket.exchange("GET", "/ip").status == 200)
    origin.script("/odd")
    #expect(try socket.exchange("GET", "/odd").status == 404)
  }

  @Test func turns() throws {
    origin.script("/get", .response(status: 503), .endpoint, .response(status: 500))
    #expect(try (0..<4).map { _ in try socket.exchange("GET", "/get").status } == [503, 200, 500, 500])
  }

  @Test func reset() throws {
    origin.script("/x", .text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf").then(.reset))
    try socket.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(socket.receiveAll().ending == .reset)
  }

  @Test(arguments: [ScriptedReply.Step.close, .abruptClose, .closeWrite])
  func endings(step: ScriptedReply.Step) throws {
    origin.script("/x", .response(body: "0123456789".utf8).cut(after: 45, then: step))
    try socket.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
    let received = socket.receiveAll()
    #expect(received.ending == .closed)
    #expect(received.bytes.count == 45)
    #expect(origin.openConnections == 1)
  }

  @Test func silence() throws {
    origin.script("/x", .silence)
    try socket.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\nGET /ip HTTP/1.1\r\nHost: a\r\n\r\n")
    let other = try RawSocket(port: origin.port)
    #expect(try other.exchange("GET", "/ip").status == 200)
    #expect(origin.requests.count == 2)
    socket.endSending()
    #expect(socket.receive() == .reset || socket.receive() == .closed)
  }

  @Test func drip() throws {
    origin.script("/x", .response(body: "ab".utf8).dripping(size: 20, every: 1))
    #expect(try socket.exchange("GET", "/x").text == "ab")
  }

  @Test func endlessHeads() throws {
    origin.script(
      "/x",
      ScriptedReply([
        .bytes(Array("HTTP/1.1 200 OK\r\n".utf8)), .repeating(Array("A: b\r\n".utf8), count: nil),
      ]))
    try socket.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try socket.receive(atLeast: 1_000_000).count >= 1_000_000)
  }

  @Test func answersBeforeTheBody() throws {
    origin.script("/x", ScriptedReply.response(status: 403).starting(at: .head))
    try socket.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n")
    #expect(try socket.receiveResponse().status == 403)
    try socket.send("12345GET /ip HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try socket.receiveResponse().status == 200)
    #expect(origin.requests.first?.body == Array("12345".utf8))
  }

  @Test func handlers() throws {
    origin.handle("/double") { request in .response(body: request.body + request.body) }
    #expect(try socket.exchange("POST", "/double", body: Array("ab".utf8)).text == "abab")
    origin.handle("/double", nil)
    #expect(try socket.exchange("POST", "/double", body: Array("ab".utf8)).status == 404)
  }

  @Test func handlersOfAllPathsBelow() throws {
    func reply(_ text: String) -> @Sendable (RecordedRequest) -> ScriptedReply {
      { .response(body: "\(text) \($0.path)".utf8) }
    }
    origin.handle("/files/*", reply("all"))
    origin.handle("/files/b/*", reply("longer"))
    origin.handle("/files/b/c", reply("one"))
    origin.script("/files/s", .response(body: "script".utf8))
    for (target, text) in [
      ("/files/a", "all /files/a"), ("/files/a/b?c", "all /files/a/b"), ("/files/", "all /files/"),
      ("/files/b", "all /files/b"), ("/files/b/x", "longer /files/b/x"), ("/files/b/c", "one /files/b/c"),
      ("/files/s", "script"), ("/files", nil), ("/filesystem", nil), ("/x/files/a", nil),
      ("/ip?/files/", nil),
    ] {
      let response = try socket.exchange("GET", target)
      #expect(text == nil ? !response.text.hasPrefix("all") : response.text == text, "\(target)")
    }
    origin.handle("/files/b/*", nil)
    #expect(try socket.exchange("GET", "/files/b/x").text == "all /files/b/x")
    origin.handle("/*", reply("root"))
    #expect(try socket.exchange("GET", "/get").text == "root /get")
    #expect(try socket.exchange("GET", "/").text == "root /")
  }

  /// Paths are compared as they are written, byte by byte: the origin takes nothing apart that a client should have.
  @Test(arguments: [
    ("/x/../y", "below /x/../y"), ("/x/./", "below /x/./"), ("/x//", "below /x//"),
    ("/x/%2e%2e/y", "below /x/%2e%2e/y"),
    ("/x/*", "below /x/*"), ("/x/?/x/y/", "below /x/"), ("/x/y", "exact"),
    ("/x/y?a", "exact"), ("/x/y?b", "query"), ("/x/y/", "deeper /x/y/"), ("/x/y/../y", "deeper /x/y/../y"),
    ("/x/%79", "below /x/%79"), ("/x", nil), ("/x?/", nil), ("/%78/a", nil), ("/X/a", nil), ("//x/a", nil),
    ("/a/../x/b", nil), ("x/a", nil), ("*", nil), ("/", nil), ("http://origin.test/x/a", nil),
  ])
  func pathsThatAreOddlyWritten(target: String, text: String?) throws {
    origin.handle("/x/*") { .response(body: "below \($0.path)".utf8) }
    origin.handle("/x/y/*") { .response(body: "deeper \($0.path)".utf8) }
    origin.handle("/x/y") { _ in .response(body: "exact".utf8) }
    origin.handle("/x/y?b") { _ in .response(body: "query".utf8) }
    let response = try socket.exchange(target == "*" ? "OPTIONS" : "GET", target)
    if let text {
      #expect(response.status == 200 && response.text == text)
    } else {
      #expect(["below", "deeper", "exact", "query"].allSatisfy { !response.text.hasPrefix($0) })
    }
    // Whatever that was, the origin goes on.
    #expect(try RawSocket(port: origin.port).exchange("GET", "/x/z").text == "below /x/z")
  }

  @Test func aVeryLongPath() throws {
    origin.handle("/x/*") { .response(body: "\($0.path.utf8.count)".utf8) }
    let path = "/x/" + String(repeating: "../", count: 2_000)
    #expect(try socket.exchange("GET", path).text == "\(path.utf8.count)")
    // Too long for a head: refused before any handler is looked for.
    let status = try socket.exchange("GET", "/x/" + String(repeating: "a", count: 400_000)).status
    #expect((400...499).contains(status))
    #expect(try RawSocket(port: origin.port).exchange("GET", "/x/a").text == "4")
  }

  /// Requests that are there before a handler is exchanged are answered by one or the other, and each is answered.
  @Test func handlersAreExchangedUnderLoad() throws {
    let count = 2_000
    origin.handle("/x/*") { .response(body: "0 \($0.path)".utf8) }
    let requests = (0..<count).map { "GET /x/\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }
    for start in stride(from: 0, to: count, by: 100) {
      try socket.send(requests[start..<start + 100].joined())
      for turn in 1...20 {
        origin.handle("/x/*") { .response(body: "\(turn) \($0.path)".utf8) }
        // Others beside it, longer ones that do not fit among them, make no difference.
        origin.handle("/x/\(turn)/*") { _ in .response(status: 500) }
        origin.handle("/other\(turn)/*") { _ in .response(status: 500) }
      }
      for number in start..<start + 100 {
        let response = try socket.receiveResponse()
        let words = response.text.split(separator: " ")
        #expect(response.status == 200 && words.count == 2 && words.last ?? "" == "/x/\(number)")
        #expect((0...20).contains(words.first.flatMap { Int($0) } ?? -1))
      }
    }
  }

  @Test func interjections() throws {
    #expect(!origin.interject([1], on: 2), "there is no such connection")
    #expect(try socket.exchange("GET", "/ip").status == 200)
    #expect(origin.interject(Array("HTTP/1.1 299 Unasked\r\nContent-Length: 0\r\n\r\n".utf8), on: 1))
    // To a client that looks at nothing but the order, it is the answer to the next request.
    #expect(try socket.exchange("GET", "/ip").status == 299)
    #expect(try socket.receiveResponse().status == 200)
    origin.dropConnections()
    #expect(!origin.interject([1], on: 1))
  }

  @Test func interjectionsInsideAReply() throws {
    origin.script("/x", .text("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab").then(.hang))
    try socket.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = socket.receive()
    #expect(origin.interject(Array("cd".utf8), on: 1))
    #expect(try socket.receiveResponse().text == "abcd")
  }

  @Test func receptions() throws {
    origin.reception = .close
    #expect(try RawSocket(port: origin.port).receive() == .closed)
    origin.reception = .reset
    let refused = try RawSocket(port: origin.port)
    #expect(refused.receive() == .reset)
    origin.reception = .silence
    let silent = try RawSocket(port: origin.port)
    try silent.send("GET /ip HTTP/1.1\r\nHost: a\r\n\r\n")
    // The connection is made before it is accepted.
    while origin.connectionCount < 4 { sched_yield() }
    origin.reception = .serve
    #expect(try RawSocket(port: origin.port).exchange("GET", "/ip").status == 200)
    #expect(origin.requests.count == 1)
    origin.dropConnections(resetting: true)
    #expect(silent.receive() == .reset)
    #expect(origin.openConnections == 0)
  }
}
