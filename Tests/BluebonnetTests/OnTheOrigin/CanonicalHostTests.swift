// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// One host has one evaluator, however it is spelled.
@Suite struct CanonicalHostTests {
  private func certificate(_ pem: String?) throws -> SecCertificate {
    let pem = try #require(pem)
    return try #require(SecCertificate(pem: pem))
  }

  private func pin(_ certificate: SecCertificate) -> PinnedCertificatesTrustEvaluator {
    PinnedCertificatesTrustEvaluator(
      certificates: [certificate], acceptSelfSignedCertificates: true, performDefaultValidation: false,
      validateHost: false)
  }

  /// A session that trusts the origin's authority, and pins the named hosts only.
  private func session(
    trusting authority: String?, _ evaluators: [String: any ServerTrustEvaluating]
  ) throws -> Session {
    let configuration = URLSessionConfiguration.patient
    configuration.trustAnchors = .certificates([try certificate(authority)])
    return Session(
      configuration: configuration,
      serverTrustManager: ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: evaluators))
  }

  static let spellings = [
    "LOCALHOST", "LocalHost", "localh%6Fst", "localh%6fst", "%4C%4F%43alhost", "localhost.", "LOCALHOST.",
    "localhost%2E", "%EF%BD%8Cocalhost",
  ]

  /// Whoever finds a spelling that the pin does not see has walked around it.
  @Test(arguments: spellings) func noSpellingWalksAroundAPin(spelling: String) async throws {
    let origin = try Origin.start(security: .tls)
    let other = try Origin.start(security: .tls)
    let session = try session(
      trusting: origin.authority, ["localhost": pin(try certificate(other.certificateChain))])
    for host in [spelling, "localhost"] {
      let response = await session.request("https://\(host):\(origin.port)/get").serializingData().response
      #expect(response.error?.isServerTrustEvaluationError == true, "\(host)")
    }
    #expect(origin.requests.isEmpty)
  }

  @Test(arguments: spellings) func noRedirectWalksAroundAPin(spelling: String) async throws {
    let origin = try Origin.start(security: .tls)
    let other = try Origin.start(security: .tls)
    let plain = try Origin.start()
    plain.script(
      "/away",
      .response(status: 302, fields: [("Location", "https://\(spelling):\(origin.port)/get")]))
    let session = try session(
      trusting: origin.authority, ["localhost": pin(try certificate(other.certificateChain))])
    let response = await session.request(plain.baseURL + "/away").serializingData().response
    #expect(response.error?.isServerTrustEvaluationError == true)
    #expect(origin.requests.isEmpty)
  }

  @Test(arguments: ["LOCALHOST", "localhost.", "localh%6Fst"])
  func aKeyMayBeSpelledInAnyWay(key: String) async throws {
    let origin = try Origin.start(security: .tls)
    let other = try Origin.start(security: .tls)
    let wrong = try session(
      trusting: origin.authority, [key: pin(try certificate(other.certificateChain))])
    let refused = await wrong.request(origin.baseURL + "/get").serializingData().response
    #expect(refused.error?.isServerTrustEvaluationError == true)
    let right = try session(
      trusting: origin.authority, [key: pin(try certificate(origin.certificateChain))])
    #expect(await right.request(origin.baseURL + "/get").serializingData().response.error == nil)
  }

  @Test(arguments: [
    ("bücher.localhost", "xn--bcher-kva.localhost"), ("xn--bcher-kva.localhost", "bücher.localhost"),
    ("BÜCHER.localhost.", "b%C3%BCcher.localhost"), ("bu\u{308}cher.localhost", "xn--BCHER-kva.localhost"),
  ])
  func anInternationalHostHasItsEvaluatorUnderEitherSpelling(_ key: String, _ host: String) async throws {
    let authority = try OriginAuthority()
    let origin = try Origin.start(
      security: .identity(authority.issue(names: [.host("xn--bcher-kva.localhost")])))
    let other = try Origin.start(security: .tls)
    let address = "https://\(host):\(origin.port)/get"
    let wrong = try session(
      trusting: authority.certificate, [key: pin(try certificate(other.certificateChain))])
    let refused = await wrong.request(address).serializingData().response
    #expect(refused.error?.isServerTrustEvaluationError == true)
    #expect(origin.requests.isEmpty)
    let right = try session(trusting: authority.certificate, [key: DefaultTrustEvaluator()])
    #expect(await right.request(address).serializingData().response.error == nil)
  }

  /// Two keys of one host: all of their evaluators must be content, so the stricter one cannot be lost.
  @Test(arguments: [["localhost", "LOCALHOST"], ["LOCALHOST", "localhost"], ["localhost.", "localhost"]])
  func keysThatFallTogetherAllCount(keys: [String]) async throws {
    let origin = try Origin.start(security: .tls)
    let other = try Origin.start(security: .tls)
    let session = try session(
      trusting: origin.authority,
      [keys[0]: pin(try certificate(other.certificateChain)), keys[1]: DisabledTrustEvaluator()])
    let response = await session.request(origin.baseURL + "/get").serializingData().response
    #expect(response.error?.isServerTrustEvaluationError == true)
    #expect(origin.requests.isEmpty)
  }

  /// Spellings of an IPv4 address, which the resolver would take for the same.
  @Test(arguments: ["127.1", "0x7f.1", "0x7F000001", "2130706433", "0177.0.0.1", "127.0.0.1."])
  func anAddressIsKnownInEachOfItsSpellings(spelling: String) async throws {
    let origin = try Origin.start(security: .tls)
    let other = try Origin.start(security: .tls)
    let session = try session(
      trusting: origin.authority, ["127.0.0.1": pin(try certificate(other.certificateChain))])
    let response = await session.request("https://\(spelling):\(origin.port)/get").serializingData().response
    #expect(response.error?.isServerTrustEvaluationError == true)
    #expect(origin.requests.isEmpty)
  }

  /// A key that can be no host's is an error, not a pin that is never asked.
  @Test(arguments: ["https://localhost", "localhost:443", "*", "*.*.localhost", "local host", ""])
  func aKeyThatIsNoHostIsAnError(key: String) async throws {
    let origin = try Origin.start(security: .tls)
    let session = try session(trusting: origin.authority, [key: DisabledTrustEvaluator()])
    let response = await session.request(origin.baseURL + "/get").serializingData().response
    #expect(response.error?.isServerTrustEvaluationError == true)
    #expect(origin.requests.isEmpty)
  }
}
