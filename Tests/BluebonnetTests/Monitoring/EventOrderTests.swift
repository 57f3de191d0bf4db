// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct EventOrderTests {
  /// Notes the names of the events that a data request is promised.
  private final class Noting: EventMonitor {
    let queue = DispatchQueue(label: "test.monitor")
    let events = Recorder<String>()

    func requestDidResume(_ request: Request) { events.note("requestDidResume") }
    func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest) {
      events.note("didCreateInitialURLRequest")
    }
    func request(_ request: Request, didAdaptInitialRequest initial: URLRequest, to adapted: URLRequest) {
      events.note("didAdaptInitialRequest")
    }
    func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) {
      events.note("didCreateURLRequest")
    }
    func request(_ request: Request, didCreateTask task: URLSessionTask) { events.note("didCreateTask") }
    func request(_ request: Request, didResumeTask task: URLSessionTask) { events.note("didResumeTask") }
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      events.note("didReceiveData")
    }
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) { events.note("didFinishCollecting") }
    func request(_ request: Request, didGatherMetrics metrics: URLSessionTaskMetrics) {
      events.note("didGatherMetrics")
    }
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) { events.note("didCompleteWithError") }
    func request(
      _ request: DataRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
      data: Data?, withResult result: Request.ValidationResult
    ) { events.note("didValidateRequest") }
    func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {
      events.note("didCompleteTask")
    }
    func requestDidFinish(_ request: Request) { events.note("requestDidFinish") }
    func requestDidCancel(_ request: Request) { events.note("requestDidCancel") }
    func request(_ request: Request, didCancelTask task: URLSessionTask) { events.note("didCancelTask") }
    func request<Value: Sendable>(
      _ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>
    ) { events.note("didParseResponse") }
  }

  private static let head = [
    "requestDidResume", "didCreateInitialURLRequest", "didCreateURLRequest", "didCreateTask",
    "didResumeTask",
  ]

  @Test(arguments: [false, true])
  func success(onQueues: Bool) async {
    let monitor = Noting()
    let scripted = ScriptedSession(onQueues: onQueues, eventMonitors: [monitor])
    _ = await scripted.session.request("http://host.test/").validate(statusCode: [200])
      .serializingData().response
    await monitor.queue.drained()
    #expect(
      monitor.events.entries == Self.head + [
        "didReceiveData", "didFinishCollecting", "didGatherMetrics", "didCompleteWithError",
        "didValidateRequest", "didCompleteTask", "requestDidFinish", "didParseResponse",
      ])
  }

  @Test(arguments: [false, true])
  func cancellation(onQueues: Bool) async {
    let monitor = Noting()
    let scripted = ScriptedSession(onQueues: onQueues, eventMonitors: [monitor]) { _, _ in .silence }
    let request = scripted.session.request("http://host.test/")
    let task = request.serializingData()
    await Eventually.expect("It runs.") { request.task?.state == .running }
    await scripted.session.rootQueue.drained()
    request.cancel()
    _ = await task.response
    await monitor.queue.drained()
    #expect(
      monitor.events.entries == Self.head + [
        "requestDidCancel", "didCancelTask", "didFinishCollecting", "didGatherMetrics",
        "didCompleteWithError", "didCompleteTask", "requestDidFinish", "didParseResponse",
      ])
  }

  @Test func aRequestsOwnMonitorHearsRequestEventsOnly() async {
    let monitor = Noting()
    let scripted = ScriptedSession()
    _ = await scripted.session.request("http://host.test/").eventMonitor(monitor).serializingData().response
    await monitor.queue.drained()
    #expect(
      monitor.events.entries == Self.head + [
        "didGatherMetrics", "didCompleteTask", "requestDidFinish", "didParseResponse",
      ])
  }

  /// Hears the beginning and the end of each request.
  private final class Numbered: EventMonitor {
    let (number, queue, events): (Int, DispatchQueue, Recorder<String>)

    init(_ number: Int, on queue: DispatchQueue, _ events: Recorder<String>) {
      (self.number, self.queue, self.events) = (number, queue, events)
    }

    func requestDidResume(_ request: Request) { events.note("\(number) resume") }
    func requestDidFinish(_ request: Request) { events.note("\(number) finish") }
  }

  /// Also where the events of several requests have to wait for the queue.
  @Test func monitorsOfOneQueueHearOfEachEventInTurn() async {
    let queue = DispatchQueue(label: "test.monitors")
    let events = Recorder<String>()
    let scripted = ScriptedSession(
      eventMonitors: [Numbered(1, on: queue, events), Numbered(2, on: queue, events)])
    for isWaiting in [true, false] {
      if isWaiting { queue.suspend() }
      for _ in 0..<3 {
        _ = await scripted.session.request("http://host.test/").eventMonitor(Numbered(3, on: queue, events))
          .serializingData().response
      }
      if isWaiting { queue.resume() }
    }
    await queue.drained()
    let once = ["1 resume", "2 resume", "3 resume", "1 finish", "2 finish", "3 finish"]
    #expect(events.entries == Array(repeating: once, count: 6).flatMap(\.self))
  }

  @Test func notificationsArePostedOnceSomebodyKnowsTheirName() async {
    let session = ScriptedSession(eventMonitors: [AlamofireNotifications()])
    let name = Request.didFinishNotification
    #expect(name.rawValue == "org.alamofire.notification.name.request.didFinish")
    let request = session.session.request("http://host.test/")
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let resumed = Recorder<Int>()
      _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
        guard notification.request == request, resumed.entries.isEmpty else { return }
        resumed.note(1)
        continuation.resume()
      }
      request.resume()
    }
    #expect(request.isResumed || request.isFinished)
  }

  /// Whatever a thread puts into a monitor's queue behind an event, comes behind that event, however many threads do so.
  @Test func workBehindAnEventComesBehindIt() async {
    struct Silent: EventMonitor {}
    let queue = DispatchQueue(label: "test.outbox")
    let outbox = EventOutbox<any EventMonitor>(queue: queue)
    let told = Recorder<Int>()
    let overtaken = Recorder<Int>()
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask {
          for round in 0..<500 {
            let number = thread * 500 + round
            outbox.put({ _ in told.note(number) }, for: Silent())
            queue.async { if told.entries.last(where: { $0 == number }) == nil { overtaken.note(number) } }
          }
        }
      }
    }
    await withCheckedContinuation { done in queue.async { done.resume() } }
    #expect(overtaken.entries.isEmpty)
    #expect(told.entries.count == 4000)
  }
}
