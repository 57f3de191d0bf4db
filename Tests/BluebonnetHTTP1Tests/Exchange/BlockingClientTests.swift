// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetTestSupport
import Foundation
import Glibc
import Testing

/// The client of the article *The exchange*, word for word, and what it does.
@Suite struct BlockingClientTests {
  /// Both ends of a connection through a listening socket.
  private final class Pair {
    let client: RawSocket
    let server: Int32

    init() throws {
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      defer { close(listener) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          bind(listener, address, size) == 0 && listen(listener, 1) == 0
            && getsockname(listener, address, &size) == 0
        }
      }
      try #require(result)
      client = try RawSocket(port: UInt16(bigEndian: address.sin_port))
      server = accept(listener, nil, nil)
      _ = fcntl(server, F_SETFD, FD_CLOEXEC)
      try #require(server >= 0)
    }

    deinit { close(server) }

    /// The kernel keeps it until the client asks for it.
    func say(_ text: String) {
      let bytes = Array(text.utf8)
      #expect(write(server, bytes, bytes.count) == bytes.count)
    }

    /// The next bytes that the client sent, as many as `text` has.
    func hears(_ text: String) -> Bool {
      var bytes = [UInt8](repeating: 0, count: text.utf8.count)
      return recv(server, &bytes, bytes.count, Int32(MSG_WAITALL)) == bytes.count
        && bytes == Array(text.utf8)
    }
  }

  @Test func oneRequestAfterTheOther() throws {
    let pair = try Pair()
    var client = BlockingClient(socket: pair.client.descriptor)

    pair.say("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
    let first = try client.request("GET", "/a", host: "b")
    #expect(first.status == 200 && first.body == Array("hello".utf8) && first.ending == .reuse)
    #expect(pair.hears("GET /a HTTP/1.1\r\nHost: b\r\n\r\n"))

    pair.say("HTTP/1.1 404 No\r\nConnection: close\r\n\r\nnot here")
    shutdown(pair.server, Int32(SHUT_WR))
    let second = try client.request("PUT", "/c", host: "b", body: Array("data".utf8))
    #expect(second.status == 404 && second.body == Array("not here".utf8))
    #expect(second.ending == .close(.endsWithConnection))
    #expect(pair.hears("PUT /c HTTP/1.1\r\nHost: b\r\nContent-Length: 4\r\n\r\ndata"))
  }

  @Test func aResponseThatIsCutOff() throws {
    let pair = try Pair()
    var client = BlockingClient(socket: pair.client.descriptor)
    pair.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe")
    shutdown(pair.server, Int32(SHUT_WR))
    #expect(throws: HTTP1Error(.truncatedBody, offset: 40)) { try client.request("GET", "/", host: "b") }
    #expect(client.exchange.closeReason == .failed)
  }

  @Test func theArticleIsWhatIsCompiled() throws {
    let here = URL(fileURLWithPath: #filePath)
    let code = try String(
      contentsOf: here.appendingPathComponent("../BlockingClient.swift").standardized, encoding: .utf8
    ).replacing("// SPDX-License-Identifier: MIT\n", with: "")
    let article = try String(
      contentsOf: here.appendingPathComponent(
        "../../../../Sources/BluebonnetHTTP1/BluebonnetHTTP1.docc/TheExchange.md"
      ).standardized, encoding: .utf8)
    let blocks = article.components(separatedBy: "```swift\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
    #expect(blocks == [code])
  }
}
