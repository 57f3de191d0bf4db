// SPDX-License-Identifier: MIT
import BluebonnetTLS
import BluebonnetTransport

/// A client that looks neither at what it has sent nor at whom it talks to.
protocol IndifferentClient: ExchangeClient {}

extension IndifferentClient {
  func exchange(_ exchange: RequestDriver, didSendBody count: Int) {}

  func exchange(
    _ exchange: RequestDriver, evaluate trust: ServerTrust, by evaluator: AnyObject?,
    decision: @escaping @Sendable (TrustDecision) -> Void
  ) { decision(.accept) }
}
