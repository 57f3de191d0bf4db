// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import Testing

@testable import Bluebonnet

/// Runs what the article *Client certificates and TLS* shows.
@Suite struct ClientCertificateExamplesTests {
  private let authority: OriginAuthority
  private let origin: Origin

  init() throws {
    authority = try OriginAuthority()
    origin = try Origin.start(security: .clients(of: authority, required: false))
  }

  private func configuration() throws -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.af.default
    configuration.trustAnchors = .certificates([try #require(SecCertificate(pem: authority.certificate))])
    return configuration
  }

  private func credential(_ name: String) throws -> URLCredential {
    let identity = try authority.issue(names: [.host(name)])
    return try URLCredential(
      certificates: Data(identity.certificateChain.utf8), key: Data(identity.privateKey.utf8))
  }

  @Test func byHost() async throws {
    let identity = try authority.issue(names: [.host("alice.test")])
    let session = try ClientCertificateExamples.byHost(
      Data(identity.certificateChain.utf8), Data(identity.privateKey.utf8), "localhost", configuration())
    for _ in 1...2 { _ = await session.request(origin.baseURL + "/get").serializingData().response }
    #expect(origin.requests.map(\.clientName) == ["alice.test", "alice.test"])
    #expect(origin.connectionCount == 1)
  }

  @Test func anArchiveThatIsNone() async throws {
    let session = Session(configuration: try configuration())
    let error = await #expect(throws: ClientIdentityError.self) {
      try await ClientCertificateExamples.own(Data([1, 2, 3]), "https://localhost/", session)
    }
    #expect(error?.description.hasPrefix("client certificate: ") == true)
  }

  @Test func settings() async throws {
    let session = ClientCertificateExamples.settings(try configuration())
    let answer = await session.request(origin.baseURL + "/get").serializingData().response
    #expect(answer.metrics?.transactionMetrics.last?.negotiatedTLSCipherSuite?.rawValue == 0x1302)
  }

  /// A request's own credential goes before the configuration's, and for nobody else; so for requests of one session at once.
  @Test func requestsOfOneSession() async throws {
    let configuration = try configuration()
    configuration.clientCredentials["localhost"] = try credential("default.test")
    let session = Session(configuration: configuration)
    let people = ["alice.test": try credential("alice.test"), "bob.test": try credential("bob.test")]
    let names = ["alice.test", "bob.test", "default.test"]
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<60 {
        let name = names[index % 3]
        group.addTask { [url = origin.baseURL + "/get?" + name] in
          let request = session.request(url)
          if let own = people[name] { request.authenticate(with: own) }
          let answer = await request.serializingData().response
          #expect(answer.response?.statusCode == 200)
        }
      }
    }
    #expect(origin.requests.count == 60)
    for request in origin.requests { #expect(request.target == "/get?" + (request.clientName ?? "")) }
  }

  /// A password answers no question for a certificate, and an identity none for a password.
  @Test func aPasswordIsNoAnswer() async throws {
    let session = Session(configuration: try configuration())
    let answer = await session.request(origin.baseURL + "/basic-auth/ada/secret")
      .authenticate(username: "ada", password: "secret").serializingData().response
    #expect(answer.response?.statusCode == 200)
    #expect(origin.requests.map(\.clientName) == [nil, nil])
    // One that has not been told the password.
    let unknowing = try configuration()
    unknowing.urlCredentialStorage = nil
    let stranger = Session(configuration: unknowing)
    let other = await stranger.request(origin.baseURL + "/basic-auth/ada/secret")
      .authenticate(with: try credential("alice.test")).serializingData().response
    #expect(other.response?.statusCode == 401)
    #expect(origin.requests.last?.clientName == "alice.test")
  }
}
