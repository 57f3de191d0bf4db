// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTLS
import BluebonnetTestNetwork
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// A pin is not met by a certificate that was merely sent along: everybody's is public.
@Suite struct SentAlongTests {
  /// Whose certificate or key is pinned.
  enum Pinned: CaseIterable, Sendable {
    case leaf, intermediate, root
  }

  /// What is pinned, and how.
  enum Way: CaseIterable, Sendable {
    case certificate, anchoredCertificate, key
  }

  /// What the attacker sends behind his own certificate.
  enum Appendix: CaseIterable, Sendable {
    /// The pinned certificate.
    case pinned
    /// The victim's whole chain.
    case all
    /// The victim's whole chain, from its root down.
    case reversed
    /// The same twice, with his own again between them.
    case doubled
  }

  private let root: CertificateAuthority
  private let middle: CertificateAuthority
  private let victim: TLSIdentity

  init() throws {
    root = try CertificateAuthority(commonName: "Victim's Root")
    middle = try root.issueAuthority()
    victim = try middle.issue(names: [.dns("localhost")])
  }

  private func certificate(_ pinned: Pinned) -> Certificate {
    switch pinned {
    case .leaf: victim.certificate
    case .intermediate: middle.certificate
    case .root: root.certificate
    }
  }

  private func evaluator(_ pinned: Pinned, _ way: Way) throws -> any ServerTrustEvaluating {
    let pin = SecCertificate(certificate(pinned))
    switch way {
    case .certificate, .anchoredCertificate:
      return PinnedCertificatesTrustEvaluator(
        certificates: [pin], acceptSelfSignedCertificates: way == .anchoredCertificate,
        performDefaultValidation: false, validateHost: false)
    case .key:
      return PublicKeysTrustEvaluator(
        keys: [try #require(pin.af.publicKey)], performDefaultValidation: false, validateHost: false)
    }
  }

  /// The attackers: one who signs himself, one with an authority of his own in the victim's name, and one whose own
  /// certificate is good.
  private func attackers() throws -> [TLSIdentity] {
    let counterfeit = try CertificateAuthority(commonName: "Bluebonnet Test Intermediate")
    let own = try middle.issue(commonName: "attacker", names: [.dns("attacker.test")])
    return [
      try CertificateAuthority.selfSigned(commonName: "localhost", names: [.dns("localhost")]),
      try counterfeit.issue(names: [.dns("localhost")]),
      try CertificateAuthority(identity: own).issue(names: [.dns("localhost")]),
    ]
  }

  private func appended(_ appendix: Appendix, _ pinned: Pinned, to own: Certificate) -> [Certificate] {
    let all = [victim.certificate, middle.certificate, root.certificate]
    return switch appendix {
    case .pinned: [own, certificate(pinned)]
    case .all: [own] + all
    case .reversed: [own] + all.reversed()
    case .doubled: [own] + all + [own] + all
    }
  }

  @Test(arguments: Pinned.allCases, Way.allCases) func meetsNoPin(pinned: Pinned, way: Way) throws {
    let evaluator = try evaluator(pinned, way)
    for (number, attacker) in try attackers().enumerated() {
      for appendix in Appendix.allCases {
        for anchors in [[], [root.certificate]] {
          let trust = SecTrust(
            try ServerTrust(
              host: "localhost", chain: appended(appendix, pinned, to: attacker.certificate),
              anchors: .certificates(anchors)))
          #expect(throws: AFError.self, "attacker \(number), \(appendix)") {
            try evaluator.evaluate(trust, forHost: "localhost")
          }
        }
      }
    }
  }

  @Test(arguments: Pinned.allCases, Way.allCases) func theVictimHimselfMeetsIt(pinned: Pinned, way: Way)
    throws
  {
    let evaluator = try evaluator(pinned, way)
    for order in [
      victim.chain + [root.certificate], victim.chain.prefix(1) + [root.certificate, middle.certificate],
    ] {
      let trust = SecTrust(
        try ServerTrust(host: "localhost", chain: Array(order), anchors: .certificates([])))
      try evaluator.evaluate(trust, forHost: "localhost")
    }
    // The root need not be sent where the system, or the session, knows it.
    let trust = SecTrust(
      try ServerTrust(
        host: "elsewhere.test", chain: victim.chain, anchors: .certificates([root.certificate])))
    try evaluator.evaluate(trust, forHost: "localhost")
  }

  @Test(arguments: Pinned.allCases, Way.allCases)
  func andNothingIsSentToWhomeverTries(pinned: Pinned, way: Way) async throws {
    for attacker in try attackers() {
      let chain = appended(.all, pinned, to: attacker.certificate)
      let origin = try Origin.start(
        security: .identity(
          OriginIdentity(
            certificateChain: chain.map(\.pem).joined(), privateKey: attacker.privateKey.pem)))
      let session = Session(
        configuration: .patient,
        serverTrustManager: ServerTrustManager(evaluators: ["localhost": try evaluator(pinned, way)]))
      let response = await session.request(origin.baseURL + "/get").serializingData().response
      #expect(response.error?.isServerTrustEvaluationError == true)
      #expect(origin.requests.isEmpty)
    }
  }
}
