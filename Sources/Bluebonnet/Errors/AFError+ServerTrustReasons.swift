import BluebonnetFoundation
import BluebonnetURLLoading

extension AFError {
  /// Why a server was not trusted.
  public enum ServerTrustFailureReason: Sendable {
    /// What an evaluation came to.
    public struct Output: Sendable {
      /// The host that was evaluated.
      public let host: String
      /// The trust that was evaluated.
      public let trust: SecTrust
      /// The status of the evaluation itself.
      public let status: OSStatus
      /// What the evaluation found.
      public let result: SecTrustResultType

      init(_ host: String, _ trust: SecTrust, _ status: OSStatus, _ result: SecTrustResultType) {
        self.host = host
        self.trust = trust
        self.status = status
        self.result = result
      }
    }

    /// No evaluator is registered for the host, and the manager requires one.
    case noRequiredEvaluator(host: String)
    /// There are no certificates to pin.
    case noCertificatesFound
    /// There are no public keys to pin.
    case noPublicKeysFound
    /// The trust refused a policy.
    case policyApplicationFailed(trust: SecTrust, policy: SecPolicy, status: OSStatus)
    /// The trust refused its anchors.
    case settingAnchorCertificatesFailed(status: OSStatus, certificates: [SecCertificate])
    /// No policy could be made for checking revocation.
    case revocationPolicyCreationFailed
    /// The evaluation failed, with the reason, if there is one.
    case trustEvaluationFailed(error: (any Error)?)
    /// The default evaluation failed.
    case defaultEvaluationFailed(output: Output)
    /// The certificates are not for this host.
    case hostValidationFailed(output: Output)
    /// The revocation check failed.
    case revocationCheckFailed(output: Output, options: RevocationTrustEvaluator.Options)
    /// None of the server's certificates is pinned.
    case certificatePinningFailed(
      host: String, trust: SecTrust, pinnedCertificates: [SecCertificate],
      serverCertificates: [SecCertificate])
    /// None of the server's public keys is pinned.
    case publicKeyPinningFailed(
      host: String, trust: SecTrust, pinnedKeys: [SecKey], serverKeys: [SecKey])
    /// An evaluator of the user's own threw.
    case customEvaluationFailed(error: any Error)
  }
}
