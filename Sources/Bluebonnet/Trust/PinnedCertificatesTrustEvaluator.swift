// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// Trusts a server that presents one of the pinned certificates.
public final class PinnedCertificatesTrustEvaluator: ServerTrustEvaluating {
  private let certificates: [SecCertificate]
  private let acceptSelfSignedCertificates: Bool
  private let performDefaultValidation: Bool
  private let validateHost: Bool

  /// An evaluator that pins these certificates, by default those of the main bundle.
  ///
  /// - Parameters:
  ///   - certificates: The pinned certificates. Without any, every server is refused.
  ///   - acceptSelfSignedCertificates: Whether the pinned certificates are anchors of trust themselves.
  ///   - performDefaultValidation: Whether the chain is checked as well.
  ///   - validateHost: Whether the host name is checked as well.
  public init(
    certificates: [SecCertificate] = Bundle.certificatesOfProgram, acceptSelfSignedCertificates: Bool = false,
    performDefaultValidation: Bool = true, validateHost: Bool = true
  ) {
    self.certificates = certificates
    self.acceptSelfSignedCertificates = acceptSelfSignedCertificates
    self.performDefaultValidation = performDefaultValidation
    self.validateHost = validateHost
  }

  /// Checks the chain and the host name if that is wanted, and that a pinned certificate is in the chain.
  public func evaluate(_ trust: SecTrust, forHost host: String) throws {
    guard !certificates.isEmpty else {
      throw AFError.serverTrustEvaluationFailed(reason: .noCertificatesFound)
    }
    if acceptSelfSignedCertificates {
      try trust.af.setAnchorCertificates(certificates)
    }
    try trust.af.performValidations(ofChain: performDefaultValidation, ofHost: validateHost, forHost: host)

    let served = Set(trust.af.certificateData)
    guard certificates.af.data.contains(where: served.contains) else {
      throw AFError.serverTrustEvaluationFailed(
        reason: .certificatePinningFailed(
          host: host, trust: trust, pinnedCertificates: certificates,
          serverCertificates: trust.af.certificates))
    }
  }
}

extension ServerTrustEvaluating where Self == PinnedCertificatesTrustEvaluator {
  /// Pins the certificates of the main bundle.
  public static var pinnedCertificates: PinnedCertificatesTrustEvaluator {
    PinnedCertificatesTrustEvaluator()
  }

  /// Trusts a server only if one of these certificates is in its chain; see the initializer for the parameters.
  public static func pinnedCertificates(
    certificates: [SecCertificate] = Bundle.certificatesOfProgram, acceptSelfSignedCertificates: Bool = false,
    performDefaultValidation: Bool = true, validateHost: Bool = true
  ) -> PinnedCertificatesTrustEvaluator {
    PinnedCertificatesTrustEvaluator(
      certificates: certificates, acceptSelfSignedCertificates: acceptSelfSignedCertificates,
      performDefaultValidation: performDefaultValidation, validateHost: validateHost)
  }
}
