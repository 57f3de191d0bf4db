import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import Dispatch
import Synchronization
import Testing

@testable import Bluebonnet

/// Evaluators are anybody's code: one that takes its time holds nobody else up.
@Suite struct SlowEvaluatorTests {
  /// Lets everybody pass when so many are there; throws if they do not come together.
  private final class Meeting: ServerTrustEvaluating {
    struct NobodyElseCame: Error {}

    private let size: Int
    private let signal: Signal

    init(size: Int, signal: Signal) {
      self.size = size
      self.signal = signal
    }

    func evaluate(_ trust: SecTrust, forHost host: String) throws {
      signal.raise()
      guard signal.wait(for: size) else { throw NobodyElseCame() }
    }
  }

  @Test(arguments: [false, true]) func evaluatorsRunSideBySide(onAQueue: Bool) async throws {
    let origin = try Origin.start(security: .tls)
    let size = 10
    let signal = Signal()
    let hosts = ["localhost", "127.0.0.1"]
    let session = Session(
      configuration: .ephemeral, rootQueue: onAQueue ? DispatchQueue(label: "root") : nil,
      serverTrustManager: ServerTrustManager(
        evaluators: Dictionary(
          uniqueKeysWithValues: hosts.map { ($0, Meeting(size: size, signal: signal)) })))
    let requests = (0..<size).map { number in
      session.request("https://\(hosts[number % 2]):\(origin.port)/get").serializingData()
    }
    for request in requests { #expect(await request.response.error == nil) }
    #expect(origin.connectionCount == size)
  }

  @Test(.timeLimit(.minutes(1)), arguments: [false, true])
  func theTimeOutCoversTheWaitForOne(onAQueue: Bool) async throws {
    let origin = try Origin.start(security: .tls)
    let signal = Signal()
    let session = Session(
      configuration: .ephemeral, rootQueue: onAQueue ? DispatchQueue(label: "root") : nil,
      serverTrustManager: ServerTrustManager(evaluators: ["localhost": Meeting(size: 2, signal: signal)]))
    let response = await session.request(origin.baseURL + "/get") { $0.timeoutInterval = 0.3 }
      .serializingData().response
    #expect((response.error?.underlyingError as? URLError)?.code == .timedOut)
    #expect(origin.requests.isEmpty)
    signal.raise()
  }

  /// What the monitors and the request hear of a refusal comes in order.
  @Test(arguments: [false, true]) func aRefusalIsHeardInOrder(onAQueue: Bool) async throws {
    let origin = try Origin.start(security: .tls)
    let events = Mutex<[String]>([])
    let queue = DispatchQueue(label: "monitor")
    let monitor = ClosureEventMonitor(queue: queue)
    monitor.taskDidReceiveChallenge = { _, _, _ in events.withLock { $0.append("challenge") } }
    monitor.requestDidFailTaskEarlyWithError = { _, _, _ in events.withLock { $0.append("failed early") } }
    monitor.requestDidCompleteTaskWithError = { _, _, _ in events.withLock { $0.append("completed") } }
    monitor.requestDidFinish = { _ in events.withLock { $0.append("finished") } }
    let session = Session(
      configuration: .ephemeral, rootQueue: onAQueue ? DispatchQueue(label: "root") : nil,
      serverTrustManager: ServerTrustManager(evaluators: [:]), eventMonitors: [monitor])
    let response = await session.request(origin.baseURL + "/get").serializingData().response
    #expect(response.error?.isServerTrustEvaluationError == true)
    await Eventually.expect("the end is heard") { events.withLock { $0.last == "finished" } }
    #expect(events.withLock { $0 } == ["challenge", "failed early", "completed", "finished"])
  }
}
