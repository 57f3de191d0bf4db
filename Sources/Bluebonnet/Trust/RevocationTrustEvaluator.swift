// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// Asks whether the certificates of a server's chain were revoked: its own, and those of the authorities below the anchor.
///
/// Sources at hand come first, unless ``Options/preferCRL`` says otherwise: the server's stapled OCSP response, then revocation
/// lists of the session's
/// anchors and files. Then OCSP responders are asked over HTTP (RFC 6960), then lists are fetched from distribution points (RFC
/// 5280 §5). The first answer that says good or revoked counts for its certificate. Fetched answers are kept in memory for as
/// long as they say that they hold, for all sessions of the process.
///
/// - Important: Without ``Options/requirePositiveResponse`` a check that gets no answer passes, and an attacker in control of the
///   network can see to it that there is none: such a check notices revocation, but stops no attacker. Certificates that
///   promise a stapled response (must-staple, RFC 7633) are protected in any case, once the last response has run out that said
///   good, in some days: a server that has none is refused, by this evaluator and by every other one that checks the host.
///
/// Fetching takes five seconds at most, for all certificates together. See <doc:Revocation>.
public final class RevocationTrustEvaluator: ServerTrustEvaluating {
  /// The permitted ways of checking for revocation.
  public struct Options: OptionSet, Sendable {
    /// Certificate revocation lists (RFC 5280 §5).
    public static let crl = Options(rawValue: kSecRevocationCRLMethod)
    /// No connection is made: only answers that are there already count.
    public static let networkAccessDisabled = Options(rawValue: kSecRevocationNetworkAccessDisabled)
    /// The Online Certificate Status Protocol (RFC 6960), stapled responses included.
    public static let ocsp = Options(rawValue: kSecRevocationOCSPMethod)
    /// Lists first, if both are possible: fetched ones, too, go before what the server has stapled. A promised response has to be
    /// there all the same.
    public static let preferCRL = Options(rawValue: kSecRevocationPreferCRL)
    /// A check that gets no answer counts as failed. Every certificate below the anchor needs one.
    public static let requirePositiveResponse = Options(rawValue: kSecRevocationRequirePositiveResponse)
    /// Either of ``ocsp`` and ``crl``; the default.
    public static let any = Options(rawValue: kSecRevocationUseAnyAvailableMethod)

    /// The options as bits; those of `SecPolicyCreateRevocation`.
    public let rawValue: UInt

    /// Makes options of the bits that `SecPolicyCreateRevocation` takes. Without ``ocsp`` and ``crl`` there is no way to ask:
    /// such an evaluator refuses every server with `.revocationPolicyCreationFailed`.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }
  }

  private let performDefaultValidation: Bool
  private let validateHost: Bool
  private let options: Options

  /// An evaluator that asks in this way, after the validations that are wanted.
  ///
  /// - Parameters:
  ///   - performDefaultValidation: Whether the chain is checked by itself first. It has to hold in any case: a chain that does not
  ///     lead to an anchor is not asked about.
  ///   - validateHost: Whether the host name is checked.
  ///   - options: Which ways are used.
  public init(performDefaultValidation: Bool = true, validateHost: Bool = true, options: Options = .any) {
    self.performDefaultValidation = performDefaultValidation
    self.validateHost = validateHost
    self.options = options
  }

  /// Performs the validations that are wanted, and then asks. Blocks the calling thread.
  ///
  /// - Throws: ``AFError/serverTrustEvaluationFailed(reason:)`` around a `SecTrustError` with the status
  ///   `errSecCertificateRevoked` or, where no answer could be had that was needed, `errSecIncompleteCertRevocationCheck`.
  public func evaluate(_ trust: SecTrust, forHost host: String) throws {
    try trust.af.performValidations(ofChain: performDefaultValidation, ofHost: validateHost, forHost: host)
    try trust.af.evaluate(afterApplying: SecPolicy.af.revocation(options: options))
  }
}

extension ServerTrustEvaluating where Self == RevocationTrustEvaluator {
  /// A ``RevocationTrustEvaluator`` with all defaults.
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
