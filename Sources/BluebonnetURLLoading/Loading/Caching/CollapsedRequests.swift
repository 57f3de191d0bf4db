// SPDX-License-Identifier: MIT
import BluebonnetCache
import BluebonnetSemantics

/// Requests under way that others wait for because they ask the same (RFC 9111 §4, collapsed requests).
///
/// A value: event in, action out.
///
///     join, the first ─▶ leads ──────────────────┐
///     join, the others ─▶ wait                   ▼
///                          └──────────────── landed: what it has brought may be used
///
struct CollapsedRequests<Waiter> {
  /// The properties in which such requests are equal: address and all fields.
  struct Name: Hashable {
    let key: StoredResponse.Key
    let fields: HeaderFields
  }

  private struct Flight {
    let start: Double
    var waiters: [Waiter] = []
  }

  private var collapsed: [Name: Flight] = [:]

  /// The number of waiters.
  var waiterCount: Int { collapsed.values.reduce(0) { $0 + $1.waiters.count } }

  /// A request is about to be sent to the server.
  ///
  /// - Parameter mayLead: Whether others may wait for it.
  /// - Returns: Whether it is to wait; else it goes, as the one that leads if it may.
  mutating func join(_ name: Name, _ waiter: Waiter, mayLead: Bool, now: Double) -> Bool {
    if collapsed[name] != nil {
      collapsed[name]?.waiters.append(waiter)
      return true
    }
    if mayLead { collapsed[name] = Flight(start: now) }
    return false
  }

  /// The one that led has come to its end, or there is nothing to wait for any more.
  ///
  /// - Returns: The waiters, and the time from which on a stored response is an answer to them.
  mutating func complete(_ name: Name) -> (waiters: [Waiter], start: Double) {
    guard let flight = collapsed.removeValue(forKey: name) else { return ([], 0) }
    return (flight.waiters, flight.start)
  }
}

/// A load that waits for another one that asks the same.
protocol CollapsedWaiter: AnyObject {
  /// The other one has come to its end.
  ///
  /// - Parameter waitedSince: When it asked the server, in seconds since 1970.
  func lookUpCacheAgain(waitedSince: Double)
}
