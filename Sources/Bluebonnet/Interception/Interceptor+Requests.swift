// SPDX-License-Identifier: MIT
extension Request {
  /// Adds an interceptor behind those the request has.
  ///
  /// - Parameter interceptor: Adapts and decides about retries.
  /// - Returns: The request.
  @discardableResult
  public func interceptor(_ interceptor: any RequestInterceptor) -> Self {
    intercept(adapter: interceptor, retrier: interceptor)
  }

  /// Adds an adapter behind those the request has.
  ///
  /// - Parameter adapter: Changes each attempt's `URLRequest`.
  /// - Returns: The request.
  @discardableResult
  public func adapt(using adapter: any RequestAdapter) -> Self {
    intercept(adapter: adapter, retrier: nil)
  }

  /// Adds a retrier behind those the request has.
  ///
  /// - Parameter retrier: Decides about retries.
  /// - Returns: The request.
  @discardableResult
  public func retry(using retrier: any RequestRetrier) -> Self {
    intercept(adapter: nil, retrier: retrier)
  }

  private func intercept(adapter: (any RequestAdapter)?, retrier: (any RequestRetrier)?) -> Self {
    protected.withLock { state in
      let existing = state.rareState?.interceptor
      let known = existing as? Interceptor
      // A subclass may do more than its parts, so only a plain row is taken apart.
      let isPlain = known.map { type(of: $0) == Interceptor.self } ?? false
      let adapters: [any RequestAdapter] = isPlain ? known?.adapters ?? [] : existing.map { [$0] } ?? []
      let retriers: [any RequestRetrier] = isPlain ? known?.retriers ?? [] : existing.map { [$0] } ?? []
      state.set(
        Interceptor(
          adapters: adapters + (adapter.map { [$0] } ?? []),
          retriers: retriers + (retrier.map { [$0] } ?? [])))
    }
    return self
  }
}
