// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetTestSupport
import Testing

/// nginx with `ssl_verify_client on` and `openssl s_server -Verify`, under TLS 1.2 and 1.3.
@Suite(.enabled(if: RealServer.nginxClientsTLS12.isPresent, "nginx does not run"), .serialized)
struct ClientCertificateServersTests {
  private static let nginx: [RealServer] = [.nginxClientsTLS12, .nginxClientsTLS13]
  private static let openssl: [RealServer] = [.opensslClientsTLS12, .opensslClientsTLS13]

  private func content(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: try #require(RealServer.certificate(name))))
  }

  private func bonnie() throws -> URLCredential {
    try URLCredential(certificates: content("client.pem"), key: content("client.key"))
  }

  private func stranger() throws -> URLCredential {
    try URLCredential(certificates: content("stranger.pem"), key: content("stranger.key"))
  }

  private func session(
    showing credential: URLCredential?, _ change: (URLSessionConfiguration) -> Void = { _ in }
  ) throws -> Session {
    let configuration = URLSessionConfiguration.ephemeral
    if let authority = RealServer.authority { configuration.trustAnchors = .file(path: authority) }
    configuration.timeoutIntervalForRequest = 20
    if let credential { configuration.clientCredentials["localhost"] = credential }
    change(configuration)
    return Session(configuration: configuration)
  }

  /// In all the ways in which it is written.
  @Test(arguments: nginx + openssl) func whoeverProvesItIsServed(server: RealServer) async throws {
    let key = try #require(RealServer.certificate("client.key"))
    let path = Self.nginx.contains(server) ? "/text.txt" : "/files/text.txt"
    for credential in [
      try bonnie(),
      try URLCredential(
        certificates: content("client.pem"), key: content("client-encrypted.key"), password: "blue"),
      try URLCredential(certificates: content("client.der"), key: content("client.key.der")),
      try URLCredential(pkcs12: content("client.p12"), password: "blue"),
      try URLCredential(certificates: content("client.pem"), keyURI: "file:\(key)"),
    ] {
      let bytes = try await session(showing: credential).bytes(server.url(path))
      #expect(bytes.starts(with: Array("line 0".utf8)))
    }
  }

  /// Apache asks for one part of it only, when the request is there. The request's own credential goes before the configuration's.
  @Test func whoIsAskedBehindTheHandshakeIsServed() async throws {
    let url = try RealServer.apacheTLS.url("/proving/text.txt")
    let allowing: (URLSessionConfiguration) -> Void = { $0.tls.answersPostHandshakeRequests = true }
    let session = try session(showing: bonnie(), allowing)
    for _ in 0..<2 { #expect(try await session.bytes(url).starts(with: Array("line 0".utf8))) }
    let own = try self.session(showing: stranger(), allowing)
    let answer = await own.request(url).authenticate(with: try bonnie()).serializingData().response
    #expect(answer.value?.starts(with: Array("line 0".utf8)) == true)
    for session in [
      try self.session(showing: bonnie()), try self.session(showing: nil, allowing),
      try self.session(showing: stranger(), allowing),
    ] {
      let refused = await session.request(url).validate().serializingData().response
      #expect(refused.error != nil)
    }
  }

  @Test(arguments: openssl) func whoeverDoesNotIsRefused(server: RealServer) async throws {
    let url = try server.url("/files/text.txt")
    for (credential, code) in [
      (nil, URLError.Code.clientCertificateRequired), (try stranger(), .clientCertificateRejected),
    ] {
      let session = try session(showing: credential)
      let answer = await session.request(url).serializingData().response
      let error = answer.error?.underlyingError as? URLError
      #expect(error?.code == code)
      #expect(error?.transportFailure?.fault == .caller)
    }
  }

  /// nginx says so in HTTP.
  @Test(arguments: nginx) func nginxAnswers400(server: RealServer) async throws {
    for credential in [nil, try stranger()] {
      let session = try session(showing: credential)
      let answer = await session.request(try server.url("/who")).serializingData().response
      #expect(answer.response?.statusCode == 400)
    }
  }

  /// With one session, request after request as somebody else, over connections that are kept and sessions that are resumed.
  @Test(arguments: nginx) func nobodyIsTakenForSomebodyElse(server: RealServer) async throws {
    let session = try session(showing: nil)
    let url = try server.url("/who")
    for round in 0..<12 {
      // A connection that the server closes leaves its session of TLS.
      let fields: HTTPHeaders = round % 4 < 2 ? [:] : ["Connection": "close"]
      let request = session.request(url, headers: fields)
      if round % 2 == 0 { request.authenticate(with: try bonnie()) }
      let answer = await request.serializingString().response
      if round % 2 == 0 {
        #expect(answer.value?.hasPrefix("CN=bonnie") == true)
      } else {
        #expect(answer.response?.statusCode == 400)
      }
    }
  }
}
