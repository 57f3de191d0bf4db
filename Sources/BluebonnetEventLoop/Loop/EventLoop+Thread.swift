// SPDX-License-Identifier: MIT
import Synchronization

extension EventLoop {
  /// Events taken per turn; more wait in the kernel for the next one.
  static let eventsPerTurn = 256

  func start(name: String) {
    do throws(SystemError) {
      // The thread keeps the loop alive until `stop`.
      let thread = try SystemThread.start(name: name) { self.run() }
      mailboxMutex.withLock { self.thread = thread }
    } catch {
      close()
    }
  }

  /// Ends the loop's thread and waits for it; it closes the loop's descriptors. Later jobs run on the threads that
  /// bring them; timers do not fire any more and nothing can be registered.
  package func stop() {
    guard let thread = requestStop() else { return closeIfDriverless() }
    // In loop context the thread would be waiting for its own caller.
    if isHeld { thread.detach() } else { thread.join() }
  }

  /// The same without waiting, for callers that must not.
  package func stopLater() {
    if let thread = requestStop() { thread.detach() } else { closeIfDriverless() }
  }

  /// Its driver closes it in the end.
  private func closeIfDriverless() {
    guard withMailbox({ $0.isDriverless && !$0.isStopped }) else { return }
    close()
  }

  private func requestStop() -> SystemThread? {
    withMailbox { mailbox in
      if mailbox.requestStop() { writeWakeUp() }
      return self.thread.take()
    }
  }

  /// The thread's life. The batch of events is a local variable, so that no other thread can touch it.
  private func run() {
    var batch = EventBatch(capacity: Self.eventsPerTurn)
    var jobs: [Mailbox.Job] = []
    ownership.lock()
    take()
    guard let poller = kernel?.poller.rawValue else { return }
    while true {
      takeTurn(batch, &jobs)
      guard sleep(&batch, on: poller) else { break }
    }
    close()
  }

  /// Does the work of events, timers and jobs.
  ///
  /// - Parameter jobs: Empty; lent for the sake of its memory.
  func takeTurn(_ batch: borrowing EventBatch, _ jobs: inout [Mailbox.Job]) {
    dispatch(batch)
    fireTimers()
    // A job that the hint does not show yet is found before the driver sleeps.
    guard jobsHint.load(ordering: .relaxed) != 0 else { return }
    withMailbox { $0.takeAll(into: &jobs) }
    for job in jobs { job.run() }
    // The memory of a crowd is not kept.
    jobs.removeAll(keepingCapacity: jobs.count <= Self.jobsPerVisit)
  }

  /// Lets go of the loop until there is something to do, and takes it again.
  ///
  /// - Returns: false if the loop is to end; then it is not held any more.
  func sleep(_ batch: inout EventBatch, on poller: Int32) -> Bool {
    let milliseconds = planSleep()
    holder.store(0, ordering: .relaxed)
    ownership.unlock()

    // From here on other threads may take the loop. One that brings an earlier timer signals the mailbox.
    let rest = withMailbox { $0.park() }
    if rest == .end { return false }
    batch.wait(on: poller, milliseconds: rest == .sleep ? milliseconds : 0)
    withMailbox { $0.unpark() }
    ownership.lock()
    take()
    return true
  }

  private func dispatch(_ batch: borrowing EventBatch) {
    for index in 0..<batch.count {
      let (registration, readiness) = batch.event(at: index)
      // Stale if an earlier handler of this batch, or a visitor of the sleeping loop, has closed the descriptor.
      held.registrations.handler(of: registration)?.ready(readiness)
    }
  }

  func fireTimers() {
    guard let earliest = held.timers.earliest else { return }
    let moment = now
    guard earliest <= moment else { return }
    // Timers that the actions schedule wait for the next turn.
    var budget = held.timers.count
    while budget > 0, let action = held.timers.popDue(at: moment) {
      action.run()
      budget -= 1
    }
  }

  private func planSleep() -> Int32 {
    if held.timers.earliest == nil && held.parkDeadline.deadline == .distantFuture { return -1 }
    // The turn may have taken a while.
    let moment = instant
    held.parkDeadline.update(earliest: held.timers.earliest, now: moment)
    #if DEBUG
      // Only `advance` makes a timer due.
      if stopped != nil, held.parkDeadline.deadline > moment { return -1 }
    #endif
    return held.parkDeadline.milliseconds(from: moment)
  }

  /// Closes the descriptors and does the jobs left in the mailbox.
  func close() {
    withLoop {
      withMailbox { mailbox in
        mailbox.stop()
        kernel = nil
      }
    }
  }
}
