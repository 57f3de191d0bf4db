// SPDX-License-Identifier: MIT
import BluebonnetLibc
import Synchronization

/// Sockets, timers and jobs, one at a time.
///
/// The loop is a mutex: its holder is *in loop context*. The loop's own thread holds it while it works and lets
/// go of it only to sleep. Any other thread may take the sleeping loop and do its job right where it is, which saves
/// waking the loop's thread: a request is sent from the thread that makes it.
///
/// `@unchecked Sendable`: `mailbox` and `thread` are guarded by `mailboxMutex`, the other variables by `ownership`, and
/// `kernel` is read under either and written under both.
package final class EventLoop: @unchecked Sendable {
  /// The process's loop. Starts on first use and never stops.
  package static let shared = EventLoop(name: "bluebonnet")

  let ownership = AdaptiveMutex()
  /// The thread that holds `ownership`. Each thread compares it with itself only, so relaxed order is enough.
  let holder = Atomic<UInt>(0)

  let mailboxMutex = AdaptiveMutex()
  // Exclusivity goes unchecked at run time, a tenth of a small request: only the holder of the loop gets
  // here, and members changed in place are values that call no other code.
  @exclusivity(unchecked) var mailbox = Mailbox()
  /// Copies of the mailbox's state for a look without its mutex; always confirmed where it matters.
  let parkedHint = Atomic<Bool>(false)
  let jobsHint = Atomic<Int>(0)

  /// The state of the loop's holder.
  struct HeldState: ~Copyable {
    var timers = TimerHeap<TimerAction>()
    var parkDeadline = ParkDeadline()
    var registrations = RegistrationTable()
    var receiveBuffer = ReceiveBuffer()
    var turnTime: MonotonicTime?
    /// Room for events, from one drive to the next.
    var spareBatch: EventBatch?
  }

  @exclusivity(unchecked) var held = HeldState()

  /// Nil once the loop has stopped.
  // Exclusivity goes unchecked at run time: it is written under both locks, never by a reader.
  @exclusivity(unchecked) var kernel: Kernel?
  /// Why there is no `kernel`, if it could not be had.
  let startFailure: SystemError?
  var thread: SystemThread?

  #if DEBUG
    /// Since when a step of a task runs on the loop; 0 if none does, or if it has been told of.
    let stepStart = Atomic<UInt64>(0)
    /// The monotonic clock's reading for the loop, in nanoseconds; 0 for the clock's own.
    let stoppedClock = Atomic<UInt64>(0)
    /// The lead of the wall clock, in seconds since 1970, over the monotonic one; the bits of a `Double`.
    let wallClockLead = Atomic<UInt64>(0)
  #endif

  /// The seat of the drivers of a loop without a thread; nil of a loop that has one.
  let seat: DriverSeat?

  /// Makes a loop with a thread of that name, or without one: then it runs while a thread waits for an event
  /// on it (`Awaited`).
  ///
  /// Without descriptors or threads left in the system the loop still runs jobs, on the threads that bring them, but takes no
  /// registrations.
  package init(name: String, hasThread: Bool = true) {
    do throws(SystemError) {
      kernel = try Kernel()
      startFailure = nil
      seat = hasThread ? nil : DriverSeat()
    } catch {
      kernel = nil
      startFailure = error
      seat = nil
      mailbox.stop()
      parkedHint.store(true, ordering: .relaxed)
      return
    }
    if hasThread { start(name: name) } else { withMailbox { $0.driverLeaves() } }
  }

  /// Whether the calling thread is in loop context.
  package var isHeld: Bool {
    holder.load(ordering: .relaxed) == SystemThread.current
  }
}

// Tasks that run on the loop must not keep it. Debug builds say so on standard error when one does: afterwards, or when
// another thread wants the loop meanwhile, for a task that waits there for the network waits for ever.
extension EventLoop {
  /// The time that one step of a task may take before it is reported, in nanoseconds.
  static var stepLimit: UInt64 { 2_000_000_000 }

  /// Runs a step of a task in loop context.
  package func runStep(_ step: () -> Void) {
    #if DEBUG
      stepStart.store(MonotonicTime.now().nanoseconds, ordering: .relaxed)
      defer {
        let start = stepStart.exchange(0, ordering: .relaxed)
        if start > 0 { tell(ofStepSince: start, "kept") }
      }
    #endif
    step()
  }

  /// Another thread brings a job for the holder of the loop.
  @inline(__always)
  func lookForBlockingStep() {
    #if DEBUG
      let start = stepStart.load(ordering: .relaxed)
      guard start > 0, MonotonicTime.now().nanoseconds &- start > Self.stepLimit,
        stepStart.compareExchange(expected: start, desired: 0, ordering: .relaxed).exchanged
      else { return }
      tell(ofStepSince: start, "has kept")
    #endif
  }

  #if DEBUG
    private func tell(ofStepSince start: UInt64, _ verb: String) {
      let duration = MonotonicTime.now().nanoseconds &- start
      guard duration > Self.stepLimit else { return }
      let line =
        "bluebonnet: a task on EventLoop.taskExecutor \(verb) its event loop from everything else for \(duration / 1_000_000) ms\n"
      _ = Array(line.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
  #endif
}
