import BluebonnetFoundation
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct ServerTrustManagerTests {
  @Test func hostsAreExact() throws {
    let evaluator = DisabledTrustEvaluator()
    let manager = ServerTrustManager(evaluators: ["example.org": evaluator])
    #expect(manager.allHostsMustBeEvaluated)
    #expect(try manager.serverTrustEvaluator(forHost: "example.org") as? DisabledTrustEvaluator === evaluator)
    let error = #expect(throws: AFError.self) { try manager.serverTrustEvaluator(forHost: "www.example.org") }
    guard case .serverTrustEvaluationFailed(.noRequiredEvaluator(let host))? = error else {
      Issue.record("unexpected \(String(describing: error))")
      return
    }
    #expect(host == "www.example.org")
  }

  @Test func unknownHostsMayBeLeftAlone() throws {
    let manager = ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: [:])
    #expect(try manager.serverTrustEvaluator(forHost: "example.org") == nil)
  }
}
