// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks

/// The streams that are the body of a request, or were. Each can be that once, and does not tell by itself: its class may be the
/// caller's, and it may have been opened, and read from, before it became a body.
struct StreamClaims: Sendable {
  // Unchecked: the reference is compared, and nothing is asked of the stream.
  private struct Claim: @unchecked Sendable {
    weak var stream: InputStream?
  }

  private static let shared = Locked(StreamClaims())

  private var claims: [ObjectIdentifier: Claim] = [:]
  /// Those of streams that are gone are removed when there are so many.
  private var limit = 64

  /// - Returns: false if the stream has been a body before.
  static func take(_ stream: InputStream) -> Bool {
    // They go when the lock is free: what happens then may be the caller's code.
    var alive: [InputStream] = []
    return shared.withLock { $0.take(stream, alive: &alive) }
  }

  private mutating func take(_ stream: InputStream, alive: inout [InputStream]) -> Bool {
    let name = ObjectIdentifier(stream)
    if claims[name]?.stream === stream { return false }
    if claims.count >= limit {
      alive = claims.values.compactMap(\.stream)
      claims = claims.filter { $0.value.stream != nil }
      limit = max(64, 2 * claims.count)
    }
    claims[name] = Claim(stream: stream)
    return true
  }
}
