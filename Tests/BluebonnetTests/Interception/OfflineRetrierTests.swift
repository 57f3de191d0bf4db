// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct OfflineRetrierTests {
  /// Tells what the test says.
  private final class ScriptedMonitor: ConnectivityMonitor {
    private struct State {
      var onPath: (@Sendable (NWPath.Status) -> Void)?
      var isCancelled = false
    }

    private let state = Locked(State())
    private let beginning: @Sendable (ScriptedMonitor) -> Void

    init(beginning: @escaping @Sendable (ScriptedMonitor) -> Void = { _ in }) { self.beginning = beginning }

    var isStarted: Bool { state.withLock { $0.onPath != nil } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func start(onPath: @escaping @Sendable (NWPath.Status) -> Void) {
      state.withLock { $0.onPath = onPath }
      beginning(self)
    }

    func cancel() { state.withLock { $0.isCancelled = true } }

    func say(_ status: NWPath.Status) { state.withLock { $0.onPath }?(status) }
  }

  /// The monitors that a retrier has made.
  private final class Monitors: Sendable {
    private let list = Recorder<ScriptedMonitor>()
    var all: [ScriptedMonitor] { list.entries }

    func retrier(maximumWait: DispatchTimeInterval = .never) -> OfflineRetrier {
      OfflineRetrier(
        watching: { [list] in
          let monitor = ScriptedMonitor()
          list.note(monitor)
          return monitor
        }, maximumWait: maximumWait, isOfflineError: OfflineRetrier.defaultIsOfflineError)
    }

    /// The monitor number `index`, once it has been started.
    func started(_ index: Int) async -> ScriptedMonitor {
      await Eventually.expect("monitor \(index) is started") { all.count > index && all[index].isStarted }
      return all[index]
    }
  }

  private static let url = "http://host.test/"

  private static func offline(until attempt: Int) -> @Sendable (Int, URLSessionTask) -> ScriptedEngine.Answer
  {
    { number, _ in number < attempt ? .failure(.notConnectedToInternet) : .reply(body: ["there"]) }
  }

  @Test func allThatWaitAreLetGoTogether() async {
    let monitors = Monitors()
    let scripted = ScriptedSession(interceptor: monitors.retrier(), Self.offline(until: 4))
    let tasks = (0..<3).map { _ in scripted.session.request(Self.url).serializingString() }
    let monitor = await monitors.started(0)
    monitor.say(.unsatisfied)
    await Eventually.expect("all have failed once") { scripted.engine.started.count == 3 }
    // The last one may still be on its way to the retrier; it is let go as soon as it is there.
    monitor.say(.satisfied)
    for task in tasks {
      if !monitors.all.dropFirst().isEmpty { await monitors.started(1).say(.satisfied) }
      #expect(await task.result.success == "there")
    }
    #expect(monitor.isCancelled)
  }

  @Test func anotherErrorIsNotWaitedFor() async {
    let monitors = Monitors()
    let scripted = ScriptedSession(interceptor: monitors.retrier()) { _, _ in .failure(.timedOut) }
    let response = await scripted.session.request(Self.url).serializingData().response
    #expect((response.error?.underlyingError as? URLError)?.code == .timedOut)
    #expect(scripted.engine.started.count == 1 && monitors.all.isEmpty)
  }

  @Test func theNextRetrierIsAsked() async {
    let monitors = Monitors()
    let interceptor = Interceptor(
      retriers: [monitors.retrier(), RetryPolicy(exponentialBackoffScale: 0.001)])
    let scripted = ScriptedSession(interceptor: interceptor) { attempt, _ in
      attempt == 1 ? .failure(.timedOut) : .reply(body: ["there"])
    }
    #expect(await scripted.session.request(Self.url).serializingString().result.success == "there")
  }

  /// The failure is looked at twice, by the request and by its serializer, and waited for once.
  @Test func theWaitEnds() async {
    let monitors = Monitors()
    let scripted = ScriptedSession(
      interceptor: monitors.retrier(maximumWait: .milliseconds(20)), Self.offline(until: .max))
    let response = await scripted.session.request(Self.url).serializingData().response
    #expect((response.error?.underlyingError as? URLError)?.code == .notConnectedToInternet)
    #expect(scripted.engine.started.count == 1 && monitors.all.count == 1)
    #expect(monitors.all.map(\.isCancelled) == [true])
  }

  /// A request waits from when the network is watched, however long it takes to begin with that.
  @Test func theClockStartsBehindTheMonitor() async {
    let monitor = ScriptedMonitor { monitor in
      Pause.take(microseconds: 50_000)
      monitor.say(.satisfied)
    }
    let retrier = OfflineRetrier(
      watching: { monitor }, maximumWait: .milliseconds(1),
      isOfflineError: OfflineRetrier.defaultIsOfflineError)
    let scripted = ScriptedSession(interceptor: retrier, Self.offline(until: 2))
    #expect(await scripted.session.request(Self.url).serializingString().result.success == "there")
  }

  /// A route leads to the internet, but not to the host: that is tried again once, and then only if something changes.
  @Test func aNetworkThatWasThereAllAlong() async {
    let monitors = Monitors()
    let scripted = ScriptedSession(interceptor: monitors.retrier(), Self.offline(until: 3))
    let task = scripted.session.request(Self.url).serializingString()
    await monitors.started(0).say(.satisfied)
    let second = await monitors.started(1)
    second.say(.satisfied)
    #expect(scripted.engine.started.count == 2 && !second.isCancelled)
    second.say(.unsatisfied)
    second.say(.satisfied)
    #expect(await task.result.success == "there")
    #expect(scripted.engine.started.count == 3)
  }

  /// A monitor that has been stopped may still be about to report.
  @Test func aStoppedMonitorIsNotHeard() async {
    let monitors = Monitors()
    let retrier = monitors.retrier()
    let scripted = ScriptedSession(interceptor: retrier) { _, _ in .failure(.notConnectedToInternet) }
    let first = scripted.session.request(Self.url)
    first.response { _ in }
    let stopped = await monitors.started(0)
    first.cancel()
    await Eventually.expect("it is stopped") { stopped.isCancelled }
    stopped.say(.unsatisfied)
    // It has tried with a network that was there all along: only a change makes it try once more.
    let second = scripted.session.request(Self.url)
    second.response { _ in }
    await monitors.started(1).say(.satisfied)
    let later = await monitors.started(2)
    stopped.say(.unsatisfied)
    later.say(.satisfied)
    #expect(second.retryCount == 1)
    later.say(.unsatisfied)
    later.say(.satisfied)
    await Eventually.expect("a change is one") { second.retryCount == 2 }
    second.cancel()
  }

  /// What waits for a change does not hold up what has just failed for the first time.
  @Test func aNewcomerIsNotHeldUp() async {
    let monitors = Monitors()
    let isThere = Locked(false)
    let scripted = ScriptedSession(interceptor: monitors.retrier()) { _, task in
      task.originalRequest?.url?.path == "/new" && isThere.withLock({ $0 })
        ? .reply(body: ["there"]) : .failure(.notConnectedToInternet)
    }
    let old = scripted.session.request(Self.url)
    let oldTask = old.serializingString()
    await monitors.started(0).say(.satisfied)
    let second = await monitors.started(1)
    second.say(.satisfied)
    let new = scripted.session.request("http://host.test/new")
    new.onURLSessionTaskCreation(on: .global()) { _ in isThere.withLock { $0 = new.retryCount > 0 } }
    _ = new.serializingString()
    await Eventually.expect("it is tried again") { new.retryCount == 1 }
    #expect(old.retryCount == 1)
    old.cancel()
    new.cancel()
    #expect(await oldTask.response.error?.isSessionTaskError == true)
  }

  @Test func aCancelledRequestEndsWithoutWaiting() async {
    let monitors = Monitors()
    let scripted = ScriptedSession(interceptor: monitors.retrier(), Self.offline(until: .max))
    let request = scripted.session.request(Self.url)
    let task = request.serializingString()
    _ = await monitors.started(0)
    request.cancel()
    // It had failed before.
    #expect((await task.response.error?.underlyingError as? URLError)?.code == .notConnectedToInternet)
    #expect(request.isCancelled && scripted.engine.started.count == 1)
    await Eventually.expect("nobody waits any more") { monitors.all.map(\.isCancelled) == [true] }
  }

  @Test func defaults() {
    #expect(OfflineRetrier.defaultWait == .seconds(5))
    #expect(OfflineRetrier.defaultURLErrorOfflineCodes == [.notConnectedToInternet])
    #expect(OfflineRetrier.defaultIsOfflineError(URLError(.notConnectedToInternet)))
    #expect(
      OfflineRetrier.defaultIsOfflineError(
        AFError.sessionTaskFailed(error: URLError(.notConnectedToInternet))))
    #expect(!OfflineRetrier.defaultIsOfflineError(URLError(.timedOut)))
    #expect(!OfflineRetrier.defaultIsOfflineError(AFError.explicitlyCancelled))
  }

  @Test func theShortForms() {
    func take(_ interceptor: some RequestInterceptor) {}
    take(.offlineRetrier())
    take(.offlineRetrier(monitor: NWPathMonitor(requiredInterfaceType: .wifi), maximumWait: .seconds(1)))
    take(.offlineRetrier(requiredInterfaceType: .wiredEthernet))
    take(.offlineRetrier(prohibitedInterfaceTypes: [.cellular], isOfflineError: { @Sendable _ in true }))
  }
}
