// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetOrigin
import BluebonnetTestClock
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// `Request.priority(_:)`, and requests that wait for their turn.
@Suite struct RequestPriorityTests {
  let origin: Origin

  init() {
    origin = Origin.inMemory()
    origin.handle("/held") { _ in ScriptedReply([.hang], at: .head) }
  }

  private func session(_ interceptor: (any RequestInterceptor)? = nil) -> Session {
    let configuration = URLSessionConfiguration.inMemory
    configuration.requestLimit = 1
    return Session(configuration: configuration, interceptor: interceptor)
  }

  /// One whose requests wait for ten seconds at most, by a clock of the test's.
  private func timed(_ interceptor: (any RequestInterceptor)? = nil) -> (Session, EventLoop) {
    let configuration = URLSessionConfiguration.inMemory
    configuration.requestLimit = 1
    configuration.timeoutIntervalForWaiting = 10
    let clock = configuration.stopClock()
    return (Session(configuration: configuration, interceptor: interceptor), clock)
  }

  private func hold(_ session: Session) async -> DataRequest {
    let held = session.request(origin.baseURL + "/held").response { _ in }
    await Eventually.expect("it is under way") { [origin] in
      origin.requests.contains { $0.target == "/held" }
    }
    return held
  }

  @Test func theMoreUrgentGoFirst() async {
    let session = session()
    let held = await hold(session)
    let order: [(name: String, priority: Float?)] = [
      ("1", 0.25), ("2", nil), ("3", 1), ("4", 0.75), ("5", nil),
    ]
    var requests: [DataRequest] = []
    for (name, priority) in order {
      let request = session.request(origin.baseURL + "/anything/\(name)")
      if let priority { request.priority(priority) }
      request.response { _ in }
      requests.append(request)
      await Eventually.expect("it has a task") { request.task?.state == .running }
    }
    // While it waits.
    requests[0].priority(0.9)
    held.cancel()
    for request in requests {
      await Eventually.expect("it is answered") { request.isFinished && request.error == nil }
    }
    #expect(
      origin.requests.dropFirst().map(\.target) == ["3", "1", "4", "2", "5"].map { "/anything/\($0)" })
  }

  /// Also of the tasks that a retry makes.
  @Test func aRetryKeepsThePriority() async {
    origin.script("/flaky", .response(status: 503, reason: "No", body: []), .response(body: []))
    let session = session(RetryPolicy(exponentialBackoffScale: 0.01))
    let request = session.request(origin.baseURL + "/flaky").priority(0.75).validate()
    _ = await request.serializingData(emptyResponseCodes: [200]).response
    #expect(request.tasks.count == 2)
    #expect(request.tasks.allSatisfy { $0.priority == 0.75 })
  }

  /// To wait once more, behind all others, is not what the limit of the wait is for.
  @Test func aWaitThatWasTooLongIsNotRetried() async {
    let (session, clock) = timed(RetryPolicy(exponentialBackoffScale: 0.01))
    let held = await hold(session)
    let request = session.request(origin.baseURL + "/get")
    let task = request.serializingData()
    await clock.advance(by: .seconds(1), until: "it has waited for too long") { request.isFinished }
    let error = await task.response.error
    #expect(error?.loadingPhase == .waitingForTurn && error?.loadingFault == .local)
    #expect((error?.underlyingError as? URLError)?.code == .timedOut)
    #expect(request.retryCount == 0)
    #expect(held.isResumed && origin.requests.count == 1)
    held.cancel()
  }

  @Test func aDeadlinePassesWhileItWaits() async {
    let (session, clock) = timed()
    let held = await hold(session)
    let request = session.request(origin.baseURL + "/get").deadline(after: 5)
    let task = request.serializingData()
    await Eventually.expect("it waits") { request.task?.state == .running }
    clock.advance(by: .seconds(5))
    let error = await task.response.error
    #expect((error?.underlyingError as? URLError)?.code == .timedOut)
    #expect(error?.localizedDescription.contains("deadline(after:)") == true)
    let next = session.request(origin.baseURL + "/get?next")
    held.cancel()
    #expect(await next.serializingData().response.error == nil)
    #expect(origin.requests.map(\.target) == ["/held", "/get?next"])
  }

  /// Who is retried has no place in the pause.
  @Test func aPauseBeforeARetryHoldsUpNobody() async {
    origin.script("/flaky", .response(status: 503, reason: "No", body: []), .response(body: []))
    let session = session(RetryPolicy(exponentialBackoffScale: 3_600))
    let flaky = session.request(origin.baseURL + "/flaky").validate().response { _ in }
    await Eventually.expect("it has failed once") { flaky.task?.state == .completed }
    #expect(await session.request(origin.baseURL + "/get").serializingData().response.error == nil)
    flaky.cancel()
  }
}
