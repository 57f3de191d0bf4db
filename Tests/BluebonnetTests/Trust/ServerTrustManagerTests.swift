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

  @Test(arguments: [
    ("https://example.org", "without scheme, port and path"),
    ("example.org:443", "without scheme, port and path"),
    ("example.org/api", "without scheme, port and path"), ("*.example.org", "wildcards need a subclass"),
    ("[example.org]", "the brackets do not hold an IPv6 address"), ("", "it is empty"),
  ])
  func aKeyThatIsNoHostIsToldWhy(_ key: String, _ reason: String) {
    let manager = ServerTrustManager(evaluators: [key: DisabledTrustEvaluator()])
    let error = #expect(throws: AFError.self) { try manager.serverTrustEvaluator(forHost: "example.org") }
    let text = error?.localizedDescription ?? ""
    #expect(text.contains(reason), "\(text)")
  }
}
