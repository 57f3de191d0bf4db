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
  /// The members' ways to their queues, one for all members with the same queue, which hear of each event one after the other. The
  /// queues are asked for once: a getter is the caller's code, and a queue keeps the order only if it stays.
  private let outboxes: [Outbox]

  private typealias Outbox = EventOutbox<any EventMonitor>

  convenience init(queue: DispatchQueue = .main, monitors: [any EventMonitor]) {
    var outboxes: [Outbox] = []
    for monitor in monitors { outboxes.append(Self.outbox(to: monitor.queue, among: outboxes)) }
    self.init(queue: queue, monitors: monitors, outboxes: outboxes)
  }

  private init(queue: DispatchQueue, monitors: [any EventMonitor], outboxes: [Outbox]) {
    self.queue = queue
    self.monitors = monitors
    self.outboxes = outboxes
    onlyNotifies = monitors.allSatisfy { $0 is AlamofireNotifications }
  }

  private static func outbox(to queue: DispatchQueue, among known: [Outbox]) -> Outbox {
    known.first { $0.queue.isSame(as: queue) } ?? Outbox(queue: queue)
  }

  /// A monitor with one more member, behind the others.
  ///
  /// - Parameter own: The member's queue.
  func appending(_ monitor: any EventMonitor, on own: DispatchQueue) -> CompositeEventMonitor {
    CompositeEventMonitor(
      queue: queue, monitors: monitors + [monitor],
      outboxes: outboxes + [Self.outbox(to: own, among: outboxes)])
  }

  func tell(_ event: @escaping @Sendable (any EventMonitor) -> Void) {
    for (monitor, outbox) in zip(monitors, outboxes) { outbox.put(event, for: monitor) }
  }
}
