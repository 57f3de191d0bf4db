// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// Passes every event on to several monitors, each on its own queue.
public final class CompositeEventMonitor: EventMonitor {
  /// The members choose their queues; this one is only there because every monitor has one.
  public let queue: DispatchQueue
  /// The members, in the order in which they are told.
  public let monitors: [any EventMonitor]
  /// True when no member can do anything but post notifications.
  let onlyNotifies: Bool
  /// The members' queues, asked for once: a getter is the caller's code, and a queue keeps the order only if it stays.
  private let queues: [DispatchQueue]

  convenience init(queue: DispatchQueue = .main, monitors: [any EventMonitor]) {
    self.init(queue: queue, monitors: monitors, queues: monitors.map(\.queue))
  }

  private init(queue: DispatchQueue, monitors: [any EventMonitor], queues: [DispatchQueue]) {
    self.queue = queue
    self.monitors = monitors
    self.queues = queues
    onlyNotifies = monitors.allSatisfy { $0 is AlamofireNotifications }
  }

  /// A monitor with one more member, behind the others.
  ///
  /// - Parameter own: The member's queue.
  func appending(_ monitor: any EventMonitor, on own: DispatchQueue) -> CompositeEventMonitor {
    CompositeEventMonitor(queue: queue, monitors: monitors + [monitor], queues: queues + [own])
  }

  func tell(_ event: @escaping @Sendable (any EventMonitor) -> Void) {
    for (monitor, queue) in zip(monitors, queues) {
      queue.async { event(monitor) }
    }
  }
}
