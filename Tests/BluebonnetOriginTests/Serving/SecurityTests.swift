// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTLS
import BluebonnetTestSupport
import Testing

@Suite struct SecurityTests {
  @Test func servesOverTLS() throws {
    let origin = try Origin.start(security: .tls)
    #expect(origin.baseURL == "https://localhost:\(origin.port)")
    let client = try TLSClient(origin, host: "localhost")
    try client.send(
      "GET /get HTTP/1.1\r\nHost: localhost\r\n\r\nGET /manyBytes/2000000 HTTP/1.1\r\nHost: a\r\n")
    try client.send("Connection: close\r\n\r\n")
    let received = try client.receiveAll()
    #expect(received.count > 2_000_000)
    #expect(String(decoding: received.prefix(400), as: UTF8.self).contains("https://localhost/get"))
    #expect(try TLSClient(origin, host: "127.0.0.1").version == .tls13)
  }

  @Test func endingsWithAndWithoutGoodbye() throws {
    let origin = try Origin.start(security: .tls)
    origin.script("/polite", ScriptedReply.text("HTTP/1.1 200 OK\r\n\r\nbye").then(.close))
    origin.script("/rude", ScriptedReply.text("HTTP/1.1 200 OK\r\n\r\nbye").then(.abruptClose))
    let polite = try TLSClient(origin, host: "localhost")
    try polite.send("GET /polite HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try polite.receiveAll().suffix(3) == Array("bye".utf8)[...])
    let rude = try TLSClient(origin, host: "localhost")
    try rude.send("GET /rude HTTP/1.1\r\nHost: a\r\n\r\n")
    let error = #expect(throws: TLSError.self) { try rude.receiveAll() }
    #expect(error?.code == .truncated)
  }

  @Test func badCertificates() throws {
    let authority = try OriginAuthority()
    let expired = try Origin.start(security: .identity(authority.issue(validFor: -7_200 ..< -3_600)))
    let other = try Origin.start(security: .identity(authority.issue(names: [.host("other.test")])))
    let own = try Origin.start(security: .identity(OriginAuthority.selfSigned()))
    for origin in [expired, other, own] {
      let error = #expect(throws: TLSError.self) {
        try TLSClient(origin, host: "localhost", authority: authority.certificate)
      }
      #expect(error.map { if case .certificateRejected = $0.code { true } else { false } } == true)
    }
  }

  @Test func plainBytesToATLSPortAreRefused() throws {
    let origin = try Origin.start(security: .tls)
    let socket = try RawSocket(port: origin.port)
    try socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(socket.receiveAll().ending == .closed)
  }

  @Test func badIdentities() {
    let nonsense = OriginIdentity(certificateChain: "x", privateKey: "y")
    #expect(throws: OriginError.self) { try Origin.start(security: .identity(nonsense)) }
  }
}
