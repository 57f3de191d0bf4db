// SPDX-License-Identifier: MIT

/// Jobs on their way into the loop, and what its driver is doing meanwhile: the loop's thread, or in its place a thread that
/// waits for something (`EventLoop.drive`).
///
/// The rule that keeps jobs from being forgotten: after letting go of the loop a thread looks in here, and the
/// loop's thread never sleeps past a job. So a thread that has put a job in and then fails to take the loop may
/// leave: the holder's look comes after.
struct Mailbox {
  /// The work. A closure put into an array by itself would be wrapped once more, in an allocation.
  struct Job: Sendable {
    let run: @Sendable () -> Void
  }

  private(set) var jobs: [Job] = []
  /// The loop's thread sleeps in the kernel, or is about to, and will not look in here by itself.
  private(set) var isParked = false
  /// The loop's thread was told to look, and will do so before it sleeps again.
  private(set) var isSignalled = false
  /// The loop's thread was told to end.
  private(set) var isStopping = false
  /// There is no loop thread any more: jobs run on the threads that bring them.
  private(set) var isStopped = false
  /// A loop without a thread or a driver: as if it were asleep until it has one.
  private(set) var isDriverless = false

  /// The next step of the loop's thread.
  enum Rest: Equatable {
    /// Sleep until the poller or a wake-up says otherwise.
    case sleep
    /// Ask the poller without sleeping and go on.
    case goOn
    case end
  }

  /// Whether only the caller may look after the jobs that are in here.
  var needsAttention: Bool {
    !jobs.isEmpty && isParked && !isSignalled
  }

  mutating func push(_ job: @escaping @Sendable () -> Void) {
    jobs.append(Job(run: job))
  }

  /// Asks for the loop thread's attention. True if that takes a wake-up; so at most once per park.
  mutating func signal() -> Bool {
    guard !isStopped, !isDriverless, !isSignalled else { return false }
    isSignalled = true
    return isParked
  }

  /// A thread drives the loop from here on.
  mutating func driverArrives() {
    isDriverless = false
    unpark()
  }

  /// The driver has what it came for, or has not arrived yet. It will not come for the jobs.
  mutating func driverLeaves() {
    isDriverless = true
    isParked = true
    isSignalled = false
  }

  /// The loop's thread has nothing to do.
  mutating func park() -> Rest {
    if isStopping { return .end }
    guard jobs.isEmpty, !isSignalled else { return .goOn }
    isParked = true
    return .sleep
  }

  /// The loop's thread is awake and will come for the jobs.
  mutating func unpark() {
    isParked = false
    isSignalled = false
  }

  /// Asks the loop's thread to end. True if that takes a wake-up.
  mutating func requestStop() -> Bool {
    isStopping = true
    return signal()
  }

  /// The loop's thread is gone: as if it were asleep for ever.
  mutating func stop() {
    isStopping = true
    isStopped = true
    isParked = true
    isSignalled = false
  }

  mutating func takeAll() -> [Job] {
    var taken: [Job] = []
    swap(&taken, &jobs)
    return taken
  }

  /// Takes all, and leaves the memory of those that were taken before for those that come.
  ///
  /// - Parameter batch: Empty.
  mutating func takeAll(into batch: inout [Job]) {
    swap(&batch, &jobs)
  }

  mutating func take(atMost limit: Int) -> [Job] {
    guard jobs.count > limit else { return takeAll() }
    let taken = Array(jobs.prefix(limit))
    jobs.removeFirst(limit)
    return taken
  }
}
