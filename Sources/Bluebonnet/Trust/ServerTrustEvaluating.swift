// SPDX-License-Identifier: MIT
import BluebonnetURLLoading

/// Decides about a server's identity.
///
/// Evaluations of different connections run side by side, each on a queue, thus a thread, of its own, never on the event
/// loop. What one takes counts against the request's time-out.
public protocol ServerTrustEvaluating: Sendable {
  /// Returns if the certificates of `trust` are good for `host`, and throws why not otherwise.
  func evaluate(_ trust: SecTrust, forHost host: String) throws
}

extension [any ServerTrustEvaluating] {
  /// Asks every evaluator, in order, until one throws.
  public func evaluate(_ trust: SecTrust, forHost host: String) throws {
    for evaluator in self {
      try evaluator.evaluate(trust, forHost: host)
    }
  }
}
