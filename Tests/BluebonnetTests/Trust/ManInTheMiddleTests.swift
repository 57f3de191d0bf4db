// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import BluebonnetTLS
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// Somebody between a client and its server, whose certificates hold for every authority that the session believes. He never
/// sees a byte of a request for the pinned host.
///
/// A certificate that is only sent along is the matter of `SentAlongTests`.
@Suite struct ManInTheMiddleTests {
  private static let host = "bank.test"

  private let good: CertificateAuthority
  private let other: CertificateAuthority
  private let victim: TLSIdentity

  init() throws {
    good = try CertificateAuthority(commonName: "Good")
    // Everybody's browser believes it, too.
    other = try CertificateAuthority(commonName: "Other")
    victim = try good.issue(names: [.dns(Self.host)])
  }

  private func origin(_ identity: TLSIdentity, on endpoint: Origin.Endpoint = .ipv4()) throws -> Origin {
    let origin = try Origin.start(
      security: .identity(
        OriginIdentity(certificateChain: identity.chainPEM, privateKey: identity.privateKey.pem)),
      on: endpoint)
    origin.handle("/") { _ in .response(body: "x".utf8) }
    return origin
  }

  /// The attacker with a certificate for a name.
  private func attacker(_ name: String = host, of authority: CertificateAuthority? = nil) throws -> Origin {
    try origin((authority ?? other).issue(names: [.dns(name)]))
  }

  /// Both authorities are believed; every name leads to this machine.
  private func session(
    _ evaluators: [String: any ServerTrustEvaluating] = [:],
    _ change: (URLSessionConfiguration) -> Void = { _ in }
  ) -> Session {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.trustAnchors = .certificates([
      SecCertificate(good.certificate), SecCertificate(other.certificate),
    ])
    configuration.resolver = { _ in .success([.loopback(port: 0)]) }
    configuration.timeoutIntervalForIdleConnections = 600
    change(configuration)
    return Session(
      configuration: configuration,
      serverTrustManager: ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: evaluators))
  }

  private func error(_ session: Session, _ url: String) async -> AFError? {
    await session.request(url).serializingData().response.error
  }

  private func pin() -> PinnedCertificatesTrustEvaluator {
    PinnedCertificatesTrustEvaluator(certificates: [SecCertificate(victim.certificate)])
  }

  private func url(_ origin: Origin, _ host: String = host) -> String { "https://\(host):\(origin.port)/" }

  @Test func aChainForAnotherName() async throws {
    let key = try #require(SecCertificate(good.certificate).af.publicKey)
    let hash = try #require(SecCertificate(good.certificate).subjectPublicKeyInfoSHA256)
    let evaluators: [any ServerTrustEvaluating] = [
      DefaultTrustEvaluator(), RevocationTrustEvaluator(),
      PinnedCertificatesTrustEvaluator(certificates: [SecCertificate(good.certificate)]),
      PublicKeysTrustEvaluator(keys: [key]),
      try PublicKeyHashesTrustEvaluator(hashes: [hash.base64EncodedString()]),
    ]
    // What the pins name has issued it, too.
    let attacker = try attacker("attacker.test", of: good)
    for evaluator in evaluators {
      let error = await error(session([Self.host: evaluator]), url(attacker))
      #expect(error?.isServerTrustEvaluationError == true, "\(type(of: evaluator))")
    }
    #expect(await error(session(), url(attacker)) != nil)
    #expect(attacker.requests.isEmpty)
    #expect(await error(session(), url(attacker, "attacker.test")) == nil)
  }

  /// However a redirect spells the host, its pins hold.
  @Test(arguments: [
    "bank.test", "BANK.Test", "b%61nk.test", "bank.test.", "BANK.TEST.", "%42ank%2Etest", "ｂａｎｋ.test",
  ])
  func aRedirectToAnotherSpelling(spelling: String) async throws {
    let attacker = try attacker()
    let way = try Origin.start()
    let target = "https://\(spelling):\(attacker.port)/"
    way.handle("/way") { _ in .response(status: 302, fields: [("Location", target)]) }
    let pinned = session([Self.host: pin()])
    #expect(await error(pinned, way.baseURL + "/way") != nil)
    #expect(way.requests.count == 1)
    #expect(attacker.requests.isEmpty)
    // Without the pin he is believed: it is the pin that has kept him out.
    #expect(await error(session(), way.baseURL + "/way") == nil)
    #expect(attacker.requests.count == 1)
  }

  /// The first connection was the right one; what is kept of it opens nothing for whoever comes in its place.
  @Test(arguments: [tls_protocol_version_t.TLSv12, .TLSv13])
  func anotherCertificateAtTheNextConnection(version: tls_protocol_version_t) async throws {
    // A port may be somebody else's by then, a path is not.
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sock").path
    let session = session([Self.host: pin()]) {
      $0.tlsMaximumSupportedProtocolVersion = version
      $0.resolver = nil
      $0.unixSocketPath = path
    }
    var server = try origin(victim, on: .unix(path: path))
    let url = "https://\(Self.host)/"
    #expect(await error(session, url) == nil)
    server.stop()
    server = try origin(other.issue(names: [.dns(Self.host)]), on: .unix(path: path))
    for _ in 0..<3 { #expect(await error(session, url) != nil) }
    #expect(server.requests.isEmpty)
    server.stop()
    server = try origin(victim, on: .unix(path: path))
    #expect(await error(session, url) == nil)
  }

  /// A connection, or a session of TLS, that one evaluator has let in is judged anew by the next.
  @Test(arguments: [tls_protocol_version_t.TLSv12, .TLSv13])
  func underAnotherEvaluator(version: tls_protocol_version_t) async throws {
    let attacker = try attacker("attacker.test", of: CertificateAuthority(commonName: "His own"))
    let url = try #require(URL(string: url(attacker)))
    let (careless, careful) = (Delegate(accepts: true), Delegate(accepts: false))
    let owner = session { $0.tlsMaximumSupportedProtocolVersion = version }
    defer { withExtendedLifetime(owner) {} }
    let session = owner.session
    for round in 0..<3 {
      _ = try await session.data(from: url, delegate: careless)
      #expect(attacker.requests.count == round + 1)
      for _ in 0..<2 {
        await #expect(throws: URLError.self) { try await session.data(from: url, delegate: careful) }
        await #expect(throws: URLError.self) { try await session.data(from: url) }
      }
      // What is left of it now are sessions of TLS.
      attacker.dropConnections()
      #expect(attacker.requests.count == round + 1)
    }
  }

  @Test func inAnotherSession() async throws {
    let attacker = try attacker()
    let careless = session([Self.host: DisabledTrustEvaluator()])
    let careful = session([Self.host: pin()])
    for round in 1...3 {
      #expect(await error(careless, url(attacker)) == nil)
      #expect(await error(careful, url(attacker))?.isServerTrustEvaluationError == true)
      #expect(attacker.requests.count == round)
    }
  }
}

/// Believes whatever it is told, or nothing.
private final class Delegate: URLSessionTaskDelegate {
  private let accepts: Bool

  init(accepts: Bool) { self.accepts = accepts }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard accepts, let trust = challenge.protectionSpace.serverTrust else {
      return completionHandler(.cancelAuthenticationChallenge, nil)
    }
    completionHandler(.useCredential, URLCredential(trust: trust))
  }
}
