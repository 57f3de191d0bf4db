// SPDX-License-Identifier: MIT
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct ProgressMeterTests {
  @Test func theObjectIsMadeLateAndKeptOverResets() {
    var meter = ProgressMeter()
    meter.update(completed: 3, total: 10)
    let progress = meter.progress()
    #expect(progress.completedUnitCount == 3)
    #expect(progress.totalUnitCount == 10)
    meter.reset()
    #expect(meter.progress() === progress)
    #expect(progress.completedUnitCount == 0)
    #expect(progress.totalUnitCount == 0)
    meter.update(completed: 4, total: 4)
    #expect(progress.fractionCompleted == 1)
  }

  @Test func anUnknownTotalIsNegative() {
    var meter = ProgressMeter()
    let progress = meter.progress()
    meter.update(completed: 7, total: -1)
    #expect(progress.isIndeterminate)
    #expect(progress.completedUnitCount == 7)
  }

  @Test func theLastHandlerSetIsTold() async {
    var meter = ProgressMeter()
    let queue = DispatchQueue(label: "test.progress")
    let told = Recorder<Int64>()
    _ = meter.setHandler({ _ in told.note(-1) }, gate: ProgressBarrier(queue: queue))
    _ = meter.setHandler({ told.note($0.completedUnitCount) }, gate: ProgressBarrier(queue: queue))
    meter.update(completed: 5, total: 10)
    await queue.drained()
    #expect(told.entries == [5])
  }
}

extension DispatchQueue {
  /// Returns when everything that was dispatched before has run.
  func drained() async {
    await withCheckedContinuation { continuation in
      async(flags: .barrier) { continuation.resume() }
    }
  }
}
