// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// Trusts a server that all of its evaluators trust.
public final class CompositeTrustEvaluator: ServerTrustEvaluating {
  private let evaluators: [any ServerTrustEvaluating]

  /// Makes an evaluator that trusts a server only if all of these do.
  ///
  /// - Parameter evaluators: Asked in order, until one throws.
  public init(evaluators: [any ServerTrustEvaluating]) {
    self.evaluators = evaluators
  }

  /// Asks every evaluator, in order, until one throws.
  public func evaluate(_ trust: SecTrust, forHost host: String) throws {
    try evaluators.evaluate(trust, forHost: host)
  }
}

extension ServerTrustEvaluating where Self == CompositeTrustEvaluator {
  /// Trusts a server that all of these trust.
  public static func composite(evaluators: [any ServerTrustEvaluating]) -> CompositeTrustEvaluator {
    CompositeTrustEvaluator(evaluators: evaluators)
  }
}
