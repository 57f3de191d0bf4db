// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestClock
import BluebonnetTestSupport
import BluebonnetURLLoading
import Dispatch
import BluebonnetLocks
import Testing

@testable import Bluebonnet

/// Evaluators are anybody's code: one that takes its time holds nobody else up.
@Suite struct SlowEvaluatorTests {
  /// Lets everybody pass when so many are there; throws if they do not come together.
  private final class Meeting: ServerTrustEvaluating {
    struct NobodyElseCame: Error {}

    private let size: Int
    private let present = Locked(0)
    private let gate = DispatchSemaphore(value: 0)

    init(size: Int) { self.size = size }

    func evaluate(_ trust: SecTrust, forHost host: String) throws {
      let isLast = present.withLock { count in
        count += 1
        return count == size
      }
      if isLast { open() }
      guard gate.wait(timeout: .now() + .seconds(Eventually.limit)) == .success else {
        throw NobodyElseCame()
      }
    }

    var count: Int { present.withLock { $0 } }

    func open() {
      for _ in 0..<size { gate.signal() }
    }
  }

  /// As long as it takes where many tests run.
  private func configuration() -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 600
    return configuration
  }

  @Test(arguments: [false, true]) func evaluatorsRunSideBySide(onAQueue: Bool) async throws {
    let origin = try Origin.start(security: .tls)
    let size = 10
    let meeting = Meeting(size: size)
    let hosts = ["localhost", "127.0.0.1"]
    let session = Session(
      configuration: configuration(), rootQueue: onAQueue ? DispatchQueue(label: "root") : nil,
      serverTrustManager: ServerTrustManager(
        evaluators: Dictionary(uniqueKeysWithValues: hosts.map { ($0, meeting) })))
    let requests = (0..<size).map { number in
      session.request("https://\(hosts[number % 2]):\(origin.port)/get").serializingData()
    }
    for request in requests { #expect(await request.response.error == nil) }
    #expect(origin.connectionCount == size)
  }

  @Test(.timeLimit(.minutes(5)), arguments: [false, true])
  func theTimeOutCoversTheWaitForOne(onAQueue: Bool) async throws {
    let origin = try Origin.start(security: .tls)
    let meeting = Meeting(size: 2)
    let configuration = configuration()
    let clock = configuration.stopClock()
    let session = Session(
      configuration: configuration, rootQueue: onAQueue ? DispatchQueue(label: "root") : nil,
      serverTrustManager: ServerTrustManager(evaluators: ["localhost": meeting]))
    let task = session.request(origin.baseURL + "/get").serializingData()
    await Eventually.expect("somebody is asked") { meeting.count == 1 }
    clock.advance(by: .seconds(600))
    let response = await task.response
    #expect((response.error?.underlyingError as? URLError)?.code == .timedOut)
    #expect(origin.requests.isEmpty)
    meeting.open()
  }

  /// What the monitors and the request hear of a refusal comes in order.
  @Test(arguments: [false, true]) func aRefusalIsHeardInOrder(onAQueue: Bool) async throws {
    let origin = try Origin.start(security: .tls)
    let events = Locked<[String]>([])
    let queue = DispatchQueue(label: "monitor")
    let monitor = ClosureEventMonitor(queue: queue)
    monitor.taskDidReceiveChallenge = { _, _, _ in events.withLock { $0.append("challenge") } }
    monitor.requestDidFailTaskEarlyWithError = { _, _, _ in events.withLock { $0.append("failed early") } }
    monitor.requestDidCompleteTaskWithError = { _, _, _ in events.withLock { $0.append("completed") } }
    monitor.requestDidFinish = { _ in events.withLock { $0.append("finished") } }
    let session = Session(
      configuration: configuration(), rootQueue: onAQueue ? DispatchQueue(label: "root") : nil,
      serverTrustManager: ServerTrustManager(evaluators: [:]), eventMonitors: [monitor])
    let response = await session.request(origin.baseURL + "/get").serializingData().response
    #expect(response.error?.isServerTrustEvaluationError == true)
    await Eventually.expect("the end is heard") { events.withLock { $0.last == "finished" } }
    #expect(events.withLock { $0 } == ["challenge", "failed early", "completed", "finished"])
  }
}
