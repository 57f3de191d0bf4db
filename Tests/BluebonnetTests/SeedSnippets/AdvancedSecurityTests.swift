// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetOrigin
import Testing

extension SeedSnippetsTests {
  /// The advanced guide on security.
  @Suite struct AdvancedSecurityTests {
    private let origin: Origin
    private var base: String { origin.baseURL }

    init() throws {
      origin = try Origin.start(security: .tls)
    }

    private struct Refusal: Error {}

    private struct Doorman: ServerTrustEvaluating {
      let admits: Bool

      func evaluate(_ trust: SecTrust, forHost host: String) throws {
        guard admits, host == "localhost", !trust.af.certificates.isEmpty else { throw Refusal() }
      }
    }

    private func host() throws -> String { try #require(URL(string: base)?.host) }

    private func answer(trusting manager: ServerTrustManager) async throws -> AFDataResponse<Data> {
      let session = Session(
        configuration: try configuration(trusting: origin), serverTrustManager: manager)
      return await sent(session.request(base + "/get"))
    }

    @Test(arguments: [false, true]) func evaluating(admits: Bool) async throws {
      let manager = ServerTrustManager(evaluators: [try host(): Doorman(admits: admits)])
      let answer = try await answer(trusting: manager)
      #expect((answer.error == nil) == admits)
      if !admits { #expect(answer.error?.isServerTrustEvaluationError == true) }
    }

    /// The bundle of the tests has nothing to pin.
    @Test func evaluatorsForHosts() async throws {
      let evaluators: [String: any ServerTrustEvaluating] = [
        "cert.example.com": PinnedCertificatesTrustEvaluator(),
        "keys.example.com": PublicKeysTrustEvaluator(),
      ]

      let manager = ServerTrustManager(evaluators: evaluators)
      #expect(
        try manager.serverTrustEvaluator(forHost: "cert.example.com") is PinnedCertificatesTrustEvaluator)
      #expect(try manager.serverTrustEvaluator(forHost: "keys.example.com") is PublicKeysTrustEvaluator)
      let error = try await answer(trusting: manager).error
      let host = try host()
      guard case .serverTrustEvaluationFailed(.noRequiredEvaluator(host)) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    /// The same two with what the origin has.
    @Test(arguments: [false, true]) func pins(ofKeys: Bool) async throws {
      let served = try #require(SecCertificate(pem: origin.certificateChain ?? ""))
      let key = try #require(served.af.publicKey)
      let evaluator: any ServerTrustEvaluating =
        ofKeys
        ? PublicKeysTrustEvaluator(keys: [key]) : PinnedCertificatesTrustEvaluator(certificates: [served])
      let manager = ServerTrustManager(evaluators: [try host(): evaluator])
      #expect(try await answer(trusting: manager).error == nil)
    }

    /// The guide gives the evaluator a type of version 4.
    private final class Everywhere: ServerTrustManager, @unchecked Sendable {
      override func serverTrustEvaluator(forHost host: String) -> (any ServerTrustEvaluating)? {
        var evaluator: (any ServerTrustEvaluating)?

        if host.hasSuffix("host") { evaluator = Doorman(admits: true) }

        return evaluator
      }
    }

    @Test func aSubclass() async throws {
      let manager = Everywhere(evaluators: [:])
      #expect(manager.serverTrustEvaluator(forHost: "example.com") == nil)
      #expect(try await answer(trusting: manager).error == nil)
    }
  }
}
