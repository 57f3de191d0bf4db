// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// The earlier name of ``DisabledTrustEvaluator``.
@available(*, deprecated, renamed: "DisabledTrustEvaluator")
public typealias DisabledEvaluator = DisabledTrustEvaluator

/// Trusts every server. A connection made with it is open to an attacker in between; it is for experiments only.
public final class DisabledTrustEvaluator: ServerTrustEvaluating {
  /// Makes an evaluator that trusts every server; never use it in production.
  public init() {}

  /// Never throws, whatever the certificates are.
  public func evaluate(_ trust: SecTrust, forHost host: String) throws {}
}
