// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTLS
import BluebonnetTestSupport
import Testing

@testable import BluebonnetTransport

/// A connection is known in the name of whoever was asked about its server.
@Suite struct AskedEvaluatorTests {
  private final class Evaluator: Sendable {}

  /// Its evaluator is another one at each of the first looks, as if another thread gave it one after the other.
  private final class Fickle: ExchangeClient, Sendable {
    private let evaluators: [Evaluator]
    private let looks = Locked(0)
    private let state = Locked<(asked: [Int], status: Int?, ended: Bool)>(([], nil, false))

    init(_ evaluators: [Evaluator]) { self.evaluators = evaluators }

    var asked: [Int] { state.withLock { $0.asked } }
    var status: Int? { state.withLock { $0.status } }
    var isComplete: Bool { state.withLock { $0.ended } }

    var trustEvaluator: AnyObject? {
      let look = looks.withLock {
        $0 += 1
        return $0
      }
      return evaluators[min(look, evaluators.count) - 1]
    }

    func exchange(
      _ exchange: RequestDriver, evaluate trust: ServerTrust, by evaluator: AnyObject?,
      decision: @escaping @Sendable (TrustDecision) -> Void
    ) {
      let index = evaluators.firstIndex { $0 === evaluator }
      state.withLock { $0.asked.append(index ?? -1) }
      guard case .settingUp(let setup) = exchange.state.stage else {
        Issue.record("it is asked while the connection is being set up")
        return decision(.reject)
      }
      #expect(setup.asked?.isBy(evaluator) == true)
      decision(.accept)
    }

    func exchange(_ exchange: RequestDriver, didReceive head: ResponseHead, bodyLength: Int?) {
      state.withLock { $0.status = head.status }
    }
    func exchange(_ exchange: RequestDriver, didReceiveBody bytes: UnsafeRawBufferPointer) {}
    func exchange(_ exchange: RequestDriver, didSendBody count: Int) {}
    func exchange(_ exchange: RequestDriver, didFinishWith error: TransportError?) {
      state.withLock { $0.ended = true }
    }
  }

  @Test func whoIsAskedIsWhoIsRecorded() async throws {
    let origin = try Origin.start(security: .tls)
    let pool = ConnectionPool(configuration: .evaluated)
    defer { pool.loop.withLoop { pool.invalidate() } }
    let evaluators = (0..<3).map { _ in Evaluator() }
    // A new connection, then a pooled one.
    for _ in 1...2 {
      let client = Fickle(evaluators)
      pool.loop.execute { [port = origin.port] in
        RequestDriver(.secure(to: port, path: "/get"), in: pool, client: client).start()
      }
      await Eventually.expect("it is complete") { client.isComplete }
      #expect(client.status == 200)
      // Nobody's place is taken by another: who came last has let it in, and each is asked once.
      #expect(client.asked == [0, 1, 2])
    }
    #expect(origin.connectionCount == 1)
  }
}
