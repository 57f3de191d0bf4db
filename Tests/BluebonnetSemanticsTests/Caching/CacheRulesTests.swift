import BluebonnetSemantics
import Testing

@Suite struct CacheRulesTests {
  @Test(arguments: [
    ("GET", 200, [], true), ("GET", 203, [], true), ("GET", 204, [], false), ("GET", 404, [], false),
    ("HEAD", 200, [], false), ("POST", 200, [], false), ("GET", 200, ["max-age=0, No-Store"], false),
    ("GET", 200, ["no-cache", ""], true), ("GET", 200, ["private", "no-store"], false),
  ])
  func whatMayBeStored(_ method: String, _ status: Int, _ control: [String], _ may: Bool) {
    #expect(CacheRules.mayStore(method: method, status: status, cacheControl: control) == may)
  }

  @Test(arguments: [
    ("PUT", 200, true), ("POST", 302, true), ("DELETE", 204, true), ("X", 200, true), ("PUT", 400, false),
    ("PUT", 500, false), ("GET", 200, false), ("HEAD", 200, false), ("OPTIONS", 200, false),
    ("TRACE", 200, false),
  ])
  func whatInvalidates(_ method: String, _ status: Int, _ does: Bool) {
    #expect(CacheRules.invalidates(method: method, status: status) == does)
  }

  private func target(_ url: String) -> TargetURI? { try? TargetURI(url) { $0.lowercased() } }

  private func key(_ method: String, _ url: String) -> CacheKey? {
    CacheKey(method: method, url: url, target: target(url))
  }

  @Test func addressesThatMeanTheSameHaveOneKey() {
    #expect(key("GET", "http://A.test:80#x") == key("GET", "HTTP://a.test/"))
    #expect(key("GET", "http://a.test/") != key("HEAD", "http://a.test/"))
    #expect(key("GET", "http://a.test/") != key("GET", "https://a.test/"))
    #expect(key("GET", "http://a.test/a") != key("GET", "http://a.test/A"))
    #expect(key("GET", "x:a") == key("GET", "x:a"))
    #expect(key("GET", "x:a") != key("GET", "x:A"))
    #expect(key("POST", "http://a.test/") == nil)
    let url = "http://a.test/"
    #expect(CacheKey.all(of: url, target: target(url)) == ["GET", "HEAD"].compactMap { key($0, url) })
  }

  private func fields(_ fields: [String: String]) -> HeaderFields { HeaderFields(fields) }

  @Test func aVariantAnswersRequestsThatAreAlike() throws {
    let request = fields(["Accept": "a", "Authorization": "me", "X-Other": "1"])
    let selection = try #require(CacheSelection(vary: ["accept, Accept-Language"], request: request))
    for (other, answers) in [
      (["Accept": "a", "Authorization": "me"], true),
      (["accept": "a", "authorization": "me", "X-Other": "2"], true),
      (["Accept": "b", "Authorization": "me"], false), (["Accept": "a", "Authorization": "you"], false),
      (["Accept": "a"], false), (["Accept": "a", "Authorization": "me", "Accept-Language": "en"], false),
      (["Accept": "a", "Authorization": "me", "Host": "b"], false),
    ] {
      #expect(selection.answers(fields(other)) == answers, "\(other)")
      #expect(
        (CacheSelection(vary: ["accept, Accept-Language"], request: fields(other)) == selection) == answers)
    }
  }

  @Test(arguments: ["*", "a, *", "a b", "a:b", "ä", "\"a\""]) func whatVariesByMoreIsNotKept(_ vary: String) {
    #expect(CacheSelection(vary: [vary], request: HeaderFields()) == nil)
  }

  @Test(arguments: [(0, true), (32, true), (33, false), (15_000, false)])
  func whatVariesByThousandsIsNotKept(_ count: Int, _ isKept: Bool) {
    let vary = (0..<count).map { "f\($0)" }.joined(separator: ",")
    #expect((CacheSelection(vary: [vary], request: HeaderFields()) != nil) == isKept)
  }
}
