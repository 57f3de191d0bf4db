// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import Testing

/// What the API needs of `Progress`, whether they are Foundation's or our own.
@Suite struct ProgressTests {
  @Test func aProgressCounts() {
    let progress = Progress(totalUnitCount: 4)
    #expect(progress.fractionCompleted == 0 && !progress.isFinished)
    progress.completedUnitCount = 1
    #expect(progress.fractionCompleted == 0.25)
    progress.completedUnitCount = 4
    #expect(progress.fractionCompleted == 1 && progress.isFinished)
  }

  @Test func anUnknownTotalIsIndeterminate() {
    let progress = Progress(totalUnitCount: -1)
    #expect(progress.isIndeterminate && !progress.isFinished)
    progress.completedUnitCount = 7
    #expect(progress.fractionCompleted == 0)
  }

  @Test func aProgressCanBeCalledOff() {
    let progress = Progress(totalUnitCount: 1)
    progress.cancel()
    #expect(progress.isCancelled)
  }

  @Test(
    arguments: [
      (0, 0, 0, false, true), (0, 5, 1, true, false), (4, 5, 1.25, true, false), (4, 4, 1, true, false),
      (-1, 0, 0, false, true), (10, 0, 0, false, false),
    ] as [(Int64, Int64, Double, Bool, Bool)])
  func fractionsAreThoseOfFoundation(
    _ total: Int64, _ completed: Int64, _ fraction: Double, _ isFinished: Bool, _ isIndeterminate: Bool
  ) {
    let progress = Progress(totalUnitCount: total)
    progress.completedUnitCount = completed
    #expect(progress.fractionCompleted == fraction)
    #expect(progress.isFinished == isFinished)
    #expect(progress.isIndeterminate == isIndeterminate)
  }

  /// At once here, and on a queue of its own in Foundation.
  @Test func whoeverWantsToKnowHearsOfTheCancellation() async {
    let progress = Progress.discreteProgress(totalUnitCount: 3)
    #expect(!progress.isCancelled)
    await withCheckedContinuation { continuation in
      progress.cancellationHandler = { continuation.resume() }
      progress.cancel()
    }
    #expect(progress.isCancelled)
    progress.totalUnitCount = 7
    #expect(progress.totalUnitCount == 7)
  }
}
