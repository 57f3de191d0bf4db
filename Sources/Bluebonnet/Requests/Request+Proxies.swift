// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension Request {
  /// Shows each answer of a proxy that is asked for a tunnel (CONNECT, RFC 9110 §9.3.6) as it comes, refusals included. There is
  /// none where a connection is used again. A later handler replaces it. An addition of this package.
  ///
  /// - Parameters:
  ///   - queue:   Where `handler` is called; the main queue by default.
  ///   - handler: Called with each head, under the request's URL; `receivedHead` has it as it came over the wire.
  /// - Returns: The request.
  @discardableResult
  public func onProxyResponse(
    on queue: DispatchQueue = .main, perform handler: @escaping @Sendable (HTTPURLResponse) -> Void
  ) -> Self {
    var hook: RequestMembers.Hooks.Hook<HTTPURLResponse>? = (queue, handler)
    protected.withLock { swap(&$0.ownRareState.hooks.proxy, &hook) }
    return self
  }

  func didReceiveFromProxy(_ response: HTTPURLResponse) {
    guard let hook = protected.withLock({ $0.rareState?.hooks.proxy }) else { return }
    hook.queue.async { hook.perform(response) }
  }
}
