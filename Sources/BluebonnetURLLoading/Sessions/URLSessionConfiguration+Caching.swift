import BluebonnetFoundation

extension URLSessionConfiguration {
  /// Whether one request under way answers all that ask the same; false by default. An addition of this package.
  ///
  /// Where it is true, a GET that the cache has no answer to, and that is equal in address and fields to one that is under way, waits
  /// for that one and is served what it has brought: also where nothing says how long it is fresh, but not where the
  /// response must not be stored, says `no-cache` or `must-revalidate`, or is too large for the cache. Then, and when the first one
  /// fails, is suspended or is sent elsewhere, those that waited ask for themselves. Without a `urlCache` it has no effect.
  public var collapsesRequests: Bool {
    get { state.withLock { $0.collapsesRequests } }
    set { state.withLock { $0.collapsesRequests = newValue } }
  }
}
