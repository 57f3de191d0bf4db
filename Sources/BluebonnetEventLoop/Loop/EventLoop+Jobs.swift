// SPDX-License-Identifier: MIT
import Synchronization

extension EventLoop {
  /// The number of other threads' jobs that a thread does before it leaves the rest to the loop's thread.
  static let jobsPerVisit = 64

  /// Runs `job` in loop context: at once if this thread is there already or the loop is asleep and can be taken;
  /// otherwise the current holder runs it soon. Jobs of one thread run in the order in which it brings them.
  ///
  /// The holder of another loop had better use `enqueue`: the job, and others that wait here, would keep that loop busy.
  package func execute(_ job: @escaping @Sendable () -> Void) {
    if isHeld {
      job()
    } else if parkedHint.load(ordering: .relaxed), ownership.tryLock() {
      take()
      // Earlier jobs go first; a thread always sees its own.
      if jobsHint.load(ordering: .relaxed) == 0 { job() } else { push(job) }
      if letGo() { visit() }
    } else if push(job) {
      visit()
    }
  }

  /// Runs `job` in loop context, after the caller has returned, in order. On a loop without a thread or a driver, it waits
  /// for the next driver, or the next job.
  package func enqueue(_ job: @escaping @Sendable () -> Void) {
    lookForBlockingStep()
    let isStopped = withMailbox { mailbox in
      mailbox.push(job)
      // A holder looks into the mailbox when it is done; any other thread has to signal it.
      if !isHeld { signal(&mailbox) }
      return mailbox.isStopped
    }
    if isStopped && !isHeld { visit() }
  }

  /// As `enqueue`, for a job that must not wait for a driver of the loop: without one this thread does it.
  package func enqueueForAnybody(_ job: @escaping @Sendable () -> Void) {
    enqueue(job)
    if !isHeld, withMailbox({ $0.isDriverless }) { visit() }
  }

  /// Waits for the loop and runs `body` in loop context on this thread. For rare things that need an answer: the
  /// holder is not hurried, and jobs that wait in the mailbox are overtaken.
  package func withLoop<R: ~Copyable, Failure: Error>(_ body: () throws(Failure) -> R) throws(Failure) -> R {
    if isHeld { return try body() }
    ownership.lock()
    take()
    defer { if letGo() { visit() } }
    return try body()
  }

  /// Puts the job into the mailbox. True if only the caller will look after it.
  @discardableResult
  private func push(_ job: @escaping @Sendable () -> Void) -> Bool {
    lookForBlockingStep()
    return withMailbox { mailbox in
      mailbox.push(job)
      return mailbox.needsAttention
    }
  }

  /// Does the jobs in the mailbox while the loop's thread sleeps, unless another thread holds the loop: it
  /// will look there when done.
  func visit() {
    // See `letGo`: also for a job that `enqueue` has brought.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    var budget = Self.jobsPerVisit
    // Without a driver a task that only yields would keep this thread for ever.
    var refills = Self.jobsPerVisit
    while ownership.tryLock() {
      take()
      let jobs = withMailbox { $0.take(atMost: budget) }
      for job in jobs { job.run() }
      budget -= jobs.count
      guard letGo() else { return }
      if budget <= 0 {
        let isAlone = withMailbox { mailbox in
          signal(&mailbox)
          return mailbox.isStopped || (mailbox.isDriverless && refills > 0)
        }
        if !isAlone { return }
        refills -= 1
        budget = Self.jobsPerVisit
      }
    }
  }

  /// Begins a stay in loop context, right after `ownership` was locked.
  func take() {
    holder.store(SystemThread.current, ordering: .relaxed)
    held.turnTime = nil
  }

  /// Ends a stay of a thread that is not the loop's. True if there are jobs that no other thread will look after.
  func letGo() -> Bool {
    let isShortened = held.parkDeadline.shorten(to: held.timers.earliest)
    holder.store(0, ordering: .relaxed)
    ownership.unlock()
    // A thread that brings a job first counts it and then tries the loop; here the loop is let go of first and then the count
    // is read. With a fence between both on either side, at least one of the two sees the other: no job is forgotten.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if !isShortened, jobsHint.load(ordering: .relaxed) == 0 { return false }
    return withMailbox { mailbox in
      if isShortened { signal(&mailbox) }
      return mailbox.needsAttention
    }
  }

  /// Makes the loop's thread look into the mailbox and at the timers. The descriptor is written under the mutex,
  /// under which it is closed, too.
  func signal(_ mailbox: inout Mailbox) {
    if mailbox.signal() { writeWakeUp() }
  }

  func writeWakeUp() {
    if let descriptor = kernel?.wakeUp.rawValue { Syscall.signal(eventDescriptor: descriptor) }
  }

  @inline(__always)
  func withMailbox<R>(_ body: (inout Mailbox) -> R) -> R {
    mailboxMutex.withLock {
      let result = body(&mailbox)
      parkedHint.store(mailbox.isParked && !mailbox.isSignalled, ordering: .relaxed)
      jobsHint.store(mailbox.jobs.count, ordering: .relaxed)
      return result
    }
  }
}
