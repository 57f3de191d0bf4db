// SPDX-License-Identifier: MIT

// A loop without a thread of its own, driven by the threads that wait for events on it.
//
//     driverless ──a thread waits──▶ driven ──it has happened──▶ driverless
//
// Between two drives sockets and timers rest. Jobs are done by the threads that bring them, as on a loop that has stopped.
extension EventLoop {
  /// Whether the loop runs, on its own thread or on a driver's.
  package var isDriven: Bool { seat?.isOccupied ?? true }

  /// Whether it has a thread, so that timers fire until it is stopped.
  package var goesByItself: Bool { seat == nil && !withMailbox { $0.isStopped } }

  /// Whether timers fire at this moment: on its thread, or on a driver's.
  package var firesTimers: Bool { seat?.isOccupied ?? goesByItself }

  /// Runs the loop on the calling thread, the holder of the seat, until it is done or the loop is stopped.
  ///
  /// - Parameters:
  ///   - begin: Runs first, in loop context.
  ///   - isDone: Asked after each turn.
  /// - Returns: Whether there are jobs left that no other thread will look after: see `visit`.
  func drive(_ begin: () -> Void, until isDone: () -> Bool) -> Bool {
    ownership.lock()
    take()
    guard let poller = kernel?.poller.rawValue else {
      begin()
      return letGo()
    }
    var batch = held.spareBatch.take() ?? EventBatch(capacity: Self.eventsPerTurn)
    batch.clear()
    withMailbox { $0.driverArrives() }
    // Events since the last drive come before the time-outs that have passed since.
    if let earliest = held.timers.earliest, earliest <= now { batch.wait(on: poller, milliseconds: 0) }
    begin()
    var jobs: [Mailbox.Job] = []
    while true {
      takeTurn(batch, &jobs)
      if isDone() { break }
      guard sleep(&batch, on: poller) else {
        close()
        return false
      }
    }
    held.spareBatch = consume batch
    let isStopping = withMailbox { mailbox in
      mailbox.driverLeaves()
      return mailbox.isStopping
    }
    if isStopping { close() }
    return letGo()
  }

  /// Has the driver look around, unless it is this thread, which does.
  func wakeDriver() {
    guard seat != nil else { return }
    withMailbox { signal(&$0) }
  }
}
