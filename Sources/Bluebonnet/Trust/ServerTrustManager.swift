// SPDX-License-Identifier: MIT

/// Knows which evaluator is responsible for which host.
///
/// Hosts are looked up by their exact name, in whichever spelling: letters of either case, percent-encoding, an
/// international name or its `xn--` form, a dot at the end, IPv4 addresses such as `127.1`. Where several keys spell one
/// host, all of their evaluators have to accept it. Keys that can be no host's, such as a URL or one with a port, make
/// every look-up fail rather than leave a host without its evaluator; in a subclass, every look-up that finds none.
///
/// A key `*.example.org` stands for every host with exactly one label more, such as `www.example.org`, that has no key of
/// its own; not for `example.org`, and not for `a.b.example.org`. So certificates have it (RFC 9525 §6.3); the API that is
/// matched knows exact names only.
///
/// Subclass it and override ``serverTrustEvaluator(forHost:)`` for anything else.
// Checked by eye: both stored properties are immutable and Sendable; an open class cannot say so itself.
open class ServerTrustManager: @unchecked Sendable {
  /// Whether a host without an evaluator is refused.
  public let allHostsMustBeEvaluated: Bool
  /// The evaluator of each host, under the keys that the caller chose.
  public let evaluators: [String: any ServerTrustEvaluating]
  private let hosts: HostEvaluators

  /// Makes a manager for one session.
  ///
  /// - Parameters:
  ///   - allHostsMustBeEvaluated: Whether a host without an evaluator is refused; true by default.
  ///   - evaluators: The evaluator of each host, by the host's name or address.
  public init(allHostsMustBeEvaluated: Bool = true, evaluators: [String: any ServerTrustEvaluating]) {
    self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
    self.evaluators = evaluators
    hosts = HostEvaluators(evaluators)
  }

  /// The evaluator of a host; without one, `nil` or an error, as ``allHostsMustBeEvaluated`` says.
  ///
  /// - Parameter host: Sessions pass it in its canonical form: lower case, percent-decoded, `xn--` labels, no dot at the
  ///   end, an address without brackets. Compare with that form when you override this.
  /// - Returns: An evaluator, made of several if keys of ``evaluators`` spell the same host.
  open func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
    let evaluator = hosts.evaluator(of: host)
    // A subclass may have a use of its own for keys that are no hosts, but no host goes without an evaluator for that.
    if evaluator == nil || type(of: self) == ServerTrustManager.self { try hosts.check() }
    if let evaluator { return evaluator }
    if allHostsMustBeEvaluated {
      throw AFError.serverTrustEvaluationFailed(reason: .noRequiredEvaluator(host: host))
    }
    return nil
  }
}
