// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// A stream whose reader is slow rests without being suspended: `suspend()` is the caller's.
@Suite struct SlowStreamTests {
  @Test(arguments: [false, true])
  func theCallersSuspensionDoesNotLetAFullStreamFlow(onQueues: Bool) async throws {
    let origin = Origin.inMemory()
    let session = Session(
      configuration: .inMemory, rootQueue: onQueues ? DispatchQueue(label: "test.root") : nil)
    let reading = DispatchQueue(label: "test.reader")
    reading.suspend()
    let request = session.streamRequest(origin.baseURL + "/infinite").responseStream(on: reading) { _ in }
    await Eventually.expect("the stream rests") { request.flow.withLock { $0.isResting } }
    let task = try #require(request.task)
    #expect(task.state == .running)
    // What had been handed over before is on its way for a moment.
    await settle(session)
    let received = task.countOfBytesReceived
    request.suspend()
    #expect(task.state == .suspended)
    request.resume()
    #expect(task.state == .running)
    await settle(session)
    #expect(task.countOfBytesReceived == received)
    reading.resume()
    await Eventually.expect("the stream flows again") { task.countOfBytesReceived > received + 4 << 20 }
    request.cancel()
    await Eventually.expect("it has ended") { task.state == .completed }
  }

  /// Several rounds through the queues that a piece of a body takes part in.
  private func settle(_ session: Session) async {
    for _ in 0..<20 {
      await withCheckedContinuation { behind in session.session.executor.async { behind.resume() } }
      await withCheckedContinuation { behind in
        let loop = session.session.configuration.eventLoop
        loop.loop.enqueue { behind.resume() }
      }
    }
  }
}
