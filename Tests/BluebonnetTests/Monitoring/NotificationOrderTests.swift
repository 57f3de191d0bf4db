// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// Notifications come in the order of what they tell, many times, the last ones beside threads that never rest.
@Suite(.serialized) struct NotificationOrderTests {
  enum Kind: CaseIterable {
    case data, pausedData, failure, cancellation
  }

  private static let runs = Repetitions.count
  private static let busyRuns = Repetitions.busyCount

  private static let names: [(name: Notification.Name, word: String)] = [
    (Request.didResumeNotification, "resume"), (Request.didSuspendNotification, "suspend"),
    (Request.didCancelNotification, "cancel"), (Request.didFinishNotification, "finish"),
    (Request.didResumeTaskNotification, "resume task"), (Request.didSuspendTaskNotification, "suspend task"),
    (Request.didCancelTaskNotification, "cancel task"),
    (Request.didCompleteTaskNotification, "complete task"),
  ]

  private static func order(of kind: Kind) -> [String] {
    switch kind {
    case .data, .failure: ["resume", "resume task", "complete task", "finish"]
    case .pausedData:
      [
        "resume", "resume task", "suspend", "suspend task", "resume", "resume task", "complete task",
        "finish",
      ]
    case .cancellation: ["resume", "resume task", "cancel", "cancel task", "complete task", "finish"]
    }
  }

  @Test(arguments: Kind.allCases, [false, true]) func inOrder(kind: Kind, onQueues: Bool) async throws {
    let origin = try Origin.start()
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbody"
    origin.script("/hangs", ScriptedReply([.bytes(Array(head.utf8)), .hang]))
    let session = Session(
      configuration: .ephemeral, rootQueue: onQueues ? DispatchQueue(label: "test.root") : nil,
      eventMonitors: [AlamofireNotifications()])
    let heard = Locked<[ObjectIdentifier: [String]]>([:])
    let observers = Self.names.map { name, word in
      NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
        guard let request = notification.request, request.delegate === session else { return }
        heard.withLock { $0[ObjectIdentifier(request), default: []].append(word) }
      }
    }
    defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
    var busy: BusyThreads?
    for run in 0..<Self.runs {
      if run == Self.runs - Self.busyRuns { busy = BusyThreads(2) }
      let request = await perform(kind, in: session, origin.baseURL)
      let order = Self.order(of: kind)
      await Eventually.expect("all is heard") {
        heard.withLock { $0[ObjectIdentifier(request)]?.count ?? 0 } >= order.count
      }
      #expect(heard.withLock { $0.removeValue(forKey: ObjectIdentifier(request)) } == order)
    }
    withExtendedLifetime(busy) {}
  }

  private func perform(_ kind: Kind, in session: Session, _ base: String) async -> Request {
    let path =
      switch kind {
      case .data, .pausedData: "/bytes/100"
      case .failure: "/status/404"
      case .cancellation: "/hangs"
      }
    let request = session.request(base + path).validate()
    let queue = DispatchQueue(label: "test.handler")
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      // While its task runs, and waits for the answer.
      request.onHTTPResponse(on: queue) { _, completion in
        switch kind {
        case .data, .failure: break
        case .pausedData: request.suspend().resume()
        case .cancellation: request.cancel()
        }
        completion(.allow)
      }
      request.response(queue: queue) { _ in continuation.resume() }
    }
    return request
  }
}
