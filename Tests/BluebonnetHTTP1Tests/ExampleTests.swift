// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import Testing

/// The example of the module's front page.
@Suite struct ExampleTests {
  @Test func theFrontPageReadsAResponse() throws {
    let received = Array("HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Length: 5\r\n\r\nhello".utf8)
    var body: [UInt8] = []
    var types: [String] = []

    var parser = ResponseParser(toMethod: .ordinary)
    var consumed = 0
    events: while true {
      switch try parser.next(in: received.span, consumed: &consumed) {
      case .interim, .head: types.append(parser.head.fields.first(.contentType) ?? "-")
      case .body(let range): body += received[range]
      case .needsMore: break events
      case .end: break events
      }
    }

    #expect(types == ["a/b"])
    #expect(body == Array("hello".utf8))
    #expect(parser.keepsConnection)
  }
}
