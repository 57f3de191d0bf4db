// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import BluebonnetLocks
import Testing

/// A slow reader and the caller's suspensions hold a body back each for itself.
@Suite struct SlowReaderTests {
  /// Behind what the loop has been told and what came of it.
  private func turn(of session: URLSession) async {
    for _ in 0..<3 {
      await withCheckedContinuation { behind in session.executor.async { behind.resume() } }
    }
  }

  @Test func eachReleasesItsOwn() async throws {
    let origin = try Origin.start()
    let delegate = RecordingDelegate()
    let session = URLSession(configuration: .ephemeral, delegate: delegate, executor: .loop)
    let task = session.dataTask(with: try #require(URL(string: origin.baseURL + "/manyBytes/3000000")))
    let state = Locked(true)
    task.resume()
    task.holdBody { state.withLock { $0 } }
    await turn(of: session)
    let held = delegate.record.data.count
    #expect(task.state == .running)
    // The caller's suspensions come and go.
    task.suspend()
    #expect(task.state == .suspended)
    task.suspend()
    task.resume()
    task.resume()
    #expect(task.state == .running)
    await turn(of: session)
    #expect(delegate.record.data.count == held)
    // The reader's go while the caller's stays.
    task.suspend()
    state.withLock { $0 = false }
    task.holdBody { state.withLock { $0 } }
    await turn(of: session)
    #expect(delegate.record.data.count == held)
    #expect(task.state == .suspended)
    task.resume()
    await Eventually.expect("the task completes") { delegate.record.isComplete }
    #expect(delegate.record.data.count == 3_000_000)
    #expect(delegate.record.error == nil)
    session.invalidateAndCancel()
  }

  /// Whoever comes late is asked what holds now.
  @Test func callsThatOvertakeEachOtherDoNoHarm() async throws {
    let origin = try Origin.start()
    let delegate = RecordingDelegate()
    let session = URLSession(configuration: .ephemeral, delegate: delegate, executor: .loop)
    let task = session.dataTask(with: try #require(URL(string: origin.baseURL + "/manyBytes/3000000")))
    task.resume()
    // Released before it was held, as seen by the engine.
    task.holdBody { false }
    task.holdBody { false }
    await Eventually.expect("the task completes") { delegate.record.isComplete }
    #expect(delegate.record.data.count == 3_000_000)
    // Nothing is left to hold.
    task.holdBody { true }
    session.invalidateAndCancel()
  }
}
