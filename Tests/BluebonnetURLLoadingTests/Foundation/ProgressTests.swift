import BluebonnetURLLoading
import Testing

/// What the API needs of `Progress` and of notifications, whether they are Foundation's or our own.
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

  @Test func notificationsReachTheirObservers() async {
    let center = NotificationCenter()
    let name = Notification.Name("name")
    let value = await withCheckedContinuation { (continuation: CheckedContinuation<Int?, Never>) in
      let token = center.addObserver(forName: name, object: nil, queue: nil) {
        continuation.resume(returning: $0.userInfo?["key"] as? Int)
      }
      center.post(name: Notification.Name("other"), object: nil)
      center.post(name: name, object: nil, userInfo: ["key": 5])
      center.removeObserver(token)
      center.post(name: name, object: nil)
    }
    #expect(value == 5)
  }
}
