// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension AFError {
  /// Why a server's certificates were refused.
  public enum ServerTrustFailureReason: Sendable {
    /// The result of a trust evaluation, and its subject.
    public struct Output: Sendable {
      /// The host that was asked for, in canonical form.
      public let host: String
      /// The certificates that the server sent, with the policies applied.
      public let trust: SecTrust
      /// `errSecSuccess` if the certificates are trusted, else the code of the reason.
      public let status: OSStatus
      /// The evaluation's result.
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
    /// Certificates were to be pinned, and none was given.
    case noCertificatesFound
    /// There are no public keys to pin.
    case noPublicKeysFound
    /// `SecTrustSetPolicies` failed, with its status.
    case policyApplicationFailed(trust: SecTrust, policy: SecPolicy, status: OSStatus)
    /// `SecTrustSetAnchorCertificates` failed, with its status.
    case settingAnchorCertificatesFailed(status: OSStatus, certificates: [SecCertificate])
    /// No policy could be made for checking revocation.
    case revocationPolicyCreationFailed
    /// The evaluation failed, with the reason, if there is one.
    case trustEvaluationFailed(error: (any Error)?)
    /// The chain leads to no trusted authority, or is not valid now.
    case defaultEvaluationFailed(output: Output)
    /// The certificates are not for this host.
    case hostValidationFailed(output: Output)
    /// It could not be made sure that the certificate is not revoked.
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
