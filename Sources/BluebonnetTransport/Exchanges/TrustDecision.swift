import BluebonnetTLS

/// The answer to a server's certificate chain.
package enum TrustDecision: Sendable {
  /// Go by the context's own verification.
  case performDefault
  case accept
  case reject

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
