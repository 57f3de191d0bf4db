// SPDX-License-Identifier: MIT
import BluebonnetCore
import BluebonnetOrigin
import Glibc
import Testing

@Suite struct SecurityTests {
  private func client(
    trusting authority: String, _ change: (inout HTTPClient.Configuration) throws -> Void = { _ in }
  ) throws -> HTTPClient {
    var configuration = HTTPClient.Configuration()
    configuration.trust = .pem(authority)
    try change(&configuration)
    return try HTTPClient(configuration)
  }

  @Test func ownAnchors() async throws {
    let origin = try Origin.start(security: .tls)
    let client = try client(trusting: try #require(origin.authority))
    for _ in 0..<2 { #expect(try await client.send(.get(origin.baseURL + "/get")).status == 200) }
    #expect(origin.connectionCount == 1)
  }

  @Test func anchorsAsBytes() async throws {
    let origin = try Origin.start(security: .tls)
    let authority = Array(try #require(origin.authority).utf8)
    var configuration = HTTPClient.Configuration()
    configuration.trust = .pem(authority)
    let client = try HTTPClient(configuration)
    #expect(try await client.send(.get(origin.baseURL + "/get")).status == 200)
    for broken in [[], Array(authority.prefix(authority.count / 2)), [0xFF, 0x00]] as [[UInt8]] {
      configuration.trust = .pem(broken)
      let error = #expect(throws: HTTPClientError.self) { try HTTPClient(configuration) }
      #expect(error?.code == .invalidConfiguration)
    }
  }

  @Test func anchorsOfAFile() async throws {
    let origin = try Origin.start(security: .tls)
    let path = "/tmp/bluebonnet-core-\(UInt64.random(in: .min ... .max)).pem"
    defer { unlink(path) }
    var configuration = HTTPClient.Configuration()
    configuration.trust = .file(path)
    let client = try HTTPClient(configuration)
    // The file may come later; without it nobody is trusted.
    let error = await #expect(throws: HTTPClientError.self) {
      try await client.send(.get(origin.baseURL + "/get"))
    }
    #expect(error?.code == .tlsFailed)
    #expect(error?.fault == .caller)
    #expect(origin.requests.isEmpty)
    let file = try #require(fopen(path, "w"))
    fputs(origin.authority, file)
    fclose(file)
    #expect(try await client.send(.get(origin.baseURL + "/get")).status == 200)
  }

  @Test func nobodyElseIsTrusted() async throws {
    let origin = try Origin.start(security: .tls)
    for client in [try HTTPClient(), try client(trusting: try OriginAuthority().certificate)] {
      let error = await #expect(throws: HTTPClientError.self) {
        try await client.send(.get(origin.baseURL + "/get"))
      }
      #expect(error?.code == .untrustedServer)
      #expect(error?.fault == .server)
    }
    #expect(origin.requests.isEmpty)
  }

  @Test func certificatesThatDoNotHold() async throws {
    let authority = try OriginAuthority()
    for identity in [
      try authority.issue(names: [.host("example.org")]), try authority.issue(validFor: -7_200 ..< -3_600),
      try OriginAuthority.selfSigned(),
    ] {
      let origin = try Origin.start(security: .identity(identity))
      let client = try client(trusting: authority.certificate)
      let error = await #expect(throws: HTTPClientError.self) {
        try await client.send(.get(origin.baseURL + "/get"))
      }
      #expect(error?.code == .untrustedServer)
      #expect(origin.requests.isEmpty)
    }
  }

  @Test func aClientCertificate() async throws {
    let authority = try OriginAuthority()
    let origin = try Origin.start(security: .clients(of: authority))
    let identity = try authority.issue(names: [.host("client.example")])
    let known = try client(trusting: authority.certificate) {
      $0.identity = try HTTPClient.Identity(
        certificates: Array(identity.certificateChain.utf8), key: Array(identity.privateKey.utf8))
    }
    #expect(try await known.send(.get(origin.baseURL + "/get")).status == 200)
    #expect(origin.requests.last?.clientName == "client.example")
    let unknown = try client(trusting: authority.certificate)
    await #expect(throws: HTTPClientError.self) { try await unknown.send(.get(origin.baseURL + "/get")) }
    let error = #expect(throws: HTTPClientError.self) {
      try HTTPClient.Identity(
        certificates: Array(identity.certificateChain.utf8),
        key: Array(try authority.issue().privateKey.utf8))
    }
    #expect(error?.code == .invalidConfiguration)
  }

  @Test func plainHTTPAtASecurePortAndTheOtherWayRound() async throws {
    let secure = try Origin.start(security: .tls)
    let plain = try Origin.start()
    let client = try client(trusting: try #require(secure.authority))
    for url in ["http://127.0.0.1:\(secure.port)/", "https://127.0.0.1:\(plain.port)/"] {
      await #expect(throws: HTTPClientError.self) { try await client.send(.get(url)) }
    }
  }
}
