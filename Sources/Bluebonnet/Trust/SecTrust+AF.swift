// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension SecTrust: AlamofireExtended {}

extension AlamofireExtension where ExtendedType == SecTrust {
  /// The certificates of the chain, the server's own first.
  public var certificates: [SecCertificate] { SecTrustCopyCertificateChain(type) ?? [] }

  /// The certificates of the chain in their DER encodings, the server's own first.
  public var certificateData: [Data] { certificates.af.data }

  /// The public keys of the chain's certificates, the server's own first.
  public var publicKeys: [SecKey] { certificates.af.publicKeys }

  /// Replaces the policies by one, and evaluates the trust. Blocks the calling thread.
  ///
  /// - Parameter policy: What the certificates are to be good for.
  /// - Throws: ``AFError/serverTrustEvaluationFailed(reason:)`` if they are not.
  public func evaluate(afterApplying policy: SecPolicy) throws {
    try apply(policy: policy).af.evaluate()
  }

  /// Evaluates the trust by the policies that are applied. Blocks the calling thread.
  ///
  /// - Throws: ``AFError/serverTrustEvaluationFailed(reason:)`` if the certificates are not trusted.
  public func evaluate() throws {
    var error: (any Error)?
    guard SecTrustEvaluateWithError(type, &error) else {
      throw AFError.serverTrustEvaluationFailed(reason: .trustEvaluationFailed(error: error))
    }
  }

  /// Replaces the policies by one; returns the same trust.
  public func apply(policy: SecPolicy) throws -> SecTrust {
    let status = SecTrustSetPolicies(type, policy)
    guard status.af.isSuccess else {
      throw AFError.serverTrustEvaluationFailed(
        reason: .policyApplicationFailed(trust: type, policy: policy, status: status))
    }
    return type
  }

  /// Trusts these certificates as anchors, and none but them.
  public func setAnchorCertificates(_ certificates: [SecCertificate]) throws {
    for status in [
      SecTrustSetAnchorCertificates(type, certificates), SecTrustSetAnchorCertificatesOnly(type, true),
    ] where !status.af.isSuccess {
      throw AFError.serverTrustEvaluationFailed(
        reason: .settingAnchorCertificatesFailed(status: status, certificates: certificates))
    }
  }

  /// Checks the chain, whatever the host name.
  public func performDefaultValidation(forHost host: String) throws {
    try evaluate(afterApplying: SecPolicy.af.default)
  }

  /// The checks that come before those of an evaluator itself, as far as they are wanted.
  func performValidations(ofChain checksChain: Bool, ofHost checksHost: Bool, forHost host: String) throws {
    if checksChain { try performDefaultValidation(forHost: host) }
    if checksHost { try performValidation(forHost: host) }
  }

  /// Checks the chain and the host name.
  public func performValidation(forHost host: String) throws {
    try evaluate(afterApplying: SecPolicy.af.hostname(host))
  }
}

extension SecPolicy: AlamofireExtended {}

extension AlamofireExtension where ExtendedType == SecPolicy {
  /// A policy for servers of any host name.
  public static var `default`: SecPolicy { SecPolicyCreateSSL(true, nil) }

  /// A policy for the server of this host.
  ///
  /// - Parameter hostname: A name or an address; compared as RFC 9525 has it.
  /// - Returns: The policy.
  public static func hostname(_ hostname: String) -> SecPolicy {
    SecPolicyCreateSSL(true, hostname)
  }

  /// A policy that asks whether certificates are revoked.
  ///
  /// - Throws: ``AFError/serverTrustEvaluationFailed(reason:)`` if there is none for these options.
  public static func revocation(options: RevocationTrustEvaluator.Options) throws -> SecPolicy {
    guard let policy = SecPolicyCreateRevocation(options.rawValue) else {
      throw AFError.serverTrustEvaluationFailed(reason: .revocationPolicyCreationFailed)
    }
    return policy
  }
}
