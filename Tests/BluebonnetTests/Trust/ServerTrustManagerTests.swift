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

  @Test func aZoneLeadsAroundNoEvaluator() throws {
    let (bare, zoned) = (DisabledTrustEvaluator(), DisabledTrustEvaluator())
    let manager = ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: ["::1": bare])
    for host in ["::1%lo", "[::1%25lo]", "0:0::1%1"] {
      #expect(try manager.serverTrustEvaluator(forHost: host) as? DisabledTrustEvaluator === bare)
    }
    let both = ServerTrustManager(
      allHostsMustBeEvaluated: false, evaluators: ["[::1]": bare, "[::1%25lo]": zoned])
    #expect(try both.serverTrustEvaluator(forHost: "::1%lo") is CompositeTrustEvaluator)
    #expect(try both.serverTrustEvaluator(forHost: "::1") as? DisabledTrustEvaluator === bare)
    #expect(try both.serverTrustEvaluator(forHost: "::2%lo") == nil)
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
