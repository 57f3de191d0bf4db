// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import Testing

@testable import BluebonnetURLLoading

/// Who is recorded for a connection's server is who is asked about it, whatever another thread makes of the task's
/// delegate in between.
@Suite struct NamedEvaluatorTests {
  private final class Delegate: URLSessionTaskDelegate {}

  private func asked(_ listener: (any TaskListener)?) -> (any URLSessionTaskDelegate)? {
    (listener as? DelegateListener)?.taskDelegate
  }

  @Test func whoWasNamedIsAsked() throws {
    let (sessions, one, other) = (Delegate(), Delegate(), Delegate())
    let session = URLSession(configuration: .ephemeral, delegate: sessions, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    let task = session.dataTask(with: try #require(URL(string: "https://localhost/")))
    let load = LoadDriver(task, engine: try #require(session.engine as? SessionEngine), owner: nil)
    for made in [nil, one, other, nil, one] {
      let named = load.trustEvaluator
      let before = task.delegate
      task.delegate = made
      #expect(named === (before ?? sessions))
      #expect(asked(load.listener(for: named)) === named)
      #expect(asked(load.listener) === (made ?? sessions))
    }
  }
}
