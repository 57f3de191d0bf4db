// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// What is over when `cancelAllRequests` says so, many times, the last ones beside threads that never rest.
@Suite(.serialized) struct CancellationOrderTests {
  private static let runs = Repetitions.count
  private static let busyRuns = Repetitions.busyCount

  /// Notes whose handler has returned.
  private final class Returned: Sendable {
    let numbers = Locked<Set<Int>>([])
    func note(_ number: Int) { numbers.withLock { _ = $0.insert(number) } }
  }

  @Test(arguments: [false, true]) func handlersHaveReturned(onQueues: Bool) async throws {
    let origin = try Origin.start()
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbody"
    origin.script("/hangs", ScriptedReply([.bytes(Array(head.utf8)), .hang]))
    var busy: BusyThreads?
    for run in 0..<Self.runs {
      if run == Self.runs - Self.busyRuns { busy = BusyThreads(2) }
      let session = Session(
        configuration: .ephemeral, rootQueue: onQueues ? DispatchQueue(label: "test.root") : nil)
      let returned = Returned()
      let requests = start(run, in: session, origin.baseURL, returned)
      // From before anything was sent to somewhere in a body.
      if run % 3 != 0 { await Pause.suspend(microseconds: run * 10) }
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        session.cancelAllRequests(completingOnQueue: DispatchQueue(label: "test.completion")) {
          #expect(returned.numbers.withLock { $0 } == Set(requests.indices), "run \(run)")
          #expect(session.context.active.withLock { $0.requests.isEmpty })
          #expect(requests.allSatisfy { $0.isCancelled })
          continuation.resume()
        }
      }
    }
    withExtendedLifetime(busy) {}
  }

  /// None of them comes to its end by itself.
  private func start(_ run: Int, in session: Session, _ base: String, _ returned: Returned) -> [Request] {
    let url = base + "/hangs"
    // One of the handlers takes its time, on a queue of its own, and one runs on a concurrent one.
    let (slow, concurrent) = (
      DispatchQueue(label: "test.slow"), DispatchQueue(label: "test.concurrent", attributes: .concurrent)
    )
    let data = session.request(url).response(queue: slow) { _ in
      _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .microseconds(500))
      returned.note(0)
    }
    let download = session.download(url).response(queue: concurrent) { _ in returned.note(1) }
    let stream = session.streamRequest(url).responseStream(on: slow) { stream in
      if case .complete = stream.event { returned.note(2) }
    }
    let upload = session.upload(Data("body".utf8), to: url)
      .uploadProgress(queue: concurrent) { _ in }
      .responseString(queue: concurrent) { _ in returned.note(3) }
    return [data, download, stream, upload]
  }

  /// On a queue that knows no barriers, too.
  @Test func aHandlerOnAGlobalQueueHasReturned() async throws {
    let origin = try Origin.start()
    origin.script("/hangs", ScriptedReply([.hang], at: .head))
    let session = Session(configuration: .ephemeral)
    for _ in 0..<50 {
      let returned = Returned()
      session.request(origin.baseURL + "/hangs").response(queue: .global()) { _ in
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(5))
        returned.note(0)
      }
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        session.cancelAllRequests(completingOnQueue: .global()) {
          #expect(returned.numbers.withLock { $0 } == [0])
          continuation.resume()
        }
      }
    }
  }

  /// The caller's queue is the caller's: nothing of ours stands between two of its handlers.
  @Test func aHandlerMayWaitForAnotherOnItsQueue() async throws {
    let origin = try Origin.start()
    let session = Session(configuration: .ephemeral)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      session.cancelAllRequests(completingOnQueue: .global()) { continuation.resume() }
    }
    let queue = DispatchQueue(label: "test.concurrent", attributes: .concurrent)
    let url = origin.baseURL + "/get"
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<DispatchTimeoutResult, Never>) in
      session.request(url).response(queue: queue) { _ in
        let other = DispatchSemaphore(value: 0)
        session.request(url).response(queue: queue) { _ in other.signal() }
        continuation.resume(returning: other.wait(timeout: .now() + 60))
      }
    }
    #expect(result == .success)
  }

  @Test func withoutRequestsItIsSaidAtOnce() async {
    let session = Session(configuration: .ephemeral)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      session.cancelAllRequests(completingOnQueue: .global()) { continuation.resume() }
    }
  }
}
