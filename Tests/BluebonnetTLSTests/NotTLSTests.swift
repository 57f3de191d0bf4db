// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetTLS

/// Peers that speak something else are told from those that speak TLS badly.
@Suite struct NotTLSTests {
  private func error(of client: TLSEngine, fedWith bytes: [UInt8]) throws -> TLSError? {
    _ = try client.handshake()
    return #expect(throws: TLSError.self) {
      try bytes.withUnsafeBytes { bytes in
        client.feed(bytes)
        defer { client.keepUnreadInput() }
        _ = try client.handshake()
      }
    }
  }

  @Test(arguments: [
    "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", "<html>no</html>", "220 mail.test ESMTP\r\n",
    "SSH-2.0-OpenSSH_9.2\r\n",
  ])
  func somethingElse(answer: String) throws {
    let client = try TLSEngine(context: Shared.client(), host: "localhost")
    let error = try error(of: client, fedWith: Array(answer.utf8))
    #expect(error?.code == .notTLS)
    #expect("\(String(describing: error))".contains("does not speak TLS"))
  }

  @Test func aDamagedRecordLaterOnIsSomethingElse() throws {
    let pair = try EnginePair(client: Shared.client { $0.maximumVersion = .tls12 }, server: Shared.server())
    _ = try pair.client.handshake()
    try pair.move(from: pair.client, to: pair.server) { _ = try pair.server.handshake() }
    var flight = Array(pair.server.output)
    // Behind the first record, the ServerHello.
    let length = Int(flight[3]) << 8 | Int(flight[4])
    flight.replaceSubrange((5 + length)..., with: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
    let error = #expect(throws: TLSError.self) {
      try flight.withUnsafeBytes { bytes in
        pair.client.feed(bytes)
        defer { pair.client.keepUnreadInput() }
        _ = try pair.client.handshake()
      }
    }
    #expect(error?.code == .handshakeFailed)
  }
}
