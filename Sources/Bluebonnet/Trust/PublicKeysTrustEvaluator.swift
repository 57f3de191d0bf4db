// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// Trusts a server that presents a certificate with one of the pinned public keys.
///
/// A key outlives its certificates, so that a renewed certificate does not lock its server out.
public final class PublicKeysTrustEvaluator: ServerTrustEvaluating {
  private let keys: [SecKey]
  private let performDefaultValidation: Bool
  private let validateHost: Bool

  /// An evaluator that pins these keys, by default those of the main bundle's certificates.
  public init(
    keys: [SecKey] = Bundle.certificatesOfProgram.af.publicKeys, performDefaultValidation: Bool = true,
    validateHost: Bool = true
  ) {
    self.keys = keys
    self.performDefaultValidation = performDefaultValidation
    self.validateHost = validateHost
  }

  /// Checks the chain and the host name if that is wanted, and that a pinned key is in the chain.
  public func evaluate(_ trust: SecTrust, forHost host: String) throws {
    guard !keys.isEmpty else {
      throw AFError.serverTrustEvaluationFailed(reason: .noPublicKeysFound)
    }
    try trust.af.performValidations(ofChain: performDefaultValidation, ofHost: validateHost, forHost: host)

    let served = trust.af.publicKeys
    guard served.contains(where: Set(keys).contains) else {
      throw AFError.serverTrustEvaluationFailed(
        reason: .publicKeyPinningFailed(host: host, trust: trust, pinnedKeys: keys, serverKeys: served))
    }
  }
}

extension ServerTrustEvaluating where Self == PublicKeysTrustEvaluator {
  /// Pins the public keys of the main bundle's certificates.
  public static var publicKeys: PublicKeysTrustEvaluator { PublicKeysTrustEvaluator() }

  /// Trusts a server only if a certificate of its chain has one of these keys; see the initializer for the parameters.
  public static func publicKeys(
    keys: [SecKey] = Bundle.certificatesOfProgram.af.publicKeys, performDefaultValidation: Bool = true,
    validateHost: Bool = true
  ) -> PublicKeysTrustEvaluator {
    PublicKeysTrustEvaluator(
      keys: keys, performDefaultValidation: performDefaultValidation, validateHost: validateHost)
  }
}
