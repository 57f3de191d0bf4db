// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import Testing

/// What the API needs of notifications, whether they are Foundation's or our own.
@Suite struct NotificationTests {
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

  @Test func anObserverHearsOfItsObjectOnly() {
    let center = NotificationCenter()
    let name = Notification.Name("name")
    let (mine, others) = (NSObject(), NSObject())
    let seen = Locked<[String]>([])
    let tokens = [
      center.addObserver(forName: name, object: mine, queue: nil) { _ in seen.withLock { $0.append("mine") }
      },
      center.addObserver(forName: nil, object: mine, queue: nil) { _ in seen.withLock { $0.append("any") } },
      center.addObserver(forName: name, object: nil, queue: nil) { _ in seen.withLock { $0.append("all") } },
    ]
    center.post(name: name, object: mine)
    #expect(seen.withLock { Set($0) } == ["mine", "any", "all"])
    seen.withLock { $0 = [] }
    center.post(name: name, object: others)
    #expect(seen.withLock { $0 } == ["all"])
    for token in tokens { center.removeObserver(token) }
    center.post(Notification(name: name, object: mine))
    #expect(seen.withLock { $0 } == ["all"])
  }

  @Test func aQueueGetsTheNotification() {
    let center = NotificationCenter()
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let seen = Locked<[Int]>([])
    let token = center.addObserver(forName: Notification.Name("n"), object: nil, queue: queue) {
      notification in
      let number = notification.userInfo?["number"] as? Int
      seen.withLock { $0.append(number ?? -1) }
    }
    for number in 0..<10 {
      center.post(name: Notification.Name("n"), object: nil, userInfo: ["number": number])
    }
    queue.waitUntilAllOperationsAreFinished()
    #expect(seen.withLock { $0 } == Array(0..<10))
    center.removeObserver(token)
  }

  @Test func namesAreText() {
    #expect(Notification.Name("a") == Notification.Name(rawValue: "a"))
    #expect(Notification.Name("a") != Notification.Name("b"))
    #expect(Set([Notification.Name("a"), Notification.Name("a")]).count == 1)
    let notification = Notification(name: Notification.Name("a"), object: 1, userInfo: ["k": "v"])
    #expect(notification.object as? Int == 1 && notification.userInfo?["k"] as? String == "v")
    #expect(notification.description.contains("a"))
  }
}
