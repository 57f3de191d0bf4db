import BluebonnetSemantics

/// Requests under way that others wait for because they ask the same (RFC 9111 §4, collapsed requests).
///
/// A value: event in, action out.
///
///     join, the first ─▶ leads ──────────────────┐
///     join, the others ─▶ wait                   ▼
///                          └──────────────── landed: what it has brought may be used
///
struct Flights<Waiter> {
  /// What makes requests the same: address and all fields.
  struct Name: Hashable {
    let key: StoredResponse.Key
    let fields: HeaderFields
  }

  private struct Flight {
    let start: Double
    var waiters: [Waiter] = []
  }

  private var flights: [Name: Flight] = [:]

  /// How many wait.
  var waiterCount: Int { flights.values.reduce(0) { $0 + $1.waiters.count } }

  /// Somebody is about to ask the server.
  ///
  /// - Parameter mayLead: Whether others may wait for it.
  /// - Returns: Whether it is to wait; else it goes, as the one that leads if it may.
  mutating func join(_ name: Name, _ waiter: Waiter, mayLead: Bool, now: Double) -> Bool {
    if flights[name] != nil {
      flights[name]?.waiters.append(waiter)
      return true
    }
    if mayLead { flights[name] = Flight(start: now) }
    return false
  }

  /// The one that led has come to its end, or there is nothing to wait for any more.
  ///
  /// - Returns: Who has waited, and since when what has come in is what they asked for.
  mutating func land(_ name: Name) -> (waiters: [Waiter], start: Double) {
    guard let flight = flights.removeValue(forKey: name) else { return ([], 0) }
    return (flight.waiters, flight.start)
  }
}
