// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestSupport
import Testing

/// The examples of the article *The origin*.
@Suite struct ArticleTests {
  let origin: Origin
  let socket: RawSocket

  init() throws {
    origin = try Origin.start()
    socket = try RawSocket(port: origin.port)
  }

  @Test func aBodyThatIsCutShort() throws {
    origin.script("/short", .response(body: "0123456789".utf8).cut(after: 42, then: .abruptClose))
    let response = try socket.exchange("GET", "/short")
    #expect(response.text == "01234")
    #expect(!response.isComplete)
  }

  @Test func failsOnceThenWorks() throws {
    origin.script("/get", .reset, .endpoint)
    try socket.send("GET /get HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(socket.receiveAll().ending == .reset)
    #expect(try RawSocket(port: origin.port).exchange("GET", "/get").status == 200)
  }

  @Test func anEndlessHead() throws {
    origin.script(
      "/head", [.bytes(Array("HTTP/1.1 200 OK\r\n".utf8)), .repeating(Array("A: b\r\n".utf8), count: nil)])
    try socket.send("GET /head HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try socket.receive(atLeast: 200_000).starts(with: Array("HTTP/1.1 200 OK\r\nA: b\r\nA".utf8)))
  }

  @Test func answersBeforeItReads() throws {
    origin.script("/early", ScriptedReply.response(status: 403).then(.hang).starting(at: .head))
    try socket.send("POST /early HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n12345")
    #expect(try socket.receiveResponse().status == 403)
    #expect(origin.requests.last?.isComplete == false)
  }
}
