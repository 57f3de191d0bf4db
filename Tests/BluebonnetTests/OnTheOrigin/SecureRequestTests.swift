// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// Requests over TLS, from the session down to the socket.
@Suite struct SecureRequestTests {
  struct Reply: Decodable, Sendable {
    let url: String
  }

  private func certificate(_ pem: String?) throws -> SecCertificate {
    let pem = try #require(pem)
    return try #require(SecCertificate(pem: pem))
  }

  private func session(
    trusting origin: Origin, serverTrustManager: ServerTrustManager? = nil
  ) throws -> Session {
    let configuration = URLSessionConfiguration.patient
    configuration.trustAnchors = .certificates([try certificate(origin.authority)])
    return Session(configuration: configuration, serverTrustManager: serverTrustManager)
  }

  @Test func aDecodableToAClosure() async throws {
    let origin = try Origin.start(security: .tls)
    let session = try session(trusting: origin)
    let response = await withCheckedContinuation { continuation in
      session.request(origin.baseURL + "/get").validate()
        .responseDecodable(of: Reply.self, queue: .global()) { continuation.resume(returning: $0) }
    }
    #expect(response.value?.url == origin.baseURL + "/get")
    #expect(response.metrics?.transactionMetrics.count == 1)
  }

  @Test func aDecodableToAwait() async throws {
    let origin = try Origin.start(security: .tls)
    let session = try session(trusting: origin)
    let reply = try await session.request(origin.baseURL + "/get").serializingDecodable(Reply.self).value
    #expect(reply.url == origin.baseURL + "/get")
  }

  @Test func manyAtOnceShareTheSession() async throws {
    let origin = try Origin.start(security: .tls)
    let session = try session(trusting: origin)
    let tasks = (0..<20).map { number in
      session.request(origin.baseURL + "/get", parameters: ["n": number]).validate().serializingString()
    }
    for task in tasks { #expect(await task.result.success?.isEmpty == false) }
    #expect(origin.requests.count == 20)
  }

  @Test(arguments: [false, true])
  func pinning(succeeds: Bool) async throws {
    let origin = try Origin.start(security: .tls)
    let other = try Origin.start(security: .tls)
    let pinned = try certificate((succeeds ? origin : other).certificateChain)
    let session = try session(
      trusting: origin,
      serverTrustManager: ServerTrustManager(evaluators: [
        "localhost": PinnedCertificatesTrustEvaluator(
          certificates: [pinned], acceptSelfSignedCertificates: true, performDefaultValidation: false,
          validateHost: true)
      ]))
    let response = await session.request(origin.baseURL + "/get").serializingData().response
    if succeeds {
      #expect(response.error == nil)
    } else {
      #expect(response.error?.isServerTrustEvaluationError == true)
      #expect(origin.requests.isEmpty, "Nothing may be sent to a server that is not trusted.")
    }
  }

  @Test(arguments: [false, true])
  func keyPinning(succeeds: Bool) async throws {
    let origin = try Origin.start(security: .tls)
    let other = try Origin.start(security: .tls)
    let pinned = try certificate((succeeds ? origin : other).certificateChain)
    let key = try #require(SecCertificateCopyKey(pinned))
    let session = try session(
      trusting: origin,
      serverTrustManager: ServerTrustManager(evaluators: [
        "localhost": PublicKeysTrustEvaluator(
          keys: [key], performDefaultValidation: false, validateHost: false)
      ]))
    let response = await session.request(origin.baseURL + "/get").serializingData().response
    #expect((response.error == nil) == succeeds)
    #expect(origin.requests.isEmpty == !succeeds)
  }

  @Test func aHostWithoutAnEvaluatorIsRefused() async throws {
    let origin = try Origin.start(security: .tls)
    let session = try session(
      trusting: origin,
      serverTrustManager: ServerTrustManager(evaluators: ["elsewhere.test": DisabledTrustEvaluator()]))
    let response = await session.request(origin.baseURL + "/get").serializingData().response
    guard case .serverTrustEvaluationFailed(reason: .noRequiredEvaluator(let host)) = response.error else {
      Issue.record("\(response)")
      return
    }
    #expect(host == "localhost")
    #expect(origin.requests.isEmpty)
  }

  @Test func anUnknownAuthorityIsRefusedUnlessTheEvaluatorIsDisabled() async throws {
    let origin = try Origin.start(security: .tls)
    let strict = Session(configuration: .ephemeral)
    let refused = await strict.request(origin.baseURL + "/get").serializingData().response
    #expect((refused.error?.underlyingError as? URLError)?.code == .serverCertificateHasUnknownRoot)
    let lenient = Session(
      configuration: .ephemeral,
      serverTrustManager: ServerTrustManager(evaluators: ["localhost": DisabledTrustEvaluator()]))
    let accepted = await lenient.request(origin.baseURL + "/get").serializingData().response
    #expect(accepted.error == nil)
  }
}
