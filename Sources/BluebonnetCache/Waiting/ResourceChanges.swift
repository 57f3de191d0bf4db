// SPDX-License-Identifier: MIT
import BluebonnetEventLoop

/// The moments of resources' last changes (RFC 9111 §4.4), or removals by their owner, for as many as are worth remembering.
package struct ResourceChanges {
  /// This moment, in seconds of a clock that nobody sets: an order of events, and no date.
  package static var now: Double { Double(MonotonicTime.now().nanoseconds) / 1e9 }

  /// Loads last for seconds: a resource changed before so many others hardly has one under way.
  static let limit = 1024

  private var moments: [StoredResponse.Key: Double] = [:]
  /// Everything counts as changed then.
  private var floor = -Double.infinity

  mutating func note(_ key: StoredResponse.Key, at moment: Double) {
    if moments.count >= Self.limit {
      floor = moments.values.reduce(floor, max)
      moments = [:]
    }
    moments[key] = moment
  }

  /// - Parameter moment: When all was forgotten.
  mutating func noteAll(at moment: Double) { floor = max(floor, moment) }

  /// Whether it was changed at a moment or after it, or may have been.
  func hasChanged(_ key: StoredResponse.Key, since moment: Double) -> Bool {
    moment <= max(floor, moments[key] ?? floor)
  }
}
