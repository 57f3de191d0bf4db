import BluebonnetFoundation
import BluebonnetURLLoading

/// Knows which evaluator judges which host.
///
/// Hosts are looked up by their exact name. Subclass it and override ``serverTrustEvaluator(forHost:)`` for
/// wildcards or anything else.
// Checked by eye: both stored properties are immutable and Sendable; an open class cannot say so itself.
open class ServerTrustManager: @unchecked Sendable {
  /// Whether a host without an evaluator is refused.
  public let allHostsMustBeEvaluated: Bool
  /// The evaluator of each host.
  public let evaluators: [String: any ServerTrustEvaluating]

  /// A manager of these evaluators.
  public init(allHostsMustBeEvaluated: Bool = true, evaluators: [String: any ServerTrustEvaluating]) {
    self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
    self.evaluators = evaluators
  }

  /// The evaluator of a host; without one, `nil` or an error, as ``allHostsMustBeEvaluated`` says.
  open func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
    if let evaluator = evaluators[host] { return evaluator }
    if allHostsMustBeEvaluated {
      throw AFError.serverTrustEvaluationFailed(reason: .noRequiredEvaluator(host: host))
    }
    return nil
  }
}

/// Judges whether a server is who it says.
///
/// Evaluations of different connections run side by side, each on a thread of its own, never on the event loop. What one
/// takes counts against the request's time-out.
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
