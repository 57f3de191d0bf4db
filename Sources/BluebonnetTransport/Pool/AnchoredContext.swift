// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetTLS

/// The TLS context of one configuration: made at its first use, and again once the files of its anchors have changed.
///
/// A failure is not kept: a file that is missing now may be there for the next connection.
struct AnchoredContext {
  private var known: (context: TLSContext, lookedAt: MonotonicTime)?

  init() {}

  /// The one at hand, as current as it may be.
  var current: TLSContext? { known?.context }

  /// - Parameters:
  ///   - configuration: Always the same.
  ///   - now: The time.
  ///   - interval: How long the files are taken to be as they were, in nanoseconds.
  mutating func context(
    for configuration: TLSClientConfiguration, at now: MonotonicTime, interval: UInt64
  ) throws(TLSError) -> TLSContext {
    if let known {
      if now.nanoseconds &- known.lookedAt.nanoseconds < interval { return known.context }
      if known.context.hasCurrentAnchors {
        self.known = (known.context, now)
        return known.context
      }
    }
    let made = try TLSContext(client: configuration)
    known = (made, now)
    return made
  }
}
