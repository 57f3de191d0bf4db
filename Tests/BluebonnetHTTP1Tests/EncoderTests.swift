// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetWireVectors
import Testing

@Suite struct EncoderTests {
  @Test func whatIsEncodedIsParsed() throws {
    var encoder = RequestEncoder()
    try encoder.begin(method: "POST", target: "/a?b=c")
    try encoder.field("Host", "example.org")
    try encoder.field("X-Empty", "")
    try encoder.field("Transfer-Encoding", "chunked")
    encoder.end()
    let bytes =
      encoder.bytes + ChunkedEncoder.header(size: 17) + Array("01234567890123456".utf8)
      + ChunkedEncoder.chunkEnd
      + (try ChunkedEncoder.terminator(trailers: FieldBlock([("X-Sum", "1")])))
    let result = Subject.request.transcript(bytes)
    #expect(result.verdict == .complete)
    #expect(result.body == Array("01234567890123456".utf8))
    #expect(result.fields.count == 3)
    #expect(result.trailers == [.init(name: Array("X-Sum".utf8), value: [0x31])])
  }

  @Test func responsesRoundTrip() throws {
    var encoder = ResponseEncoder()
    try encoder.begin(status: 204, reason: "No Content", minorVersion: 0)
    try encoder.field("Connection", "keep-alive")
    encoder.end()
    #expect(
      String(decoding: encoder.bytes, as: UTF8.self)
        == "HTTP/1.0 204 No Content\r\nConnection: keep-alive\r\n\r\n")
    let result = Subject.response(.ordinary).transcript(encoder.bytes)
    #expect(result.keepsConnection)
    #expect(result.reason == "No Content")
  }

  static let injections = ["a\r\nb", "a\nb", "a\rb", "a\u{0}b", "\r\n", "\u{7f}"]

  @Test(arguments: injections) func nothingInjectableIsWritten(text: String) throws {
    var encoder = RequestEncoder()
    #expect(throws: HTTP1Error.self) { try encoder.begin(method: text, target: "/") }
    #expect(throws: HTTP1Error.self) { try encoder.begin(method: "GET", target: "/" + text) }
    #expect(encoder.bytes.isEmpty)
    try encoder.begin(method: "GET", target: "/")
    let before = encoder.bytes
    #expect(throws: HTTP1Error.self) { try encoder.field(text, "v") }
    #expect(throws: HTTP1Error.self) { try encoder.field("n", text) }
    #expect(encoder.bytes == before)

    var response = ResponseEncoder()
    #expect(throws: HTTP1Error.self) { try response.begin(status: 200, reason: text) }
    #expect(response.bytes.isEmpty)
    #expect(throws: HTTP1Error.self) { try ChunkedEncoder.terminator(trailers: FieldBlock([("n", text)])) }
  }

  @Test func callsOutOfOrderAreTheCallersFault() throws {
    var encoder = RequestEncoder()
    encoder.end()
    #expect(encoder.bytes.isEmpty)
    #expect(throws: HTTP1Error(.outOfOrder, offset: 0, fault: .caller)) { try encoder.field("a", "b") }
    try encoder.begin(method: "GET", target: "/")
    #expect(throws: HTTP1Error(.outOfOrder, offset: 0, fault: .caller)) {
      try encoder.begin(method: "GET", target: "/")
    }
  }

  @Test(arguments: ["", "a b", "/a b", "no-slash", "/é"]) func malformedTargetsAreRefused(target: String) {
    var encoder = RequestEncoder()
    #expect(throws: HTTP1Error.self) { try encoder.begin(method: "GET", target: target) }
  }

  @Test func theAbsoluteFormIsMadeOfAuthorityAndPath() throws {
    var encoder = RequestEncoder()
    try encoder.begin(method: "GET", authority: "[::1]:8080", path: "/a?b")
    encoder.end()
    #expect(String(decoding: encoder.bytes, as: UTF8.self) == "GET http://[::1]:8080/a?b HTTP/1.1\r\n\r\n")
    for (method, authority, path) in [
      ("GET", "a b", "/"), ("GET", "a", "b"), ("CONNECT", "a", "/"), ("G ET", "a", "/"),
      ("GET", "a\r\n", "/"),
    ] {
      var refusing = RequestEncoder()
      #expect(throws: HTTP1Error.self) {
        try refusing.begin(method: method, authority: authority, path: path)
      }
      #expect(refusing.bytes.isEmpty)
    }
  }

  @Test func chunkSizesAreHexadecimal() {
    for size in [1, 9, 10, 15, 16, 255, 256, 65535, 65536, Int.max] {
      #expect(
        String(decoding: ChunkedEncoder.header(size: size), as: UTF8.self) == String(size, radix: 16) + "\r\n"
      )
    }
    #expect(ChunkedEncoder.header(size: 0).isEmpty)
  }

  /// Whatever was written, and wherever that was broken off.
  @Test(arguments: [false, true]) func anEncoderStartsAnew(isInsideHead: Bool) throws {
    var request = RequestEncoder()
    try request.begin(method: "POST", target: "/first")
    try request.field("A", "1")
    if !isInsideHead { request.end() }
    request.removeAll()
    #expect(request.bytes.isEmpty)
    // No head was begun.
    request.end()
    #expect(request.bytes.isEmpty)
    #expect(throws: HTTP1Error(.outOfOrder, offset: 0, fault: .caller)) { try request.field("A", "1") }
    try request.begin(method: "GET", target: "/second")
    request.end()
    #expect(String(decoding: request.bytes, as: UTF8.self) == "GET /second HTTP/1.1\r\n\r\n")

    var response = ResponseEncoder()
    try response.begin(status: 200, reason: "OK")
    try response.field("A", "1")
    if !isInsideHead { response.end() }
    response.removeAll()
    #expect(response.bytes.isEmpty)
    response.end()
    #expect(response.bytes.isEmpty)
    #expect(throws: HTTP1Error(.outOfOrder, offset: 0, fault: .caller)) { try response.field("A", "1") }
    try response.begin(status: 404)
    response.end()
    #expect(String(decoding: response.bytes, as: UTF8.self) == "HTTP/1.1 404 \r\n\r\n")
  }
}
