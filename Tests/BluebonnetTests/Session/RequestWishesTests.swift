// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// What a request's owner may ask of it, in and out of season.
@Suite struct RequestWishesTests {
  private static let url = "http://host.test/"

  @Test(arguments: [false, true])
  func whatIsOverStaysOver(onQueues: Bool) async {
    let scripted = ScriptedSession(onQueues: onQueues)
    let request = scripted.session.request(Self.url)
    _ = await request.serializingData().response
    #expect(request.isFinished)
    request.resume().suspend().cancel()
    #expect(request.isFinished && !request.isCancelled)
    #expect(request.error == nil)
    #expect(scripted.engine.started.count == 1)
  }

  /// Threads that suspend and resume as they like, and a resumption when all of them have ended: the task is left running.
  @Test(.timeLimit(.minutes(5)))
  func theLastResumptionCounts() {
    let scripted = ScriptedSession { _, _ in .silence }
    for _ in 0..<2000 {
      let request = scripted.session.request(Self.url).resume()
      DispatchQueue.concurrentPerform(iterations: 4) { number in
        for _ in 0..<10 {
          if number.isMultiple(of: 2) { request.suspend().resume() } else { request.resume().suspend() }
        }
      }
      request.resume()
      #expect(request.task?.state == .running)
      request.cancel()
    }
  }

  @Test(arguments: [false, true])
  func cancellingTwiceIsCancellingOnce(onQueues: Bool) async {
    let monitor = ClosureEventMonitor()
    let cancelled = Recorder<Int>()
    monitor.requestDidCancel = { _ in cancelled.note(1) }
    let scripted = ScriptedSession(onQueues: onQueues, eventMonitors: [monitor]) { _, _ in .silence }
    let request = scripted.session.request(Self.url)
    let task = request.serializingData()
    request.cancel().cancel().resume().suspend()
    #expect(request.isCancelled)
    #expect(await task.response.error?.isExplicitlyCancelledError == true)
    request.cancel()
    await scripted.session.rootQueue.drained()
    await DispatchQueue.main.drained()
    #expect(cancelled.entries.count == 1)
    #expect(request.isCancelled)
  }

  @Test(.timeLimit(.minutes(5)), arguments: [false, true])
  func suspendedBeforeItsTaskItWaits(onQueues: Bool) async {
    let pending = Recorder<@Sendable () -> Void>()
    let adapter = Adapter { urlRequest, _, completion in pending.note { completion(.success(urlRequest)) } }
    let scripted = ScriptedSession(
      onQueues: onQueues, startRequestsImmediately: false, interceptor: Interceptor(adapters: [adapter]))
    let request = scripted.session.request(Self.url).resume()
    await Eventually.expect("The adapter is asked.") { !pending.entries.isEmpty }
    request.suspend()
    pending.entries.first?()
    await Eventually.expect("It has its task.") { request.task != nil }
    await scripted.session.rootQueue.drained()
    #expect(request.isSuspended)
    #expect(request.task?.state == .suspended)
    #expect(scripted.engine.started.isEmpty)
    request.resume()
    #expect(await request.serializingString().response.value == "body")
  }

  @Test(.timeLimit(.minutes(5)))
  func suspendedBeforeItsFirstResumeItWaits() async {
    let scripted = ScriptedSession(startRequestsImmediately: false, requestSetup: .eager)
    let request = scripted.session.request(Self.url).suspend()
    #expect(request.isSuspended)
    #expect(request.task?.state == .suspended)
    request.resume()
    #expect(await request.serializingString().response.value == "body")
  }

  @Test(arguments: [false, true])
  func cancelledWhileItIsAdaptedItNeverGetsATask(onQueues: Bool) async {
    let pending = Recorder<@Sendable () -> Void>()
    let adapter = Adapter { urlRequest, _, completion in pending.note { completion(.success(urlRequest)) } }
    let scripted = ScriptedSession(
      onQueues: onQueues, interceptor: Interceptor(adapters: [adapter]))
    let request = scripted.session.request(Self.url)
    let task = request.serializingData()
    await Eventually.expect("The adapter is asked.") { !pending.entries.isEmpty }
    request.cancel()
    #expect(await task.response.error?.isExplicitlyCancelledError == true)
    pending.entries.first?()
    await scripted.session.rootQueue.drained()
    #expect(request.tasks.isEmpty)
    #expect(scripted.engine.started.isEmpty)
  }

  @Test func aSessionMayLeaveStartingToItsUser() async {
    let scripted = ScriptedSession(startRequestsImmediately: false)
    let request = scripted.session.request(Self.url)
    let task = request.serializingString()
    await scripted.session.rootQueue.drained()
    #expect(request.isInitialized)
    #expect(scripted.engine.started.isEmpty)
    request.resume()
    #expect(await task.response.value == "body")

    // What the request says goes before what the session says.
    let eager = scripted.session.request(Self.url, shouldAutomaticallyResume: true)
    #expect(await eager.serializingString().response.value == "body")
  }

  @Test(arguments: [false, true])
  func allRequestsCanBeHeldBack(onQueues: Bool) async {
    let scripted = ScriptedSession(onQueues: onQueues) { _, _ in .silence }
    let requests = (0..<3).map { _ in scripted.session.request(Self.url).resume() }
    let idle = scripted.session.request(Self.url)
    await Eventually.expect("All run.") { requests.allSatisfy { $0.task?.state == .running } }
    let seen = await withCheckedContinuation { continuation in
      scripted.session.withAllRequests { all in
        for request in all { request.suspend() }
        continuation.resume(returning: all)
      }
    }
    #expect(seen == Set(requests))
    #expect(requests.allSatisfy { $0.isSuspended && $0.task?.state == .suspended })
    #expect(idle.isInitialized)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      scripted.session.cancelAllRequests(completingOnQueue: scripted.session.requestQueue) {
        dispatchPrecondition(condition: .onQueue(scripted.session.requestQueue))
        continuation.resume()
      }
    }
    #expect(requests.allSatisfy { $0.isCancelled })
    #expect(idle.isInitialized)
  }

  @Test(arguments: [false, true])
  func handlersRunWhereTheyWant(onQueues: Bool) async {
    let scripted = ScriptedSession(onQueues: onQueues)
    let queue = DispatchQueue(label: "test.completion")
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      scripted.session.request(Self.url)
        .response(queue: queue) { _ in dispatchPrecondition(condition: .onQueue(queue)) }
        .downloadProgress { _ in dispatchPrecondition(condition: .onQueue(.main)) }
        .responseString { response in
          dispatchPrecondition(condition: .onQueue(.main))
          #expect(response.value == "body")
          continuation.resume()
        }
    }
  }

  @Test func anAwaitedTaskSteersItsRequest() async {
    let scripted = ScriptedSession(startRequestsImmediately: false) { _, _ in .silence }
    let request = scripted.session.request(Self.url)
    let task = request.serializingData()
    task.resume()
    #expect(request.isResumed)
    task.suspend()
    #expect(request.isSuspended)
    task.cancel()
    #expect(request.isCancelled)
    guard case .failure(let error) = await task.result else {
      Issue.record("Nothing was sent.")
      return
    }
    #expect(error.isExplicitlyCancelledError)
    await #expect(throws: AFError.self) { try await task.value }
  }
}
