// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension Request {
  /// Shows each interim response (1xx, RFC 9110 §15.2) as it comes, such as 103 (Early Hints). A later handler replaces it. An
  /// addition of this package.
  ///
  /// - Parameters:
  ///   - queue:   Where `handler` is called; the main queue by default.
  ///   - handler: Called with each head; `receivedHead` has it as it came over the wire.
  /// - Returns: The request.
  @discardableResult
  public func onInterimResponse(
    on queue: DispatchQueue = .main, perform handler: @escaping @Sendable (HTTPURLResponse) -> Void
  ) -> Self {
    var hook: RequestMembers.Hooks.Hook<HTTPURLResponse>? = (queue, handler)
    protected.withLock { swap(&$0.ownRareState.hooks.interim, &hook) }
    return self
  }

  func didReceiveInterim(_ response: HTTPURLResponse) {
    guard let hook = protected.withLock({ $0.rareState?.hooks.interim }) else { return }
    hook.queue.async { hook.perform(response) }
  }

  /// The fields behind the body of the last attempt's response (RFC 9110 §6.5), in order of arrival; `nil` if there are none. They
  /// are there when the response handlers are called, are no part of the response's own fields, and nothing here acts on
  /// them. An addition of this package.
  public var responseTrailers: HTTPHeaders? {
    task?.trailers.map { trailers in
      HTTPHeaders(trailers.fields.map { HTTPHeader(name: $0.name, value: $0.value) })
    }
  }
}
