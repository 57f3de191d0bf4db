// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// A delegate hears once that its session is invalid, however often and from wherever it is invalidated.
@Suite struct InvalidationTests {
  private final class Witness: URLSessionDataDelegate {
    let invalidations = Locked(0)
    let completions = Locked(0)
    /// Called when a task has completed, and when the session has become invalid.
    let again: @Sendable (URLSession) -> Void

    init(again: @escaping @Sendable (URLSession) -> Void = { _ in }) { self.again = again }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      completions.withLock { $0 += 1 }
      again(session)
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
      invalidations.withLock { $0 += 1 }
      again(session)
    }
  }

  private func session(_ witness: Witness) -> URLSession {
    URLSession(configuration: .inMemory, delegate: witness, delegateQueue: nil)
  }

  /// Once everything that was under way has been said.
  private func settled(_ session: URLSession, _ witness: Witness) async -> Int {
    await Eventually.expect("it is invalid") { witness.invalidations.withLock { $0 } > 0 }
    for _ in 0..<3 {
      await withCheckedContinuation { continuation in
        session.delegateQueue.addOperation { continuation.resume() }
      }
    }
    return witness.invalidations.withLock { $0 }
  }

  private static let ways: [@Sendable (URLSession) -> Void] = [
    { $0.invalidateAndCancel() }, { $0.finishTasksAndInvalidate() },
  ]

  @Test(arguments: 0..<2, 0..<2) func twice(first: Int, second: Int) async {
    let witness = Witness()
    let session = session(witness)
    Self.ways[first](session)
    Self.ways[second](session)
    await Eventually.expect("it is invalid") { witness.invalidations.withLock { $0 } > 0 }
    Self.ways[second](session)
    Self.ways[first](session)
    #expect(await settled(session, witness) == 1)
  }

  @Test(arguments: 0..<2, 0..<2) func fromCallbacks(first: Int, second: Int) async throws {
    let origin = Origin.inMemory()
    let witness = Witness(again: Self.ways[second])
    let session = session(witness)
    session.dataTask(with: try #require(URL(string: origin.baseURL + "/get"))).resume()
    await Eventually.expect("it completes") { witness.completions.withLock { $0 } > 0 }
    Self.ways[first](session)
    #expect(await settled(session, witness) == 1)
  }

  @Test func fromSeveralThreads() async throws {
    let origin = Origin.inMemory()
    for run in 0..<20 {
      let witness = Witness()
      let session = session(witness)
      session.dataTask(with: try #require(URL(string: origin.baseURL + "/get"))).resume()
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<8 { group.addTask { Self.ways[(run + number) % 2](session) } }
      }
      #expect(await settled(session, witness) == 1)
    }
  }
}
