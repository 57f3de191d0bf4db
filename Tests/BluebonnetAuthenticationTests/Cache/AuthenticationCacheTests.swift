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
    var memory = AuthenticationCache()
    memory.keep(try answer("all"), of: Steps.place, .origin, at: "/")
    memory.keep(try answer("old"), of: Steps.place, .origin, at: "/a/x")
    memory.keep(try answer("new"), of: Steps.place, .origin, at: "/a/y")
    #expect(memory.space(of: Steps.place, .origin, for: "/a/z", login: nil)?.offer.realm == "new")
    #expect(memory.space(of: Steps.place, .origin, for: "/b", login: nil)?.offer.realm == "all")
    memory.forget(Steps.user, try answer("new").offer, of: Steps.place, .origin)
    #expect(memory.space(of: Steps.place, .origin, for: "/a/z", login: nil)?.offer.realm == "old")
  }

  @Test func aServerCannotFillIt() throws {
    var memory = AuthenticationCache()
    for number in 0..<500 {
      memory.keep(try answer("r\(number)"), of: Steps.place, .origin, at: "/\(number)/")
      _ = try memory.use("n\(number)", of: Steps.place, .origin, Steps.sources)
    }
    #expect(memory.space(of: Steps.place, .origin, for: "/0/", login: nil) == nil)
    #expect(memory.space(of: Steps.place, .origin, for: "/499/", login: nil) != nil)
    #expect(try memory.use("n499", of: Steps.place, .origin, Steps.sources).count == 2)
    #expect(try memory.use("n0", of: Steps.place, .origin, Steps.sources).count == 1)
  }
}
