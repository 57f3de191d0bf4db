// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics
import Testing

@testable import BluebonnetAuthentication

@Suite struct AuthenticationCacheTests {
  private func answer(_ realm: String) throws -> AuthenticationAnswer {
    let offer = try #require(
      AuthenticationOffer.all(in: [FieldValue("Basic realm=\"\(realm)\"")], allowing: .all).first)
    return AuthenticationAnswer(offer, Steps.user, isKept: true)
  }

  @Test func theLongestPathCountsAndThenTheNewest() throws {
    var cache = AuthenticationCache()
    cache.keep(try answer("all"), of: Steps.place, .origin, at: "/")
    cache.keep(try answer("old"), of: Steps.place, .origin, at: "/a/x")
    cache.keep(try answer("new"), of: Steps.place, .origin, at: "/a/y")
    #expect(cache.space(of: Steps.place, .origin, for: "/a/z", login: nil)?.offer.realm == "new")
    #expect(cache.space(of: Steps.place, .origin, for: "/b", login: nil)?.offer.realm == "all")
    cache.forget(Steps.user, try answer("new").offer, of: Steps.place, .origin)
    #expect(cache.space(of: Steps.place, .origin, for: "/a/z", login: nil)?.offer.realm == "old")
  }

  @Test func aServerCannotFillIt() throws {
    var cache = AuthenticationCache()
    for number in 0..<500 {
      cache.keep(try answer("r\(number)"), of: Steps.place, .origin, at: "/\(number)/")
      _ = try cache.use("n\(number)", of: Steps.place, .origin, Steps.sources)
    }
    #expect(cache.space(of: Steps.place, .origin, for: "/0/", login: nil) == nil)
    #expect(cache.space(of: Steps.place, .origin, for: "/499/", login: nil) != nil)
    #expect(try cache.use("n499", of: Steps.place, .origin, Steps.sources).count == 2)
    #expect(try cache.use("n0", of: Steps.place, .origin, Steps.sources).count == 1)
  }
}
