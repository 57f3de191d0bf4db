// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestSupport
import Testing

@testable import BluebonnetURLLoading

/// As whom loads go to servers that ask for a certificate.
@Suite struct ClientCertificateLoadingTests {
  private let authority: OriginAuthority
  private let origin: Origin

  init() throws {
    authority = try OriginAuthority()
    origin = try Origin.start(security: .clients(of: authority))
  }

  private func credential(
    _ name: String, _ other: OriginAuthority? = nil, _ persistence: URLCredential.Persistence = .none
  ) throws -> URLCredential {
    let identity = try (other ?? authority).issue(names: [.host(name)])
    return try URLCredential(
      certificates: Data(identity.certificateChain.utf8), key: Data(identity.privateKey.utf8),
      persistence: persistence)
  }

  private func session(
    _ delegate: (any URLSessionDelegate)? = nil,
    _ change: (URLSessionConfiguration) -> Void = { _ in }
  ) throws -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.trustAnchors = .certificates([try #require(SecCertificate(pem: authority.certificate))])
    configuration.timeoutIntervalForIdleConnections = 600
    change(configuration)
    return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  private func get(_ session: URLSession, _ origin: Origin? = nil, _ path: String = "/get") async throws {
    let url = try #require(URL(string: (origin ?? self.origin).baseURL + path))
    _ = try await session.data(from: url)
  }

  /// Answers with a credential, but leaves servers' trust to the session.
  private func answerer(
    _ disposition: URLSession.AuthChallengeDisposition = .useCredential, _ credential: URLCredential? = nil
  ) -> ChallengeAnswerer {
    ChallengeAnswerer {
      $0.protectionSpace.serverTrust == nil ? (disposition, credential) : (.performDefaultHandling, nil)
    }
  }

  @Test(arguments: [tls_protocol_version_t.TLSv12, .TLSv13])
  func theDelegateAnswersOnceTheServerIsTrusted(version: tls_protocol_version_t) async throws {
    let answerer = answerer(.useCredential, try credential("alice.test"))
    let session = try session(answerer) { $0.tlsMaximumSupportedProtocolVersion = version }
    try await get(session)
    #expect(answerer.questions == ["ServerTrust 0", "ClientCertificate 0"])
    let space = try #require(answerer.challenges.last?.protectionSpace)
    #expect(space.host == "localhost" && space.port == Int(origin.port) && space.protocol == "https")
    #expect(space.distinguishedNames?.count == 1)
    // A SEQUENCE with the authority's name in it.
    #expect(space.distinguishedNames?.first?.first == 0x30)
    #expect(Set(space.clientKeyTypes ?? []) == Set(ClientKeyType.allCases))
    #expect(origin.requests.map(\.clientName) == ["alice.test"])
  }

  /// What comes of a challenge that is not answered with an identity.
  @Test(
    arguments: [URLSession.AuthChallengeDisposition.performDefaultHandling, .rejectProtectionSpace],
    [tls_protocol_version_t.TLSv12, .TLSv13])
  func withoutOneTheServerDecides(
    disposition: URLSession.AuthChallengeDisposition, version: tls_protocol_version_t
  ) async throws {
    let optional = try Origin.start(security: .clients(of: authority, required: false))
    let session = try session(answerer(disposition)) { $0.tlsMaximumSupportedProtocolVersion = version }
    try await get(session, optional)
    #expect(optional.requests.map(\.clientName) == [nil])
    let error = await #expect(throws: URLError.self) { try await get(session) }
    #expect(error?.code == .clientCertificateRequired)
    #expect(error?.transportFailure?.fault == .caller)
    #expect(origin.requests.isEmpty)
  }

  @Test func withoutADelegateNobodyIsShown() async throws {
    let session = try session()
    let error = await #expect(throws: URLError.self) { try await get(session) }
    #expect(error?.code == .clientCertificateRequired)
  }

  @Test func cancellingFailsTheTask() async throws {
    let session = try session(answerer(.cancelAuthenticationChallenge))
    let error = await #expect(throws: URLError.self) { try await get(session) }
    #expect(error?.code == .userCancelledAuthentication)
    #expect(origin.requests.isEmpty)
  }

  @Test(arguments: [tls_protocol_version_t.TLSv12, .TLSv13])
  func aStrangersCertificateIsRejected(version: tls_protocol_version_t) async throws {
    let stranger = try credential("mallory.test", OriginAuthority(), .forSession)
    let answerer = answerer(.useCredential, stranger)
    let session = try session(answerer) { $0.tlsMaximumSupportedProtocolVersion = version }
    for _ in 1...2 {
      let error = await #expect(throws: URLError.self) { try await get(session) }
      #expect(error?.code == .clientCertificateRejected)
      #expect(error?.transportFailure?.fault == .caller)
      #expect(!"\(error as Any)".contains("PRIVATE"))
    }
    // What was refused is not kept, however long it was meant for.
    #expect(answerer.questions.filter { $0 == "ClientCertificate 0" }.count == 2)
    #expect(origin.requests.isEmpty)
  }

  /// Neither asked about, nor shown anything.
  @Test func anUntrustedServerLearnsNothing() async throws {
    let answerer = answerer(.useCredential, try credential("alice.test"))
    let session = URLSession(configuration: .ephemeral, delegate: answerer, delegateQueue: nil)
    let error = await #expect(throws: URLError.self) { try await get(session) }
    #expect(error?.code == .serverCertificateHasUnknownRoot)
    #expect(answerer.questions == ["ServerTrust 0"])
    #expect(origin.requests.isEmpty)
  }

  /// Kept for the session, it is asked about once; otherwise for each load. The connection is kept in either case.
  @Test(arguments: [(URLCredential.Persistence.forSession, 1), (.permanent, 1), (.none, 3)])
  func persistence(persistence: URLCredential.Persistence, questions: Int) async throws {
    let answerer = answerer(.useCredential, try credential("alice.test", nil, persistence))
    let session = try session(answerer)
    for _ in 1...3 { try await get(session) }
    #expect(answerer.questions.filter { $0 == "ClientCertificate 0" }.count == questions)
    #expect(origin.requests.map(\.clientName) == ["alice.test", "alice.test", "alice.test"])
    #expect(origin.connectionCount == 1)
  }

  @Test(arguments: ["localhost", "LOCALHOST", "*"])
  func theConfigurationAnswersByHost(host: String) async throws {
    let alice = try credential("alice.test")
    let session = try session { $0.clientCredentials = [host: alice, "*.example.test": alice] }
    for _ in 1...2 { try await get(session) }
    #expect(origin.requests.map(\.clientName) == ["alice.test", "alice.test"])
    #expect(origin.connectionCount == 1)
  }

  @Test(arguments: ["127.0.0.1", "*.localhost", "example.test"])
  func otherHostsAreShownNothing(host: String) async throws {
    let alice = try credential("alice.test")
    let session = try session { $0.clientCredentials = [host: alice] }
    let error = await #expect(throws: URLError.self) { try await get(session) }
    #expect(error?.code == .clientCertificateRequired)
  }

  @Test func whichHostsAreMeant() throws {
    let some = try ["exact", "below", "any"].map { try credential("\($0).test") }
    var values = URLSessionConfiguration.Settings()
    values.clientCredentials = ["a.example.org": some[0], "*.Example.org": some[1], "*": some[2]]
    for (host, index) in [
      ("a.example.org", 0), ("b.example.org", 1), ("x.b.example.org", 2), ("example.org", 2), ("other", 2),
    ] {
      #expect(values.clientCredentialsByHost.credential(for: host) == some[index], "\(host)")
    }
    values.clientCredentials["*"] = nil
    #expect(values.clientCredentialsByHost.credential(for: "other") == nil)
    // Certificates know no zones.
    values.clientCredentials = ["[FE80::1]": some[0], "FE80:0::2%lo": some[1]]
    for (host, index) in [("fe80::1", 0), ("[fe80::1%25lo]", 0), ("fe80::2%lo", 1)] {
      #expect(values.clientCredentialsByHost.credential(for: host) == some[index], "\(host)")
    }
    #expect(values.clientCredentialsByHost.credential(for: "fe80::2") == nil)
  }

  /// What would never be shown, or shown in the place of something else, is refused before anything is sent.
  @Test(
    arguments: [
      ["localhost:8443"], ["https://localhost"], ["a b"], ["a.*.test"], ["*.1.2.3"],
      ["localhost", "LocalHost."],
    ])
  func hostsThatCannotBeMeant(hosts: [String]) async throws {
    let credentials = try hosts.map { ($0, try credential("alice.test")) }
    let session = try session { $0.clientCredentials = Dictionary(uniqueKeysWithValues: credentials) }
    let error = await #expect(throws: URLError.self) { try await get(session) }
    #expect(error?.refusedSetting?.member == "URLSessionConfiguration.clientCredentials")
    #expect(origin.connectionCount == 0)
  }

  @Test func theSameTwiceIsNoContradiction() async throws {
    let alice = try credential("alice.test")
    let session = try session { $0.clientCredentials = ["localhost": alice, "LOCALHOST": alice] }
    try await get(session)
    #expect(origin.requests.map(\.clientName) == ["alice.test"])
  }

  @Test func aPasswordIsNoIdentity() async throws {
    let session = try session {
      $0.clientCredentials["localhost"] = URLCredential(user: "a", password: "b", persistence: .none)
    }
    let error = await #expect(throws: URLError.self) { try await get(session) }
    #expect(error?.refusedSetting?.member == "URLSessionConfiguration.clientCredentials")
    #expect(origin.connectionCount == 0)
  }

  /// A server may come to want others' certificates: the connection at hand says what it asks, not the one before.
  @Test(arguments: [tls_protocol_version_t.TLSv12, .TLSv13])
  func whatAServerAsksMayChange(version: tls_protocol_version_t) async throws {
    let authorities = [authority, try OriginAuthority(name: "Another Authority")]
    let credentials = try authorities.enumerated().map { try credential("\($0).test", $1) }
    let names = Locked<[[Data]]>([])
    let answerer = ChallengeAnswerer {
      guard $0.protectionSpace.serverTrust == nil else { return (.performDefaultHandling, nil) }
      let asked = $0.protectionSpace.distinguishedNames ?? []
      return names.withLock { names in
        if !names.contains(asked) { names.append(asked) }
        return (.useCredential, credentials[names.firstIndex(of: asked) ?? 0])
      }
    }
    // A port may be somebody else's by then, a path is not.
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sock").path
    let session = try session(answerer) {
      $0.tlsMaximumSupportedProtocolVersion = version
      $0.unixSocketPath = path
      $0.trustAnchors = .certificates(authorities.compactMap { SecCertificate(pem: $0.certificate) })
    }
    let first = try Origin.start(security: .clients(of: authorities[0]), on: .unix(path: path))
    try await get(session, first)
    #expect(first.requests.map(\.clientName) == ["0.test"])
    first.stop()
    let second = try Origin.start(security: .clients(of: authorities[1]), on: .unix(path: path))
    for _ in 1...2 { try await get(session, second) }
    #expect(second.requests.map(\.clientName) == ["1.test", "1.test"])
    #expect(names.withLock { $0.count } == 2)
  }

  /// As for passwords, the storage proposes.
  @Test func theStorageProposes() async throws {
    let storage = URLCredentialStorage()
    let space = URLProtectionSpace(
      host: "localhost", port: Int(origin.port), protocol: "https", realm: nil,
      authenticationMethod: NSURLAuthenticationMethodClientCertificate)
    storage.setDefaultCredential(try credential("alice.test", nil, .forSession), for: space)
    let session = try session { $0.urlCredentialStorage = storage }
    try await get(session)
    #expect(origin.requests.map(\.clientName) == ["alice.test"])
  }

  /// Each task has its own delegate, and none of them is served over another's connection or session of TLS.
  @Test(arguments: [tls_protocol_version_t.TLSv12, .TLSv13])
  func nobodyIsTakenForSomebodyElse(version: tls_protocol_version_t) async throws {
    let optional = try Origin.start(security: .clients(of: authority, required: false))
    let session = try session { $0.tlsMaximumSupportedProtocolVersion = version }
    let people = [try credential("alice.test"), try credential("bob.test"), nil]
    let delegates = people.map { answerer($0 == nil ? .performDefaultHandling : .useCredential, $0) }
    let names = ["alice.test", "bob.test", nil]
    for round in 0..<4 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<24 {
          let url = try #require(URL(string: optional.baseURL + "/get?\(round)-\(index)-\(index % 3)"))
          group.addTask { _ = try await session.data(from: url, delegate: delegates[index % 3]) }
        }
        try await group.waitForAll()
      }
      // What is left of it are sessions of TLS.
      if round % 2 == 1 { optional.dropConnections() }
    }
    #expect(optional.requests.count == 96)
    var byConnection: [Int: Set<String?>] = [:]
    for request in optional.requests {
      let who = try #require(request.target.last.flatMap { Int(String($0)) })
      #expect(request.clientName == names[who])
      byConnection[request.connection, default: []].insert(request.clientName)
    }
    #expect(byConnection.values.allSatisfy { $0.count == 1 })
  }

