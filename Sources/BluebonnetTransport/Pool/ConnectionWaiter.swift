// SPDX-License-Identifier: MIT
import BluebonnetEventLoop

/// A request that waits for a connection, and is told once there is one, always while the loop is held.
protocol ConnectionWaiter: AnyObject {
  /// Since when it has waited.
  var waitingSince: MonotonicTime { get }
  /// The order among waiters for the same: the higher first; nil for a request that is over.
  var urgency: Float? { get }
  /// It is to connect, in a place that is kept for it.
  func connect()
  /// This one serves it.
  func connected(_ connection: Connection)
}

/// Names one that waits, as the object that it is.
struct WaiterReference: Hashable {
  let waiter: any ConnectionWaiter

  init(_ waiter: any ConnectionWaiter) {
    self.waiter = waiter
  }

  func isMoreUrgent(than other: WaiterReference) -> Bool {
    guard let own = waiter.urgency, let others = other.waiter.urgency else { return false }
    return own > others
  }

  static func == (left: WaiterReference, right: WaiterReference) -> Bool { left.waiter === right.waiter }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(waiter)) }
}
