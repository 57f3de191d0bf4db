// SPDX-License-Identifier: MIT

/// The answer to a server's certificate chain.
package enum TrustDecision: Sendable {
  /// Go by the context's own verification.
  case performDefault
  case accept
  case reject
}
