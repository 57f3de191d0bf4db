import BluebonnetAuthentication
import BluebonnetHTTP1
import BluebonnetSemantics
import Testing

@Suite struct HTTPAuthenticationTests {
  private let place = WebOrigin(isSecure: false, host: "a.test", port: 80)
  private let aladdin = Login.password(user: "Aladdin", password: "open sesame")
  private let proof = "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="

  private func field(_ proof: AuthenticationProof) -> String? {
    if case .field(let value) = proof { value } else { nil }
  }

  @Test(arguments: [
    (AuthenticationSide.origin, 401, "WWW-Authenticate"), (.proxy, 407, "Proxy-Authenticate"),
  ])
  func aLoginAnswersTheFirstChallengeAndNoOther(
    _ side: AuthenticationSide, _ status: Int, _ name: String
  ) throws {
    var memory = AuthenticationMemory()
    var machine = HTTPAuthentication(side, of: place, login: aladdin)
    let request = AuthenticatedRequest(method: "GET", target: "/a/b")
    let first = try field(machine.proof(for: request, memory: &memory))
    #expect(first == nil)
    let challenge = FieldBlock([(name, "Basic realm=\"r\"")])
    guard
      case .sendAgain(overSameConnection: false) = machine.received(
        status: status, fields: challenge, memory: &memory)
    else { return #expect(Bool(false)) }
    let second = try field(machine.proof(for: request, memory: &memory))
    #expect(second == proof)
    guard
      case .ask(let offers) = machine.received(status: status, fields: challenge, memory: &memory)
    else { return #expect(Bool(false)) }
    #expect(machine.failures == 1 && offers.map(\.realm) == ["r"] && memory.isEmpty)
  }

  @Test func whatWasAcceptedIsSentAheadBelowThePath() throws {
    var memory = AuthenticationMemory()
    var machine = HTTPAuthentication(.origin, of: place, login: aladdin)
    let challenge = FieldBlock([("WWW-Authenticate", "Basic realm=\"r\"")])
    _ = try machine.proof(for: AuthenticatedRequest(method: "GET", target: "/a/b?c=/d"), memory: &memory)
    _ = machine.received(status: 401, fields: challenge, memory: &memory)
    _ = try machine.proof(for: AuthenticatedRequest(method: "GET", target: "/a/b?c=/d"), memory: &memory)
    guard case .pass = machine.received(status: 200, fields: FieldBlock(), memory: &memory) else {
      return #expect(Bool(false))
    }
    for (target, isProved) in [("/a/c/d", true), ("/a/", true), ("/b", false), ("/a", false)] {
      var next = HTTPAuthentication(.origin, of: place)
      let ahead = try field(
        next.proof(for: AuthenticatedRequest(method: "GET", target: target), memory: &memory))
      #expect((ahead == proof) == isProved, "\(target)")
    }
  }
}
