import BluebonnetFoundation
import BluebonnetURLLoading

/// Asks whether a certificate was revoked.
///
/// This package cannot ask yet: there is neither an OCSP nor a CRL client in it. After the validations that it
/// was told to perform, the evaluator therefore refuses every server with `.trustEvaluationFailed`, around an
/// error of status `errSecIncompleteCertRevocationCheck`; it never lets a certificate pass unchecked.
public final class RevocationTrustEvaluator: ServerTrustEvaluating {
  /// Which ways of checking for revocation may be used. None of them works on Linux yet.
  public struct Options: OptionSet, Sendable {
    /// Certificate revocation lists (RFC 5280 §5).
    public static let crl = Options(rawValue: 1 << 1)
    /// No connection is made: only answers that are there already count.
    public static let networkAccessDisabled = Options(rawValue: 1 << 4)
    /// The Online Certificate Status Protocol (RFC 6960).
    public static let ocsp = Options(rawValue: 1 << 0)
    /// By a list first, if both are possible.
    public static let preferCRL = Options(rawValue: 1 << 2)
    /// A check that gets no answer counts as failed.
    public static let requirePositiveResponse = Options(rawValue: 1 << 3)
    /// Either of ``ocsp`` and ``crl``; the default.
    public static let any: Options = [.ocsp, .crl]

    /// The options as bits; those of `SecPolicyCreateRevocation`.
    public let rawValue: UInt

    /// Makes options of the bits that `SecPolicyCreateRevocation` takes.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }
  }

  private let performDefaultValidation: Bool
  private let validateHost: Bool
  private let options: Options

  /// An evaluator that asks in this way, after the validations that are wanted.
  public init(performDefaultValidation: Bool = true, validateHost: Bool = true, options: Options = .any) {
    self.performDefaultValidation = performDefaultValidation
    self.validateHost = validateHost
    self.options = options
  }

  /// Performs the validations that are wanted, and then asks, which cannot succeed yet.
  public func evaluate(_ trust: SecTrust, forHost host: String) throws {
    if performDefaultValidation {
      try trust.af.performDefaultValidation(forHost: host)
    }
    if validateHost {
      try trust.af.performValidation(forHost: host)
    }
    try trust.af.evaluate(afterApplying: SecPolicy.af.revocation(options: options))
  }
}

extension ServerTrustEvaluating where Self == RevocationTrustEvaluator {
  /// A ``RevocationTrustEvaluator`` with all defaults, which refuses every server on Linux for now.
  public static var revocationChecking: RevocationTrustEvaluator { RevocationTrustEvaluator() }

  /// Asks in this way, after the validations that are wanted.
  public static func revocationChecking(
    performDefaultValidation: Bool = true, validateHost: Bool = true,
    options: RevocationTrustEvaluator.Options = .any
  ) -> RevocationTrustEvaluator {
    RevocationTrustEvaluator(
      performDefaultValidation: performDefaultValidation, validateHost: validateHost, options: options)
  }
}
