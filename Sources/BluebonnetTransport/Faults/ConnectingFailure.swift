// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetSemantics
import BluebonnetTLS

/// Why there is no connection for a request.
enum ConnectingFailure: Error {
  /// The next hop was not reached.
  case unconnected(ConnectError)
  /// The target's name leads nowhere, and it was to be looked up here and not by the proxy.
  case unresolvedTarget(LookupFailure)
  /// - Parameter phase: Nil for the one that was entered last.
  case failed(TransportError.Cause, during: LoadingPhase?)

  /// There was no descriptor to connect with.
  var descriptorShortage: ConnectError? {
    if case .unconnected(let error) = self, error.isDescriptorShortage { error } else { nil }
  }

  /// Whether it is the target's, although there is a proxy on the way.
  var isOfTarget: Bool {
    if case .unresolvedTarget = self { true } else { false }
  }

  var cause: TransportError.Cause {
    switch self {
    case .unconnected(.invalidTarget(let reason)): .invalidHost(reason)
    case .unconnected(.unresolved(let failure)), .unresolvedTarget(let failure): .unresolvedHost(failure)
    case .unconnected(.timedOut): .timedOut
    case .unconnected(.cancelled): .cancelled
    case .unconnected(let error): .unconnected(error)
    case .failed(let cause, _): cause
    }
  }

  /// The phase in which it failed; nil for the one that was entered last.
  var phase: LoadingPhase? {
    switch self {
    case .unconnected(.invalidTarget), .unconnected(.unresolved), .unresolvedTarget: .resolving
    case .unconnected(.timedOut(let phase)): phase
    case .unconnected: .connecting
    case .failed(_, let phase): phase
    }
  }
}

extension TrustDecision {
  /// Why the server is not let in; nil if it is.
  ///
  /// - Parameter failure: What the context's own verification has against it.
  func refusal(after failure: TrustFailure?) -> TransportError.Cause? {
    switch self {
    case .accept: nil
    case .reject: .untrusted(nil)
    case .performDefault: failure.map { .untrusted($0) }
    }
  }
}
