// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

@Suite struct ChallengeListTests {
  @Test(arguments: [
    ("Basic realm=\"simple\"", "simple"), ("basic realm=token", "token"), ("BASIC Realm = \"a b\"", "a b"),
    ("Basic realm=\"quo\\\"te\", charset=\"UTF-8\"", "quo\"te"), ("Basic", nil),
    ("Digest realm=\"d\", nonce=\"n, Basic realm=x\", Basic realm=\"b\"", "b"),
    ("Negotiate, Basic realm=\"b\"", "b"), ("Negotiate abc==, Basic realm=\"b\"", "b"),
    ("Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\", Basic realm=\"simple\"", "simple"),
    (", ,Basic realm=\"b\", realm=\"c\"", "c"), ("Basic realm=\"open", "open"),
  ])
  func basicIsFoundAmongOthers(_ field: String, _ realm: String?) throws {
    let basic = try #require(ChallengeList(field).first("basic"))
    #expect(basic.parameters["realm"] == realm)
  }

  @Test(arguments: [
    "", " , ,", "Digest realm=\"Basic realm=x\"", "\"Basic realm=x\"", "Bearer", "=basic", "x=\"basic\"",
  ])
  func otherFieldsHaveNoBasicChallenge(_ field: String) {
    #expect(ChallengeList(field).first("basic")?.parameters["realm"] == nil)
    #expect(!ChallengeList(field).challenges.contains { $0.scheme == "basic" && !$0.parameters.isEmpty })
  }

  /// As many as a head has room for: in time that grows with their number, or this test would take a minute.
  @Test func thousandsOfSchemes() {
    let names = (0..<60_000).map { "s\(String($0, radix: 36))" }
    #expect(ChallengeList(names.joined(separator: ",") + ",s0").schemes == names)
  }

  @Test func schemesKeepTheirOrderAndTheirTokens() {
    let list = ChallengeList("Negotiate YII/+=, Digest qop=\"auth,auth-int\", algorithm=MD5, NTLM")
    #expect(list.challenges.map(\.scheme) == ["negotiate", "digest", "ntlm"])
    #expect(list.challenges.first?.token == "YII/+=")
    #expect(list.first("digest")?.parameters == ["qop": "auth,auth-int", "algorithm": "MD5"])
  }

  @Test func eachSchemeIsNamedOnce() {
    #expect(ChallengeList("Basic realm=a, Digest realm=b, basic realm=c").schemes == ["basic", "digest"])
    #expect(
      ChallengeList("Basic realm=a, Digest realm=b, basic realm=c").first("basic")?.parameters["realm"] == "a"
    )
    #expect(ChallengeList("Basic").first("basic")?.parameters == [:])
    #expect(ChallengeList("Digest realm=b").first("basic") == nil)
  }
}
