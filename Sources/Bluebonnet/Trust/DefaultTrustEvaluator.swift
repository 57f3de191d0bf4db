// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// Trusts what the system trusts, like a session without any evaluator.
public final class DefaultTrustEvaluator: ServerTrustEvaluating {
  private let validateHost: Bool

  /// An evaluator that checks the chain, and the host name as well unless told otherwise.
  public init(validateHost: Bool = true) {
    self.validateHost = validateHost
  }

  /// Checks the chain and, if wanted, the host name.
  public func evaluate(_ trust: SecTrust, forHost host: String) throws {
    if validateHost {
      try trust.af.performValidation(forHost: host)
    }
    try trust.af.performDefaultValidation(forHost: host)
  }
}

extension ServerTrustEvaluating where Self == DefaultTrustEvaluator {
  /// Checks the chain up to the session's anchors, and the host name.
  public static var `default`: DefaultTrustEvaluator { DefaultTrustEvaluator() }

  /// Trusts what the system trusts, whatever the host name if that is wanted.
  public static func `default`(validateHost: Bool = true) -> DefaultTrustEvaluator {
    DefaultTrustEvaluator(validateHost: validateHost)
  }
}
