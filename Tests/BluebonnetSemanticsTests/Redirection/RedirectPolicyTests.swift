// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

@Suite struct RedirectPolicyTests {
  private func step(_ status: Int, _ location: Location, _ method: String = "GET") -> RedirectPolicy.Step {
    var policy = RedirectPolicy()
    return policy.evaluate(status: status, location: location, method: method, url: "http://a.test/d/x")
  }

  @Test(arguments: [
    (301, "POST", true), (302, "POST", true), (303, "POST", true), (307, "POST", false), (308, "POST", false),
    (301, "PUT", false), (303, "PUT", true), (303, "DELETE", true), (303, "GET", false), (303, "HEAD", false),
    (302, "post", false),
  ])
  func theMethodIsRewritten(_ status: Int, _ method: String, _ becomesGET: Bool) {
    guard case .redirect(let redirect) = step(status, .reference("/y"), method) else {
      Issue.record("not followed")
      return
    }
    #expect(redirect.becomesGET == becomesGET)
    #expect(redirect.target == "http://a.test/y")
    #expect(redirect.obstacle == nil && !redirect.exceedsLimit)
  }

  @Test func onlyFiveStatusesSendElsewhere() {
    for status in 100..<600 {
      let isRedirect = [301, 302, 303, 307, 308].contains(status)
      #expect((step(status, .reference("/y")) != .finish) == isRedirect)
      #expect(step(status, .none) == .finish)
    }
  }

  @Test(arguments: [
    (Location.contradictory, RedirectPolicy.Obstacle.contradictoryLocations),
    (.reference("/a\u{1}b"), .noReference),
  ])
  func withoutATargetThereIsAnObstacle(_ location: Location, _ obstacle: RedirectPolicy.Obstacle) {
    guard case .redirect(let redirect) = step(302, location) else {
      Issue.record("not told")
      return
    }
    #expect(redirect.target == nil)
    #expect(redirect.obstacle == obstacle)
  }

  @Test(arguments: [0, 1, 20]) func theLimitIsKept(_ limit: Int) {
    var policy = RedirectPolicy(limit: limit)
    for count in 1...(limit + 2) {
      let step = policy.evaluate(status: 302, location: .reference("/"), method: "GET", url: "http://a.test/")
      guard case .redirect(let redirect) = step else {
        Issue.record("not told")
        return
      }
      #expect(redirect.exceedsLimit == (count > limit))
    }
    #expect(policy.count == limit)
  }
}
