// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import Glibc

/// One connected, blocking socket and the exchanges over it.
struct BlockingClient {
  struct Failure: Error {}

  let socket: Int32
  var exchange = HTTP1Exchange()

  mutating func request(
    _ method: String, _ path: String, host: String, body: [UInt8] = []
  ) throws -> (status: Int, body: [UInt8], ending: HTTP1Exchange.Ending) {
    var encoder = RequestEncoder()
    try encoder.begin(method: method, target: path)
    try encoder.field("Host", host)
    if !body.isEmpty { try encoder.field("Content-Length", "\(body.count)") }
    encoder.end()
    let framing: HTTP1Exchange.RequestFraming = body.isEmpty ? .none : .length(body.count)
    try exchange.start(RequestKind(method: method), headBytes: encoder.bytes.count, body: framing)
    if !body.isEmpty { try exchange.lend(body.count) }
    while exchange.nextToSend == .bytes {
      let count = exchange.outgoing.withFirstSegment(head: encoder.bytes.span, piece: body.span) { bytes in
        bytes.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      }
      if count > 0 { try exchange.sent(count) } else { exchange.sendingFailed() }
    }
    return try receive()
  }

  private mutating func receive() throws -> (status: Int, body: [UInt8], ending: HTTP1Exchange.Ending) {
    var (page, input, body) = ([UInt8](repeating: 0, count: 16_384), [UInt8](), [UInt8]())
    while true {
      var consumed = 0
      var action = try exchange.receive(in: input.span, consumed: &consumed)
      if action == .needsMore {
        let count = recv(socket, &page, page.count, 0)
        input = Array(input[consumed...] + page[..<max(0, count)])
        if count > 0 { continue }
        action = try exchange.peerEnded()
      }
      if case .body(let range) = action { body += input[range] }
      if case .end(let ending) = action { return (exchange.head.status, body, ending) }
      if action == .upgrade { throw Failure() }
      input.removeFirst(consumed)
    }
  }
}
