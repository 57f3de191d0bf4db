// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTLS
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// A server that presents what an authority in memory made, and clients that trust that authority.
private struct Scene {
  let authority: CertificateAuthority
  let identity: TLSIdentity

  init(validity: Validity = .days(1)) throws {
    authority = try CertificateAuthority()
    identity = try authority.issue(names: [.dns("good.example")], validity: validity)
  }

  /// A new trust each time, because evaluators change its rules.
  func trust(anchored: Bool = true) throws -> SecTrust {
    SecTrust(
      try ServerTrust(
        host: "good.example", chain: identity.chain,
        anchors: .certificates(anchored ? [authority.certificate] : [])))
  }

  var leaf: SecCertificate { SecCertificate(identity.chain[0]) }
  var root: SecCertificate { SecCertificate(authority.certificate) }
}

/// The name of the reason for which an evaluation refuses, or `nil` if it does not.
private func refusal(_ evaluation: () throws -> Void) -> String? {
  do {
    try evaluation()
    return nil
  } catch {
    guard case .serverTrustEvaluationFailed(let reason)? = error.asAFError else { return "\(error)" }
    return String("\(reason)".prefix { $0 != "(" })
  }
}

@Suite struct TrustEvaluatorTests {
  private let scene: Scene

  init() throws {
    scene = try Scene()
  }

  private func refusal(
    of evaluator: any ServerTrustEvaluating, host: String = "good.example", anchored: Bool = true
  ) -> String? {
    BluebonnetTests.refusal { try evaluator.evaluate(scene.trust(anchored: anchored), forHost: host) }
  }

  @Test func byDefault() {
    #expect(refusal(of: .default) == nil)
    #expect(refusal(of: .default, anchored: false) == "trustEvaluationFailed")
    #expect(refusal(of: .default, host: "bad.example") == "trustEvaluationFailed")
    #expect(refusal(of: .default(validateHost: false), host: "bad.example") == nil)
    #expect(refusal(of: .default(validateHost: false), anchored: false) == "trustEvaluationFailed")
  }

