// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetLocks

/// The known challenges of servers, of one load or several that follow one another, so that they need not ask
/// again, and the numbers of uses of their nonces. See ``RawRequestOptions/authenticationCache``. An addition of this package.
public final class SharedAuthenticationCache: Sendable {
  private let state = Locked(AuthenticationCache())

  /// Makes one that knows nothing.
  public init() {}

  func withCache<Result, Failure: Error>(
    _ body: (inout AuthenticationCache) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var cache = state.withLock { cache in
      let taken = cache
      cache = AuthenticationCache()
      return taken
    }
    // One load at a time has it.
    defer { state.withLock { $0 = cache } }
    return try body(&cache)
  }
}
