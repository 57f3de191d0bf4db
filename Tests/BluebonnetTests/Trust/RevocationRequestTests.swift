// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestAuthority
import Testing

/// Whole requests to servers whose certificates were revoked, or may have been.
@Suite struct RevocationRequestTests {
  /// An authority, its responder and lists over HTTP, and a server.
  private struct Scene {
    let root: StatusAuthority
    let authority: Origin
    let server: Origin
    let leaf: StatusLeaf

    init(
      _ extensions: (_ base: String) -> [TestExtension],
      staple: (StatusAuthority, StatusLeaf) throws -> [UInt8]? = { _, _ in nil }
    ) throws {
      root = try StatusAuthority()
      authority = try Origin.start()
      leaf = try root.server(extensions: extensions(authority.baseURL))
      server = try Origin.start(
        security: .identity(
          OriginIdentity(
            certificateChain: leaf.pem, privateKey: leaf.keyPEM, stapledResponse: staple(root, leaf))))
    }

    /// What becomes of a request; nil if it succeeds.
    func refusal(
      by evaluator: (any ServerTrustEvaluating)?,
      _ change: (URLSessionConfiguration) throws -> Void = { _ in }
    ) async throws -> OSStatus? {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.trustAnchors = .certificates([try #require(SecCertificate(pem: root.pem))])
      try change(configuration)
      let manager = evaluator.map { ServerTrustManager(evaluators: ["localhost": $0]) }
      let session = Session(configuration: configuration, serverTrustManager: manager)
      let response = await session.request(server.baseURL + "/get").serializingData().response
      guard let error = response.error else { return nil }
      if let refused = error.underlyingError as? SecTrustError { return refused.status }
      let code = (error.underlyingError as? URLError)?.code
      #expect(code == .serverCertificateUntrusted || code == .secureConnectionFailed, "\(error)")
      return -1
    }
  }

  private let hard = RevocationTrustEvaluator(options: [.any, .requirePositiveResponse])

  @Test func aStapleIsEnough() async throws {
    let scene = try Scene({ [.responders($0 + "/ocsp")] }, staple: { try $0.response(about: $1) })
    #expect(try await scene.refusal(by: hard) == nil)
    #expect(scene.authority.requests.isEmpty)
    #expect(scene.server.requests.count == 1)
  }

  @Test func theMetricsHaveTheStaple() async throws {
    for isStapled in [true, false] {
      let sent = Locked<[UInt8]?>(nil)
      let scene = try Scene({ _ in [] }) { root, leaf in
        guard isStapled else { return nil }
        let response = try root.response(about: leaf)
        sent.withLock { $0 = response }
        return response
      }
      let configuration = URLSessionConfiguration.ephemeral
      configuration.trustAnchors = .certificates([try #require(SecCertificate(pem: scene.root.pem))])
      let session = Session(configuration: configuration)
      for url in [scene.server.baseURL, scene.authority.baseURL] {
        let response = await session.request(url + "/get").serializingData().response
        let found = response.metrics?.transactionMetrics.last?.stapledOCSPResponse
        let expected = sent.withLock {
          $0.map { .response(Data($0)) } ?? URLSessionTaskTransactionMetrics.StapledOCSPResponse.missing
        }
        #expect(found == (url == scene.server.baseURL ? expected : .notAsked))
      }
    }
  }

  @Test func whatIsRevokedSeesNoRequest() async throws {
    let stapled = try Scene(
      { _ in [] }, staple: { try $0.response(about: $1, TestAnswer(.revoked(reason: 1))) })
    let asked = try Scene({ [.responders($0 + "/ocsp")] })
    let response = try asked.root.response(about: asked.leaf, TestAnswer(.revoked(reason: 1)))
    asked.authority.handle("/ocsp") { _ in .response(body: response) }
    let listed = try Scene({ [.lists($0 + "/list")] })
    let list = try listed.root.list(revoking: [4_711])
    listed.authority.handle("/list") { _ in .response(body: list) }
    for scene in [stapled, asked, listed] {
      #expect(try await scene.refusal(by: .revocationChecking) == errSecCertificateRevoked)
      #expect(scene.server.requests.isEmpty)
    }
    // Who does not ask does not know, but for what the server has brought itself.
    for scene in [asked, listed] { #expect(try await scene.refusal(by: nil) == nil) }
    #expect(try await stapled.refusal(by: nil) == -1)
    #expect(stapled.server.requests.isEmpty)
  }

  @Test func whoStaysOfflineAsksNobody() async throws {
    let scene = try Scene({ [.responders($0 + "/ocsp"), .lists($0 + "/list")] })
    let offline = RevocationTrustEvaluator(options: [.any, .networkAccessDisabled])
    #expect(try await scene.refusal(by: offline) == nil)
    let strict = RevocationTrustEvaluator(options: [.any, .networkAccessDisabled, .requirePositiveResponse])
    #expect(try await scene.refusal(by: strict) == errSecIncompleteCertRevocationCheck)
    #expect(scene.authority.connectionCount == 0)
  }

  /// RFC 7633, whoever evaluates: a certificate that promises a staple is worth nothing without.
  @Test func aBrokenPromiseIsRefusedByDefault() async throws {
    let broken = try Scene({ _ in [.mustStaple] })
    #expect(try await broken.refusal(by: nil) == -1)
    #expect(try await broken.refusal(by: .default) == errSecIncompleteCertRevocationCheck)
    #expect(try await broken.refusal(by: .revocationChecking) == errSecIncompleteCertRevocationCheck)
    #expect(broken.server.requests.isEmpty)
    #expect(try await broken.refusal(by: DisabledTrustEvaluator()) == nil)
    let kept = try Scene({ _ in [.mustStaple] }, staple: { try $0.response(about: $1) })
    for evaluator in [nil, hard, DefaultTrustEvaluator()] as [(any ServerTrustEvaluating)?] {
      #expect(try await kept.refusal(by: evaluator) == nil)
    }
  }

  /// A resumed session brings no staple: its server was judged when it was new.
  @Test func aResumedSessionIsJudgedByItsFirstHandshake() async throws {
    let scene = try Scene({ _ in [.mustStaple] }, staple: { try $0.response(about: $1) })
    let configuration = URLSessionConfiguration.ephemeral
    configuration.trustAnchors = .certificates([try #require(SecCertificate(pem: scene.root.pem))])
    configuration.timeoutIntervalForIdleConnections = 0
    let session = Session(
      configuration: configuration, serverTrustManager: ServerTrustManager(evaluators: ["localhost": hard]))
    for _ in 0..<3 {
      let response = await session.request(
        scene.server.baseURL + "/get", headers: ["Connection": "close"]
      ).serializingData().response
      #expect(response.error == nil)
    }
    #expect(scene.server.requests.map(\.isResumed) == [false, true, true])
  }

  @Test func listsOfFiles() async throws {
    let scene = try Scene({ _ in [] })
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
      let place = folder.appendingPathComponent(name)
      try Data(bytes).write(to: place)
      return place.path
    }
    let other = try StatusAuthority("Other")
    let pem = { (list: [UInt8]) in Array(StatusAuthority.pem(ofList: list).utf8) }
    let good = try file("good", pem(scene.root.list()))
    let revoked = try file("revoked", scene.root.list(revoking: [4_711]))
    let foreign = try file("foreign", pem(other.list()))
    let both = try file("both", pem(other.list()) + pem(scene.root.list(revoking: [4_711])))
    let expired = try file("expired", pem(scene.root.list(thisUpdate: -9_000, nextUpdate: -4_000)))
    let none = try file("none", Array("nothing".utf8))
    let rows: [(files: [String], isRequired: Bool, isRefused: Bool)] = [
      ([good], false, false), ([good], true, false), ([revoked], false, true), ([foreign], false, false),
      ([foreign], true, true), ([both], false, true), ([foreign, good], true, false),
      ([expired], false, true),
      ([], true, true), ([none], false, true), ([folder.path + "/absent"], false, true),
    ]
    for row in rows {
      let refusal = try await scene.refusal(by: nil) { configuration in
        configuration.revocationListFiles = row.files
        configuration.requiresRevocationLists = row.isRequired
      }
      #expect((refusal != nil) == row.isRefused, "\(row)")
    }
    // They are an answer for whoever asks, too.
    #expect(try await scene.refusal(by: hard) { $0.revocationListFiles = [good] } == nil)
    #expect(try await scene.refusal(by: hard) == errSecIncompleteCertRevocationCheck)
  }

  /// The responder says good, the list revoked.
  @Test(
    arguments: [
      (.ocsp, nil, "/ocsp"), (.crl, errSecCertificateRevoked, "/list"), (.any, nil, "/ocsp"),
      ([.ocsp, .crl], nil, "/ocsp"), ([.any, .preferCRL], errSecCertificateRevoked, "/list"),
      ([.ocsp, .preferCRL], nil, "/ocsp"),
    ] as [(RevocationTrustEvaluator.Options, OSStatus?, String)])
  func onlyTheWaysThatAreWantedAreGone(
    options: RevocationTrustEvaluator.Options, refusal: OSStatus?, asked: String
  ) async throws {
    let scene = try Scene({ [.responders($0 + "/ocsp"), .lists($0 + "/list")] })
    let (good, list) = (
      try scene.root.response(about: scene.leaf), try scene.root.list(revoking: [4_711])
    )
    scene.authority.handle("/ocsp") { _ in .response(body: good) }
    scene.authority.handle("/list") { _ in .response(body: list) }
    let strict = options.union(.requirePositiveResponse)
    #expect(try await scene.refusal(by: .revocationChecking(options: strict)) == refusal)
    #expect(scene.authority.requests.map { $0.path } == [asked])
  }
}
