// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetProxies
import Testing

@Suite("Asking for a tunnel")
struct TunnelExchangeTests {
  private func exchange(_ host: String = "host.test", fields: [ProxyServer.Field] = []) -> TunnelExchange {
    TunnelExchange(to: host, port: 443, fields: fields)
  }

  @Test(
    "The request names host and port, and carries what it is told to carry",
    arguments: [
      ("host.test", "host.test:443"), ("192.0.2.1", "192.0.2.1:443"), ("fe80::1%eth0", "[fe80::1]:443"),
    ])
  func request(_ host: String, _ authority: String) throws {
    var plain = exchange(host)
    #expect(
      String(decoding: try plain.start(authorization: nil), as: UTF8.self)
        == "CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
    var full = exchange(host, fields: [.init(name: "User-Agent", value: "me")])
    #expect(
      String(decoding: try full.start(authorization: "Basic eA=="), as: UTF8.self)
        == "CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\nProxy-Authorization: Basic eA==\r\nUser-Agent: me\r\n\r\n"
    )
  }

  @Test("A field that must not be sent is refused")
  func injection() {
    var exchange = exchange(fields: [.init(name: "X", value: "a\r\nProxy-Authorization: x")])
    #expect(throws: HTTP1Error.self) { try exchange.start(authorization: nil) }
  }

  /// What happens, in words, and how many bytes are left for the target.
  private static func play(_ pieces: [[UInt8]], ends: Bool = false) throws -> (events: [String], rest: Int) {
    var exchange = TunnelExchange(to: "host.test", port: 443, fields: [])
    try exchange.sent(try exchange.start(authorization: nil))
    var events: [String] = []
    var pending: [UInt8] = []
    do throws(HTTP1Error) {
      for (index, piece) in pieces.enumerated() {
        pending += piece
        receiving: while true {
          var consumed = 0
          defer { pending.removeFirst(consumed) }
          switch try exchange.receive(in: pending.span, consumed: &consumed) {
          case .needsMore: break receiving
          case .interim(let head): events.append("interim \(head.status)")
          case .refused(let head): events.append("refused \(head.status)")
          case .open(let head):
            events.append("open \(head.status)")
            return (events, pending.count - consumed + pieces[(index + 1)...].joined().count)
          case .end(let mayAskAgain):
            events.append("end \(mayAskAgain)")
            return (events, pending.count - consumed + pieces[(index + 1)...].joined().count)
          }
        }
      }
      if ends, case .end(let mayAskAgain) = try exchange.peerEnded() { events.append("end \(mayAskAgain)") }
    } catch {
      events.append("\(error.rule)")
    }
    return (events, pending.count)
  }

  @Test(
    "An answer opens the tunnel or does not, however it is cut",
    arguments: [
      ("HTTP/1.1 200 Connection established\r\n\r\n\u{16}\u{3}", ["open 200"], 2),
      ("HTTP/1.0 200 OK\r\n\r\n", ["open 200"], 0),
      ("HTTP/1.1 204 No Content\r\n\r\nabc", ["open 204"], 3),
      // RFC 9110 §9.3.6: what a 2xx says of a body is not heeded.
      ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc", ["open 200"], 3),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nabc", ["open 200"], 3),
      ("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", ["open 200"], 0),
      (
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\r\n\r\nx",
        ["interim 100", "interim 103", "open 200"], 1
      ),
      ("HTTP/1.1 407 Who\r\nContent-Length: 3\r\n\r\nabc", ["refused 407", "end true"], 0),
      (
        "HTTP/1.1 407 Who\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        ["refused 407", "end true"], 0
      ),
      (
        "HTTP/1.1 407 Who\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc",
        ["refused 407", "end false"], 0
      ),
      ("HTTP/1.0 407 Who\r\nContent-Length: 0\r\n\r\n", ["refused 407", "end false"], 0),
      ("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n", ["refused 502", "end true"], 0),
      (
        "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nabc",
        ["refused 101", "end false"], 3
      ),
    ])
  func answers(_ text: String, _ events: [String], _ rest: Int) throws {
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      let played = try Self.play([Array(bytes[..<cut]), Array(bytes[cut...])])
      #expect(played.events == events, "cut at \(cut)")
      #expect(played.rest == rest, "cut at \(cut)")
    }
    let played = try Self.play(bytes.map { [$0] })
    #expect(played.events == events)
    #expect(played.rest == rest)
  }

  @Test("An answer that is none, or cut off, breaks a rule")
  func faults() throws {
    #expect(try Self.play([Array("SSH-2.0-x\r\n\r\n".utf8)]).events != [])
    #expect(try Self.play([Array("HTTP/1.1 200 OK\r\n".utf8)], ends: true).events.count == 1)
    #expect(try Self.play([], ends: true).events.count == 1)
    let endless = Array("HTTP/1.1 200 OK\r\n".utf8) + Array(repeating: UInt8(ascii: "a"), count: 200_000)
    #expect(try Self.play([endless]).events.count == 1)
    let interims = String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 40)
    #expect(try Self.play([Array(interims.utf8)]).events.count == 33)
  }

  @Test("A long refusal is not read to its end")
  func longRefusal() throws {
    let head = Array("HTTP/1.1 407 Who\r\nContent-Length: 100000\r\n\r\n".utf8)
    let played = try Self.play([head, [UInt8](repeating: 65, count: 70_000)])
    #expect(played.events == ["refused 407", "end false"])
  }

  @Test("After a refusal that lasts, it may be asked again")
  func again() throws {
    var exchange = exchange()
    try exchange.sent(try exchange.start(authorization: nil))
    var consumed = 0
    let refusal = Array("HTTP/1.1 407 Who\r\nContent-Length: 0\r\n\r\n".utf8)
    _ = try exchange.receive(in: refusal.span, consumed: &consumed)
    guard case .end(true) = try exchange.receive(in: refusal.span, consumed: &consumed) else {
      Issue.record("the connection lasts")
      return
    }
    try exchange.sent(try exchange.start(authorization: "Basic eA=="))
    consumed = 0
    let answer = Array("HTTP/1.1 200 OK\r\n\r\n".utf8)
    guard case .open = try exchange.receive(in: answer.span, consumed: &consumed) else {
      Issue.record("the tunnel is open")
      return
    }
  }
}
