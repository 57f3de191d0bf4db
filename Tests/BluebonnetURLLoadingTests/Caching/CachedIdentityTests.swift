// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import Testing

@testable import BluebonnetURLLoading

/// What a server has told one client, known by a certificate, is not shown to sessions that come as another.
@Suite struct CachedIdentityTests {
  private let authority: OriginAuthority
  private let origin: Origin
  private let cache = URLCache(memoryCapacity: 1_000_000, diskCapacity: 0)

  init() throws {
    authority = try OriginAuthority()
    origin = try Origin.start(security: .clients(of: authority, required: false))
    for path in ["/a", "/b"] {
      origin.script(path, .response(fields: [("Cache-Control", "max-age=600")], body: path.utf8))
    }
  }

  private func credential(_ name: String) throws -> URLCredential {
    let identity = try authority.issue(names: [.host(name)])
    return try URLCredential(
      certificates: Data(identity.certificateChain.utf8), key: Data(identity.privateKey.utf8),
      persistence: .none)
  }

  private func session(
    as credential: URLCredential? = nil, _ delegate: (any URLSessionDelegate)? = nil,
    _ change: (URLSessionConfiguration) -> Void = { _ in }
  ) throws -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = cache
    configuration.trustAnchors = .certificates([try #require(SecCertificate(pem: authority.certificate))])
    if let credential { configuration.clientCredentials = ["localhost": credential] }
    change(configuration)
    return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  private func answerer(
    _ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential? = nil
  ) -> ChallengeAnswerer {
    ChallengeAnswerer {
      $0.protectionSpace.serverTrust == nil ? (disposition, credential) : (.performDefaultHandling, nil)
    }
  }

  /// As whom the requests came that the origin saw.
  private var names: [String?] { origin.requests.map(\.clientName) }

  private func load(_ path: String, _ session: URLSession) async throws {
    let (data, _) = try await session.data(from: try #require(URL(string: origin.baseURL + path)))
    #expect(data == Data(path.utf8))
  }

  @Test func whatIsConfiguredIsPartOfTheTrust() async throws {
    let (alice, bob) = (try credential("alice.test"), try credential("bob.test"))
    for credential in [nil, alice, bob] {
      for _ in 0..<2 { try await load("/a", try session(as: credential)) }
    }
    #expect(names == [nil, "alice.test", "bob.test"])
  }

  /// The next task of the same session may come as another.
  @Test func whatADelegateChoosesIsNotKept() async throws {
    let carol = try session(as: nil, answerer(.useCredential, try credential("carol.test")))
    for _ in 0..<2 { try await load("/a", carol) }
    try await load("/a", try session())
    #expect(names == ["carol.test", "carol.test", nil])
    // Nor what was told to nobody, where the configuration names somebody.
    let alice = try credential("alice.test")
    try await load("/b", try session(as: alice, answerer(.rejectProtectionSpace)))
    for _ in 0..<2 { try await load("/b", try session(as: alice)) }
    #expect(names.suffix(2) == [nil, "alice.test"])
  }

  /// Who is known to come as another is not shown what was said to nobody.
  @Test func whatWasSaidToNobodyIsNotForSomebody() async throws {
    for _ in 0..<2 { try await load("/a", try session()) }
    #expect(names == [nil])
    let storage = URLCredentialStorage()
    let space = URLProtectionSpace(
      host: "localhost", port: Int(origin.port), protocol: "https", realm: nil,
      authenticationMethod: NSURLAuthenticationMethodClientCertificate)
    let identity = try authority.issue(names: [.host("dora.test")])
    storage.setDefaultCredential(
      try URLCredential(
        certificates: Data(identity.certificateChain.utf8), key: Data(identity.privateKey.utf8),
        persistence: .forSession), for: space)
    let dora = try session { $0.urlCredentialStorage = storage }
    for _ in 0..<2 { try await load("/a", dora) }
    #expect(names == [nil, "dora.test", "dora.test"])
    // And the other way round.
    try await load("/a", try session())
    #expect(names.count == 3)
  }

  /// What the session's delegate has answered counts for the requests after it.
  @Test func norForWhomTheDelegateHasNamed() async throws {
    let identity = try authority.issue(names: [.host("emil.test")])
    let credential = try URLCredential(
      certificates: Data(identity.certificateChain.utf8), key: Data(identity.privateKey.utf8),
      persistence: .forSession)
    let emil = try session(as: nil, answerer(.useCredential, credential))
    try await load("/b", emil)
    for _ in 0..<2 { try await load("/a", try session()) }
    for _ in 0..<2 { try await load("/a", emil) }
    #expect(names == ["emil.test", nil, "emil.test", "emil.test"])
  }
}
