// SPDX-License-Identifier: MIT
import BluebonnetLibc
import Synchronization

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