  @Test func theReasonIsTold() throws {
    let expired = try Scene(validity: .expired)
    let error = #expect(throws: AFError.self) {
      try DefaultTrustEvaluator().evaluate(expired.trust(), forHost: "good.example")
    }
    #expect((error?.underlyingError as? SecTrustError)?.status == errSecCertificateExpired)
    let wrong = #expect(throws: AFError.self) {
      try DefaultTrustEvaluator().evaluate(scene.trust(), forHost: "bad.example")
    }
    #expect((wrong?.underlyingError as? SecTrustError)?.status == errSecHostNameMismatch)
    #expect(
      wrong?.localizedDescription == """
        The server's certificates are not trusted: hostname mismatch: the certificate is for good.example, not for \
        bad.example.
        """)
  }

  @Test func pinnedCertificates() throws {
    #expect(refusal(of: .pinnedCertificates(certificates: [scene.leaf])) == nil)
    #expect(refusal(of: .pinnedCertificates(certificates: [scene.root])) == nil)
    #expect(refusal(of: .pinnedCertificates(certificates: [])) == "noCertificatesFound")
    let stranger = try Scene().leaf
    #expect(refusal(of: .pinnedCertificates(certificates: [stranger])) == "certificatePinningFailed")
    #expect(
      refusal(of: .pinnedCertificates(certificates: [scene.leaf]), host: "bad.example")
        == "trustEvaluationFailed")
    #expect(
      refusal(of: .pinnedCertificates(certificates: [scene.leaf], validateHost: false), host: "bad.example")
        == nil)
  }

  @Test func pinnedWithoutAnchors() {
    #expect(
      refusal(of: .pinnedCertificates(certificates: [scene.leaf]), anchored: false) == "trustEvaluationFailed"
    )
    #expect(
      refusal(
        of: .pinnedCertificates(certificates: [scene.leaf], acceptSelfSignedCertificates: true),
        anchored: false) == nil)
    #expect(
      refusal(
        of: .pinnedCertificates(
          certificates: [scene.leaf], performDefaultValidation: false, validateHost: false),
        host: "bad.example", anchored: false) == nil)
  }

  @Test func publicKeys() throws {
    let key = try #require(scene.leaf.af.publicKey)
    #expect(refusal(of: .publicKeys(keys: [key])) == nil)
    #expect(refusal(of: .publicKeys(keys: [])) == "noPublicKeysFound")
    let stranger = try #require(try Scene().leaf.af.publicKey)
    #expect(refusal(of: .publicKeys(keys: [stranger])) == "publicKeyPinningFailed")
    #expect(refusal(of: .publicKeys(keys: [stranger, key])) == nil)
    #expect(refusal(of: .publicKeys(keys: [key]), host: "bad.example") == "trustEvaluationFailed")
    #expect(refusal(of: .publicKeys(keys: [key]), anchored: false) == "trustEvaluationFailed")
  }

  @Test func compositesWantThemAll() {
    let pinned = PinnedCertificatesTrustEvaluator(certificates: [scene.leaf])
    #expect(refusal(of: .composite(evaluators: [DefaultTrustEvaluator(), pinned])) == nil)
    #expect(refusal(of: .composite(evaluators: [])) == nil)
    #expect(
      refusal(
        of: .composite(evaluators: [pinned, PublicKeysTrustEvaluator(keys: [])])) == "noPublicKeysFound")
  }

  @Test func disabledTrustsEverybody() {
    #expect(refusal(of: DisabledTrustEvaluator(), host: "bad.example", anchored: false) == nil)
  }

  @available(*, deprecated)
  @Test func disabledHasAnEarlierName() {
    let evaluator: DisabledTrustEvaluator = DisabledEvaluator()
    #expect(refusal(of: evaluator, host: "bad.example", anchored: false) == nil)
  }

  /// The certificate names nobody to ask.
  @Test func revocationNeedsAnAnswerWhereItIsWanted() throws {
    #expect(refusal(of: .revocationChecking) == nil)
    #expect(refusal(of: .revocationChecking, anchored: false) == "trustEvaluationFailed")
    #expect(refusal(of: .revocationChecking, host: "bad.example") == "trustEvaluationFailed")
    #expect(refusal(of: .revocationChecking(validateHost: false), host: "bad.example") == nil)
    #expect(
      refusal(of: .revocationChecking(performDefaultValidation: false, validateHost: false), anchored: false)
        == "trustEvaluationFailed")
    #expect(
      refusal(of: .revocationChecking(options: [.requirePositiveResponse]))
        == "revocationPolicyCreationFailed")
    let error = #expect(throws: AFError.self) {
      try RevocationTrustEvaluator(options: [.any, .requirePositiveResponse])
        .evaluate(scene.trust(), forHost: "good.example")
    }
    #expect((error?.underlyingError as? SecTrustError)?.status == errSecIncompleteCertRevocationCheck)
  }

  @Test func trustParts() throws {
    let trust = try scene.trust()
    #expect(trust.af.certificates == [scene.leaf, scene.root])
    #expect(trust.af.certificateData == trust.af.certificates.af.data)
    #expect(trust.af.publicKeys.count == 2)
    #expect(
      trust.af.certificateData.compactMap { SecCertificateCreateWithData(nil, $0) } == trust.af.certificates)
    #expect(try trust.af.apply(policy: SecPolicy.af.default) === trust)
  }

  @Test(arguments: [
    (SecTrustResultType.proceed, true), (.unspecified, true), (.invalid, false), (.deny, false),
    (.recoverableTrustFailure, false), (.fatalTrustFailure, false), (.otherError, false),
  ])
  func results(_ result: SecTrustResultType, _ isSuccess: Bool) {
    #expect(result.af.isSuccess == isSuccess)
  }

  /// A program without certificates of its own pins nothing: every server is refused.
  @Test func thePinsOfTheProgram() {
    #expect(Bundle.main.af.certificates.isEmpty && Bundle.main.af.publicKeys.isEmpty)
    #expect(refusal(of: .pinnedCertificates) == "noCertificatesFound")
    #expect(refusal(of: .publicKeys) == "noPublicKeysFound")
  }

  @Test func thePinsOfABundle() throws {
    let scratch = try ScratchDirectory()
    let (leaf, root) = (scene.leaf, scene.root)
    try SecCertificateCopyData(leaf).write(to: scratch.url.appendingPathComponent("leaf.cer"))
    try SecCertificateCopyData(root).write(to: scratch.url.appendingPathComponent("root.DER"))
    _ = try scratch.file("broken.crt", "nothing")
    _ = try scratch.file("leaf.pem", "nothing")
    let bundle = try #require(Bundle(path: scratch.url.path))
    #expect(Set(bundle.af.certificates) == [leaf, root])
    #expect(Set(bundle.af.publicKeys) == Set([leaf, root].compactMap(\.af.publicKey)))
    #expect(refusal(of: .publicKeys(keys: bundle.af.publicKeys)) == nil)
    #expect(refusal(of: .pinnedCertificates(certificates: bundle.af.certificates)) == nil)
  }

  /// The older way, with an error of the caller's.
  @available(*, deprecated)
  @Test func validationWithAnErrorOfTheCallers() throws {
    struct Refusal: Error {
      let status: OSStatus
      let result: SecTrustResultType
    }
    func validate(_ host: String, anchored: Bool = true) throws {
      try scene.trust(anchored: anchored).af.validate(policy: SecPolicyCreateSSL(true, host)) {
        Refusal(status: $0, result: $1)
      }
    }
    try validate("good.example")
    let wrong = #expect(throws: Refusal.self) { try validate("bad.example") }
    #expect(wrong?.status == errSecHostNameMismatch && wrong?.result == .recoverableTrustFailure)
    #expect(throws: Refusal.self) { try validate("good.example", anchored: false) }
  }
}
