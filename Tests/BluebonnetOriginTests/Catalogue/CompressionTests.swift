// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetTestSupport
import Testing

@testable import BluebonnetOrigin

@Suite struct CompressionTests {
  @Test(arguments: [("gzip", "gzip"), ("deflate", "deflate"), ("brotli", "br")])
  func replies(path: String, coding: String) throws {
    let origin = try Origin.start()
    let reply = try RawSocket(port: origin.port).exchange("POST", "/\(path)", body: Array("plain".utf8))
    #expect(reply["Content-Encoding"] == coding)
    #expect(reply["Content-Length"] == "\(reply.body.count)")
    let decoder = try ContentDecoder(codings: ContentCoding.list(fieldValue: coding))
    var text: [UInt8] = []
    try reply.body.withUnsafeBytes { try decoder.decode($0) { text.append(contentsOf: $0) } }
    try decoder.finish()
    #expect(String(decoding: text, as: UTF8.self).contains(#""data":"plain""#))
  }

  @Test(arguments: [["gzip"], ["deflate"], ["br"], ["deflate", "gzip"], ["identity", "br"]])
  func requests(codings: [String]) throws {
    let origin = try Origin.start()
    let socket = try RawSocket(port: origin.port)
    let body = try codings.reduce(Array("squeezed".utf8)) { body, name in
      try #require(ContentCoding(name: name).map { $0.encoded(body) } ?? body)
    }
    let field = "Content-Encoding: " + codings.joined(separator: ", ")
    #expect(try socket.exchange("POST", "/post", [field], body: body).text.contains(#""data":"squeezed""#))
    #expect(origin.requests.last?.body == body)
    #expect(try socket.exchange("POST", "/post", [field], body: Array(body.dropLast())).status == 415)
  }

  @Test func bombsAreRefused() throws {
    let origin = try Origin.start()
    let bomb = try #require(ContentCoding.gzip.encoded([UInt8](repeating: 0, count: 20_000_000)))
    let reply = try RawSocket(port: origin.port).exchange(
      "POST", "/post", ["Content-Encoding: gzip"], body: bomb)
    #expect(reply.status == 415)
  }
}