  @Test func noByteOfTheKeyIsShown() throws {
    let identity = try authority.issue(names: [.host("alice.test")])
    let credential = try credential("alice.test")
    let lines = identity.privateKey.split(separator: "\n").dropFirst().dropLast()
    for text in ["\(credential)", "\(credential.identity as Any)", "\(String(reflecting: credential))"] {
      #expect(lines.allSatisfy { !text.contains($0) } && !text.contains("PRIVATE"))
    }
    let wrong = #expect(throws: ClientIdentityError.self) {
      try URLCredential(
        certificates: Data(self.authority.certificate.utf8), key: Data(identity.privateKey.utf8))
    }
    #expect(lines.allSatisfy { wrong?.description.contains($0) == false })
  }

  // MARK: Known before anybody is asked

  private func foreseeing(_ change: (URLSessionConfiguration) -> Void = { _ in }) throws -> URLSession {
    let alice = try credential("alice.test")
    return try session {
      $0.clientCredentials["localhost"] = alice
      $0.tls.answersPostHandshakeRequests = true
      change($0)
    }
  }

  /// What one request is known to go as says nothing about the next, over connections at hand and over new ones.
  @Test(arguments: [true, false]) func whatIsForeseenIsSaidOfOneRequest(closes: Bool) async throws {
    let session = try foreseeing()
    var request = URLRequest(url: try #require(URL(string: origin.baseURL + "/get")))
    if closes { request.setValue("close", forHTTPHeaderField: "Connection") }
    let bob = answerer(.useCredential, try credential("bob.test"))
    let nobody = answerer(.rejectProtectionSpace)
    for _ in 1...3 {
      for _ in 1...2 { _ = try await session.data(for: request) }
      _ = try await session.data(for: request, delegate: bob)
      await #expect(throws: URLError.self) { try await session.data(for: request, delegate: nobody) }
    }
    let expected = Array(repeating: ["alice.test", "alice.test", "bob.test"], count: 3).flatMap(\.self)
    #expect(origin.requests.map(\.clientName) == expected)
  }

  /// While a connection to such a server is in use, others are made.
  @Test func severalGoAtOnce() async throws {
    let session = try foreseeing { $0.timeoutIntervalForResource = 60 }
    origin.handle("/held") { _ in .silence }
    let url = try #require(URL(string: origin.baseURL + "/held"))
    let held = Task { try await session.data(from: url) }
    await Eventually.expect("it is under way") { [origin] in !origin.requests.isEmpty }
    for _ in 1...3 { try await get(session) }
    held.cancel()
    _ = await held.result
    #expect(origin.requests.map(\.clientName) == Array(repeating: "alice.test", count: 4))
    #expect(origin.connectionCount == 2)
  }
}
